import { defineTexts } from '../../kit/texts/texts.ts'

export const approvalsTexts = defineTexts(
  () => import('./approvals.ko.json'),
  () => import('./approvals.en.json'),
)
