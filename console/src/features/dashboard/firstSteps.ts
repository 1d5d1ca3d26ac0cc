// Texts of the first steps.
import { defineTexts } from '../../kit/texts/texts.ts'

export const firstStepsTexts = defineTexts(
  () => import('./firstSteps.ko.json'),
  () => import('./firstSteps.en.json'),
)
