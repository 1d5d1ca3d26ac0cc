// Texts of the settings screen.
import { defineTexts } from '../../kit/texts/texts.ts'

export const settingsTexts = defineTexts(
  () => import('./settings.ko.json'),
  () => import('./settings.en.json'),
)
