// The filters above the queue: the state, and either one search box or a field for each property.
import { api } from '@acc/contract'
import { RequestState, type Transfer } from '@acc/contract/labels/requests'
import { Checkbox, SegmentedControl } from '@mantine/core'
import { DateRangeFilter } from '../../kit/table/DateRangeFilter.tsx'
import { SearchFilters } from '../../kit/table/search.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { GroupSelector } from '../groups/exports.ts'
import {
  type ApprovalsProps,
  type ApprovalsView,
  approvalsTexts,
  isOpenTab,
  STATES,
  tabsOf,
  useDecides,
  useReviewCount,
  useWaitingCount,
} from './approvals.ts'

export function ApprovalFilters({ type, view, setView }: ApprovalsProps & { type: Transfer }) {
  const t = useTexts(approvalsTexts)
  const language = useLanguage()
  const set = (change: Parameters<typeof setView>[0]) => setView(change, { replace: true })
  const counts = { waiting: useWaitingCount(type), urgent: useReviewCount(type) }
  const decides = useDecides(type)
  const labelOf = (tab: ApprovalsView['tab']) => {
    if (tab === 'all') return t('all')
    const word = tab === 'urgent' ? t('urgent.tab') : RequestState.labels[STATES[tab].state][language]
    const count = isOpenTab(tab) && counts[tab]
    if (!count) return word
    // The list then shows more than these.
    return tab === 'waiting' && view.showsAll ? t('decidable', { word, count }) : `${word} ${count}`
  }
  const states = (
    <>
      <SegmentedControl<ApprovalsView['tab']>
        aria-label={t('stateFilter')}
        data={tabsOf(type).map((value) => ({ value, label: labelOf(value) }))}
        value={view.tab}
        onChange={(tab) => setView({ tab, idx: undefined })}
      />
      {isOpenTab(view.tab) && decides && !view.isUndecidable && (
        <Checkbox
          label={t('showsAll')}
          checked={view.showsAll}
          onChange={(event) => set({ showsAll: event.currentTarget.checked })}
        />
      )}
      {isOpenTab(view.tab) && (
        <Checkbox
          label={t('isUndecidable')}
          checked={view.isUndecidable}
          onChange={(event) => set({ isUndecidable: event.currentTarget.checked })}
        />
      )}
    </>
  )
  return (
    <SearchFilters
      route={api.requests.search}
      label={t('search')}
      value={view}
      set={set}
      before={states}
      more={
        <>
          <GroupSelector value={view.groups} onChange={(groups) => set({ groups })} hint={t('chooseGroupsHint')} />
          <DateRangeFilter value={view} onChange={({ from, to }) => set({ from, to })} />
        </>
      }
    />
  )
}
