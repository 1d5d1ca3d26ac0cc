// Texts of notices.
import { defineTexts } from '../../kit/texts/texts.ts'

export const noticesTexts = defineTexts(
  () => import('./notices.ko.json'),
  () => import('./notices.en.json'),
)
