// Texts and reads of the license menu.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const licensesTexts = defineTexts(
  () => import('./licenses.ko.json'),
  () => import('./licenses.en.json'),
)

export const useLicense = () => useApiQuery(api.licenses.find, {})
