import { defineTexts } from '../../kit/texts/texts.ts'

export const mailsTexts = defineTexts('mails', {
  ko: () => import('./mails.ko.json'),
  en: () => import('./mails.en.json'),
})
