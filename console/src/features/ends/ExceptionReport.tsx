// Exceptions that should be looked at: without an end, unused, or of people who left.
import { api } from '@acc/contract'
import type { ReportedException } from '@acc/contract/ends'
import { EndingKind, Finding } from '@acc/contract/labels/ends'
import { Box } from '@mantine/core'
import { useView } from '../../kit/layout/view.ts'
import { FilterBar, SearchBox, SelectFilter } from '../../kit/table/FilterBar.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { useLabel, useOptions } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { endsTexts, ReportView, useEndText } from './ends.ts'

const findingsOf = ({ isEndless, isUnused, hasLeft }: ReportedException): Finding[] => [
  ...(isEndless ? [Finding.ENDLESS] : []),
  ...(isUnused ? [Finding.UNUSED] : []),
  ...(hasLeft ? [Finding.LEFT] : []),
]

function useColumns(): Column<typeof api.ends.search>[] {
  const t = useTexts(endsTexts)
  const label = useLabel()
  const endText = useEndText()
  return [
    { key: 'kind', width: 170, render: ({ kind }) => label(EndingKind.labels[kind]), below: { key: 'what' } },
    { key: 'name', width: 150, below: { key: 'id', render: ({ id }) => id ?? t('group') } },
    { key: 'groupName', width: 140 },
    {
      key: 'findings',
      title: t('finding'),
      render: (row) =>
        findingsOf(row)
          .map((finding) => label(Finding.labels[finding]))
          .join(', '),
    },
    { key: 'endDT', width: 200, render: (row) => endText(row) },
    { key: 'usedDT', width: 158 },
  ]
}

type Props = {
  /** Opens the policy of a group or a person, or the authority. */
  onOpen: (row: ReportedException) => void
}

export function ExceptionReport({ onOpen }: Props) {
  const t = useTexts(endsTexts)
  const [{ finding, kind, report }, setView] = useView(ReportView)
  const clear = () => setView({ finding: undefined, kind: undefined, report: '' }, { replace: true })
  const isFiltered = finding !== undefined || kind !== undefined || report !== ''
  return (
    <section className="fill" aria-label={t('list')}>
      <Box pt={10}>
        <FilterBar>
          <SearchBox
            label={t('search')}
            value={report}
            onChange={(text) => setView({ report: text }, { replace: true })}
          />
          <SelectFilter
            label={t('finding')}
            value={finding}
            options={useOptions(Finding)}
            onChange={(chosen) => setView({ finding: chosen }, { replace: true })}
          />
          <SelectFilter
            label={t('kind')}
            value={kind}
            options={useOptions(EndingKind)}
            onChange={(chosen) => setView({ kind: chosen }, { replace: true })}
          />
        </FilterBar>
      </Box>
      <PagedTable
        route={api.ends.search}
        filter={{ finding, kind, search: report || undefined }}
        columns={useColumns()}
        label={t('list')}
        onFocus={onOpen}
        empty={isFiltered ? { title: t('noMatch'), onClear: clear } : { title: t('empty'), hint: t('emptyHint') }}
        csvName="exceptions"
      />
    </section>
  )
}
