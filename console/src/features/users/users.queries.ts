// Queries of the users screen.
import { api } from '@acc/contract'
import { useApiQuery } from '../../kit/api/query.ts'

export const useUser = (idx: number) => useApiQuery(api.users.find, { idx })
