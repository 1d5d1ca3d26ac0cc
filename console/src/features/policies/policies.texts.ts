import { defineTexts } from '../../kit/texts/texts.ts'

export const policiesTexts = defineTexts('policies', {
  ko: () => import('./policies.ko.json'),
  en: () => import('./policies.en.json'),
})
