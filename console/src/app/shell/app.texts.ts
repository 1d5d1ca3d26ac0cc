import { defineTexts } from '../../kit/texts/texts.ts'

export const appTexts = defineTexts('app', {
  ko: () => import('./app.ko.json'),
  en: () => import('./app.en.json'),
})
