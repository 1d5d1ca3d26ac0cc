import { defineTexts } from '../../kit/texts/texts.ts'

export const approvalsTexts = defineTexts('approvals', {
  ko: () => import('./approvals.ko.json'),
  en: () => import('./approvals.en.json'),
})
