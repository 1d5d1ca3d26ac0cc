// What the approval screens ask for.
import { api } from '@acc/contract'
import type { Transfer } from '@acc/contract/enums'
import { WAITING } from '@acc/contract/requestState'
import { useApiQuery } from '../../kit/api/query.ts'

export const useRequest = (idx: number) => useApiQuery(api.requests.find, { idx })

/** How many requests wait: the badge in the menu, and the tab. */
export function useWaitingCount(type: Transfer): number | undefined {
  const { data } = useApiQuery(api.requests.search, {
    type,
    filterType: 1,
    ...WAITING,
    rowsCount: 1,
    maxCount: 1000,
  })
  return data?.totalCount
}
