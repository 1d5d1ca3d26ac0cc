// Texts and reads of the approval screens.
import { api } from '@acc/contract'
import { Level } from '@acc/contract/labels/access'
import { Transfer } from '@acc/contract/labels/requests'
import { WAITING } from '@acc/contract/requestState'
import { useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { defineTexts } from '../../kit/texts/texts.ts'
import { type ApprovalsView, filterOf, isNarrowed } from './approvalsView.ts'

export const approvalsTexts = defineTexts(
  () => import('./approvals.ko.json'),
  () => import('./approvals.en.json'),
)

/** Whether the viewer decides requests of a direction, in some groups at least. */
export function useDecides(type: Transfer): boolean {
  const { pageAuth } = useViewer().session
  return (type === Transfer.EXPORT ? pageAuth.fileExportApprove : pageAuth.fileImportApprove) === Level.EDIT
}

/** Counts the requests that wait for the viewer, for the badge in the menu and the tab. Undefined for readers. */
export function useWaitingCount(type: Transfer): number | undefined {
  const decides = useDecides(type)
  const waiting = { type, filterType: 1, ...WAITING, isDecidable: 1, rowsCount: 1, maxCount: 1000 } as const
  const { data } = useApiQuery(api.requests.search, waiting, { enabled: decides })
  return decides ? data?.totalCount : undefined
}

/** Returns the number of matching requests in other states; 0 if the tab shows all states. */
export function useOtherCount(view: ApprovalsView, type: Transfer): number {
  const isLimited = view.tab !== 'all' && isNarrowed(view)
  const everywhere = { ...filterOf({ ...view, tab: 'all' }, type, false), rowsCount: 1, maxCount: 1000 }
  const { data } = useApiQuery(api.requests.search, everywhere, { enabled: isLimited })
  return isLimited ? (data?.totalCount ?? 0) : 0
}
