import { defineTexts } from '../../kit/texts/texts.ts'

export const loginPolicyTexts = defineTexts(
  () => import('./loginPolicy.ko.json'),
  () => import('./loginPolicy.en.json'),
)
