// Texts and reads of the information menu.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const infosTexts = defineTexts(
  () => import('./infos.ko.json'),
  () => import('./infos.en.json'),
)

export const useInfos = () => useApiQuery(api.infos.find, {})
