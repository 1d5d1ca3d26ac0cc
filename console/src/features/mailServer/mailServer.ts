// Texts of the mail server menu.
import { defineTexts } from '../../kit/texts/texts.ts'

export const mailServerTexts = defineTexts(
  () => import('./mailServer.ko.json'),
  () => import('./mailServer.en.json'),
)
