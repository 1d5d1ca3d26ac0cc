// Texts, reads and view state of the approval screens: one text that matches number, ID or name, or several fields at
// once (spec S2 §2.3, §7).
import { api } from '@acc/contract'
import { Level } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import type { FileEximportFilter } from '@acc/contract/requestFilter'
import { isToReview, isWaiting, type RequestStatus, WAITING } from '@acc/contract/requestState'
import { z } from 'zod'
import { useApiQuery } from '../../kit/api/query.ts'
import { useViewer } from '../../kit/api/viewer.ts'
import { useCanOpen, type ViewProps } from '../../kit/layout/view.ts'
import { momentsOf } from '../../kit/table/dayRange.ts'
import { isSearched, searchFilter, searchView } from '../../kit/table/search.tsx'
import { defineTexts } from '../../kit/texts/texts.ts'

export const TABS = ['waiting', 'urgent', 'approved', 'rejected', 'canceled', 'allowed', 'all'] as const
type Tab = (typeof TABS)[number]
export const STATES = {
  waiting: WAITING,
  /** Urgent exports to review. */
  urgent: { state: RequestState.ALLOWED },
  approved: { state: RequestState.APPROVED },
  rejected: { state: RequestState.REJECTED },
  canceled: { state: RequestState.CANCELED },
  allowed: { state: RequestState.ALLOWED },
  all: {},
}

/** Tabs of requests that somebody has to decide. */
export const isOpenTab = (tab: Tab): tab is 'waiting' | 'urgent' => tab === 'waiting' || tab === 'urgent'

/** The states that requests of a direction can have: a policy allows exports alone. */
export const tabsOf = (type: Transfer) =>
  TABS.filter((tab) => type === Transfer.EXPORT || (tab !== 'allowed' && tab !== 'urgent'))

export const ApprovalsView = z.object({
  idx: z.number().optional(),
  tab: z.enum(TABS).default('waiting'),
  ...searchView,
  from: z.string().nullable().default(null),
  to: z.string().nullable().default(null),
  /** Adds the waiting requests that the viewer cannot decide: their own, and those of groups that they only view. */
  showsAll: z.boolean().default(false),
  /** Shows only waiting requests that nobody can decide. */
  isUndecidable: z.boolean().default(false),
  /** The chosen groups of requesters, each with its subgroups; none means all. */
  groups: z.array(z.number()).default([]),
})
export type ApprovalsView = z.output<typeof ApprovalsView>
export type ApprovalsProps = ViewProps<typeof ApprovalsView>

/** The screens of requests by their direction. */
export const SCREENS = { [Transfer.EXPORT]: 'approvals', [Transfer.IMPORT]: 'imports' } as const

/** Returns the screen and the view that show a request in the list of its state. */
export function placeOf(request: RequestStatus & { idx: number; type: Transfer; reviewDueDT: string | null }) {
  const { idx, type, state } = request
  const decided = tabsOf(type).find((tab) => !isOpenTab(tab) && tab !== 'all' && STATES[tab].state === state)
  const tab = isWaiting(request) ? 'waiting' : isToReview(request) ? 'urgent' : (decided ?? 'all')
  return { screen: SCREENS[type], view: { idx, tab, showsAll: true } }
}

/** Empty values of all filters except the state. */
export const UNNARROWED = { search: '', texts: {}, from: null, to: null, groups: [], isUndecidable: false }

/** Whether filters other than the state are set. */
export const isNarrowed = (view: ApprovalsView): boolean =>
  isSearched(view) ||
  (isOpenTab(view.tab) && view.isUndecidable) ||
  (view.isMulti && (view.from !== null || view.to !== null || view.groups.length > 0))

/** Whether the list shows only what the viewer has to decide or review; readers see all of it. */
export const isForViewer = ({ tab, showsAll, isUndecidable }: ApprovalsView, decides: boolean): boolean =>
  isOpenTab(tab) && decides && !showsAll && !isUndecidable

/** Returns the input of the list; fields that are not shown are ignored. */
export function filterOf(
  view: ApprovalsView,
  type: Transfer,
  decides: boolean,
): Omit<FileEximportFilter, 'rowsAfter' | 'rowsCount' | 'maxCount' | 'sort' | 'sortOrder'> {
  const isDecidable = flagOf(isForViewer(view, decides))
  const isOpen = isOpenTab(view.tab)
  const isUndecidable = flagOf(isOpen && view.isUndecidable)
  const isUrgent = flagOf(view.tab === 'urgent')
  const flags = { isDecidable, isUndecidable, isToReview: isUrgent, overdueFirst: flagOf(isOpen) }
  const common = { type, ...STATES[view.tab], ...flags }
  const filter = { ...common, ...searchFilter(api.requests.search, view) }
  if (!view.isMulti) return filter
  const { from, to } = momentsOf(view)
  const groupIdxes = view.groups.length > 0 ? view.groups : undefined
  return { ...filter, requestSDT: from, requestEDT: to, groupIdxes }
}

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

/** Counts the urgent exports that the viewer has to review, for the badge and the tab. Undefined for readers. */
export function useReviewCount(type: Transfer): number | undefined {
  const isAsked = useDecides(type) && type === Transfer.EXPORT
  const toReview = { type, filterType: 1, isToReview: 1, isDecidable: 1, rowsCount: 1, maxCount: 1000 } as const
  const { data } = useApiQuery(api.requests.search, toReview, { enabled: isAsked })
  return isAsked ? data?.totalCount : undefined
}

/** Returns the number of matching requests in other states; 0 if the tab shows all states. */
export function useOtherCount(view: ApprovalsView, type: Transfer): number {
  const isLimited = view.tab !== 'all' && isNarrowed(view)
  const everywhere = { ...filterOf({ ...view, tab: 'all' }, type, false), rowsCount: 1, maxCount: 1000 }
  const { data } = useApiQuery(api.requests.search, everywhere, { enabled: isLimited })
  return isLimited ? (data?.totalCount ?? 0) : 0
}

/** Finds the request of the other direction whose number is searched for: both count together. */
export function useOtherDirection({ isMulti, search }: ApprovalsView, type: Transfer) {
  const other = type === Transfer.EXPORT ? Transfer.IMPORT : Transfer.EXPORT
  const canOpen = useCanOpen()
  const enabled = !isMulti && /^\d+$/.test(search) && canOpen(SCREENS[other])
  const first = {
    type: other,
    filterType: 1,
    idx: search,
    sort: 'idx',
    sortOrder: 0,
    rowsCount: 1,
    maxCount: 1,
  } as const
  const { data } = useApiQuery(api.requests.search, first, { enabled })
  const found = enabled ? data?.items[0] : undefined
  return found?.idx === Number(search) ? { idx: found.idx, type: other } : undefined
}
