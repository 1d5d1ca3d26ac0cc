import { defineTexts } from '../../kit/texts/texts.ts'

export const policiesTexts = defineTexts(
  () => import('./policies.ko.json'),
  () => import('./policies.en.json'),
)
