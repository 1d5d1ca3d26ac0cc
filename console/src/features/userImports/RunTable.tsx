// The list of runs: who, when, source, numbers.
import { api } from '@acc/contract'
import type { InputOf } from '@acc/contract/core/route'
import { ImportSource, ImportState } from '@acc/contract/labels/userImports'
import type { UserImport } from '@acc/contract/userImports'
import { FileName } from '../../kit/layout/FileName.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { TwoLines } from '../../kit/table/Table.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { useNumbersText, userImportsTexts } from './userImports.ts'

type Search = typeof api.userImports.search
type Props = {
  filter: Omit<InputOf<Search>, 'rowsAfter' | 'rowsCount' | 'maxCount' | 'sort' | 'sortOrder'>
  /** Clears the search; undefined without one. */
  onClear?: (() => void) | undefined
  onOpen: (idx: number) => void
}

function Numbers({ run }: { run: UserImport }) {
  const t = useTexts(userImportsTexts)
  const numbers = useNumbersText()
  const { state, refusal, counts } = run
  if (refusal || state === ImportState.PLANNING) return '-'
  const errors = counts.error + counts.skipped + counts.failed
  return <TwoLines above={numbers(counts)} below={errors > 0 && t('number.error', { count: errors })} />
}

export function RunTable({ filter, onClear, onOpen }: Props) {
  const t = useTexts(userImportsTexts)
  const language = useLanguage()
  const columns: Column<Search>[] = [
    {
      key: 'state',
      width: 116,
      render: ({ state }) => <StateDot label={ImportState.labels[state]} />,
    },
    { key: 'startDT', width: 158 },
    {
      key: 'fileName',
      render: ({ fileName, source }) =>
        source === ImportSource.FILE ? <FileName name={fileName} /> : fileName || ImportSource.labels[source][language],
      below: {
        key: 'source',
        render: ({ fileName, source }) => fileName && ImportSource.labels[source][language],
      },
    },
    { key: 'numbers', title: t('numbers'), render: (run) => <Numbers run={run} /> },
    { key: 'authorName', width: 120 },
    { key: 'endDT', width: 158, from: 1400 },
  ]
  return (
    <PagedTable
      route={api.userImports.search}
      filter={filter}
      columns={columns}
      label={t('history')}
      onFocus={({ idx }) => onOpen(idx)}
      empty={onClear ? { title: t('noRunsFiltered'), onClear } : { title: t('noRuns'), hint: t('noRunsHint') }}
      csvName="imports"
    />
  )
}
