// The first steps of a new installation: their texts, and the panel, which only system administrators fetch.
import { fetchedComponent } from '../../kit/layout/fetchedComponent.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const firstStepsTexts = defineTexts(
  () => import('./firstSteps.ko.json'),
  () => import('./firstSteps.en.json'),
)

export const FirstSteps = fetchedComponent(() =>
  import('./FirstStepsPanel.tsx').then((module) => [module.FirstStepsPanel, firstStepsTexts]),
)
