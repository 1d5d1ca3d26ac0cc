// The filters above the queue: the state, and either one search box or a field for each property.
import { api } from '@acc/contract'
import type { Transfer } from '@acc/contract/labels/requests'
import { SegmentedControl } from '@mantine/core'
import { DateRangeFilter } from '../../kit/table/DateRangeFilter.tsx'
import { FilterBar, SearchBox, TextFilter } from '../../kit/table/FilterBar.tsx'
import { useHeadings } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { GroupSelector } from '../groups/exports.ts'
import { approvalsTexts } from './approvals.texts.ts'
import { type ApprovalsView, FIELDS, type SetApprovalsView, TABS, tabsOf } from './approvalsView.ts'

type Props = { type: Transfer; view: ApprovalsView; setView: SetApprovalsView; waiting: number | undefined }

export function ApprovalFilters({ type, view, setView, waiting }: Props) {
  const t = useTexts(approvalsTexts)
  const heading = useHeadings(api.requests.search)
  const set: SetApprovalsView = (change) => setView(change, { replace: true })
  const states = (
    <SegmentedControl
      aria-label={t('stateFilter')}
      data={tabsOf(type).map((value) => ({
        value,
        label: value === 'waiting' && waiting ? `${t(value)} ${waiting}` : t(value),
      }))}
      value={view.tab}
      onChange={(tab) => setView({ tab: TABS.find((one) => one === tab) ?? 'waiting', idx: undefined })}
    />
  )
  return (
    <FilterBar
      isMulti={view.isMulti}
      onMulti={(isMulti) => set({ isMulti })}
      multi={
        <>
          {states}
          {FIELDS.map((name) => (
            <TextFilter
              key={name}
              label={heading(name)}
              width={name === 'idx' ? 72 : undefined}
              value={view.fields[name] ?? ''}
              onChange={(value) => set({ fields: { ...view.fields, [name]: value } })}
            />
          ))}
          <GroupSelector value={view.groups} onChange={(groups) => set({ groups })} hint={t('chooseGroupsHint')} />
          <DateRangeFilter value={view} onChange={({ from, to }) => set({ from, to })} />
        </>
      }
    >
      {states}
      <SearchBox label={t('search')} value={view.search} onChange={(search) => set({ search })} />
    </FilterBar>
  )
}
