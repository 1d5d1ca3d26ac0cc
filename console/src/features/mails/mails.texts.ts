import { defineTexts } from '../../kit/texts/texts.ts'

export const mailsTexts = defineTexts(
  () => import('./mails.ko.json'),
  () => import('./mails.en.json'),
)
