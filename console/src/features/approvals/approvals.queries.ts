// What the approval screens ask for.
import { api } from '@acc/contract'
import { ApprovalState, type Transfer } from '@acc/contract/enums'
import { useApiQuery } from '../../kit/api/query.ts'

export const useRequest = (idx: number) => useApiQuery(api.approvals.find, { idx })

/** How many requests wait: the badge in the menu, and the tab. */
export function useWaitingCount(type: Transfer): number | undefined {
  const { data } = useApiQuery(api.approvals.search, {
    type,
    filterType: 1,
    state: ApprovalState.REQUESTED,
    isFileUploaded: 1,
    rowsCount: 1,
    maxCount: 1000,
  })
  return data?.totalCount
}
