// Texts and reads of notices.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const noticesTexts = defineTexts(
  () => import('./notices.ko.json'),
  () => import('./notices.en.json'),
)

export const useNoticeChoice = () => useApiQuery(api.notices.findChoice, {})
export const useOverdue = () => useApiQuery(api.notices.findOverdue, {})
