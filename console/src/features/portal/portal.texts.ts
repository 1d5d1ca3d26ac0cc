import { defineTexts } from '../../kit/texts/texts.ts'

export const portalTexts = defineTexts('portal', {
  ko: () => import('./portal.ko.json'),
  en: () => import('./portal.en.json'),
})
