// The words of dialogs and of failures: the few that the first paint must have ready.
import { defineTexts } from '../texts/texts.ts'

export const dialogTexts = defineTexts(
  () => import('./dialogs.ko.json'),
  () => import('./dialogs.en.json'),
)
