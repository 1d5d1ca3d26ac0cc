import { defineTexts } from '../../kit/texts/texts.ts'

export const pickersTexts = defineTexts('pickers', {
  ko: () => import('./pickers.ko.json'),
  en: () => import('./pickers.en.json'),
})
