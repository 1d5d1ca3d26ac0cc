// Texts and reads of the mail server menu.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const mailServerTexts = defineTexts(
  () => import('./mailServer.ko.json'),
  () => import('./mailServer.en.json'),
)

export const useMailServer = () => useApiQuery(api.mailServer.find, {})
