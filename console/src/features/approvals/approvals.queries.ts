// Queries of the approval screens.
import { api } from '@acc/contract'
import type { Transfer } from '@acc/contract/labels/requests'
import { WAITING } from '@acc/contract/requestState'
import { useApiQuery } from '../../kit/api/query.ts'
import { type ApprovalsView, filterOf, isNarrowed } from './approvalsView.ts'

export const useRequest = (idx: number) => useApiQuery(api.requests.find, { idx })

/** Returns the number of waiting requests, for the badge in the menu and the tab. */
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

/** Returns the number of matching requests in other states; 0 if the tab shows all states. */
export function useOtherCount(view: ApprovalsView, type: Transfer): number {
  const isLimited = view.tab !== 'all' && isNarrowed(view)
  const everywhere = { ...filterOf({ ...view, tab: 'all' }, type), rowsCount: 1, maxCount: 1000 }
  const { data } = useApiQuery(api.requests.search, everywhere, { enabled: isLimited })
  return isLimited ? (data?.totalCount ?? 0) : 0
}
