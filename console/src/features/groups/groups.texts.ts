import { defineTexts } from '../../kit/texts/texts.ts'

export const groupsTexts = defineTexts('groups', {
  ko: () => import('./groups.ko.json'),
  en: () => import('./groups.en.json'),
})
