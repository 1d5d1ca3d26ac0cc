// Texts and reads of the users screen.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const usersTexts = defineTexts(
  () => import('./users.ko.json'),
  () => import('./users.en.json'),
)

export const useUser = (idx: number) => useApiQuery(api.users.find, { idx })
