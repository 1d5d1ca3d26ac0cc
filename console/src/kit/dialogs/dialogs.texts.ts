// The words of dialogs and of failures: the few that the first paint must have ready.
import { defineTexts } from '../texts/texts.ts'

export const dialogTexts = defineTexts('dialogs', {
  ko: () => import('./dialogs.ko.json'),
  en: () => import('./dialogs.en.json'),
})
