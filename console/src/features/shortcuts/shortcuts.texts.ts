import { defineTexts } from '../../kit/texts/texts.ts'

export const shortcutsTexts = defineTexts(
  () => import('./shortcuts.ko.json'),
  () => import('./shortcuts.en.json'),
)
