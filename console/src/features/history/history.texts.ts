import { defineTexts } from '../../kit/texts/texts.ts'

export const historyTexts = defineTexts('history', {
  ko: () => import('./history.ko.json'),
  en: () => import('./history.en.json'),
})
