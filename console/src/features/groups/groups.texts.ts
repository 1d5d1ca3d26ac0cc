import { defineTexts } from '../../kit/texts/texts.ts'

export const groupsTexts = defineTexts(
  () => import('./groups.ko.json'),
  () => import('./groups.en.json'),
)
