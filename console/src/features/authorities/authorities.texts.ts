import { defineTexts } from '../../kit/texts/texts.ts'

export const authoritiesTexts = defineTexts('authorities', {
  ko: () => import('./authorities.ko.json'),
  en: () => import('./authorities.en.json'),
})
