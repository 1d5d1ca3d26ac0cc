// The rows of a plan: tabs, search, the list, and next to it the selected row.
import { api } from '@acc/contract'
import { ImportAction, ImportResult, ImportState } from '@acc/contract/labels/userImports'
import type { ImportRow, UserImport } from '@acc/contract/userImports'
import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { PaneTabs } from '../../kit/layout/PaneTabs.tsx'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { useView } from '../../kit/layout/view.ts'
import { FilterBar, SearchBox, SelectFilter } from '../../kit/table/FilterBar.tsx'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { StateDot } from '../../kit/table/StatusDot.tsx'
import { searchFilter } from '../../kit/table/search.tsx'
import { TwoLines } from '../../kit/table/Table.tsx'
import { useHeadings, useOptions } from '../../kit/texts/labels.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { RowPane } from './RowPane.tsx'
import { changeOf, faultOf, isAdopted, isFaulty, type Texts } from './rowWords.ts'
import css from './UserImports.module.css'
import { ImportsView, isApplied, PLAN_TABS, TAB_ACTIONS, userImportsTexts } from './userImports.ts'

function ChangeText({ change, texts }: { change: ImportRow['changes'][number]; texts: Texts }) {
  const { label, before, after } = changeOf(change, texts)
  return (
    <span title={`${label}: ${before ?? '-'} → ${after ?? '-'}`}>
      <span className={css.field}>{label}</span> <del>{before ?? '-'}</del>{' '}
      <IconArrowRight size={12} className={css.arrow} aria-label="→" /> <ins>{after ?? '-'}</ins>
    </span>
  )
}

/** The first line of what happens to a person. */
function Main({ row, texts }: { row: ImportRow; texts: Texts }) {
  const [fault] = row.faults
  if (fault && isFaulty(row)) {
    const { column, text } = faultOf(fault, row, texts)
    return (
      <span className={css.fault} title={text}>
        {column && <span className={css.field}>{column}</span>} {text}
      </span>
    )
  }
  if (row.action === ImportAction.DISABLE && row.line === null) return texts.t('missingInSource')
  const [change] = row.changes
  if (isAdopted(row)) return texts.t('adopted')
  if (change === undefined || row.action === ImportAction.CREATE) return row.email
  return <ChangeText change={change} texts={texts} />
}

/** The second line: what else there is, or how to correct it. */
function More({ row, texts }: { row: ImportRow; texts: Texts }) {
  const { t } = texts
  const [fault, ...faults] = row.faults
  if (fault && !isFaulty(row)) return faultOf(fault, row, texts).text
  if (fault) return faults.length > 0 ? t('more', { count: faults.length }) : faultOf(fault, row, texts).fix
  if (row.action === ImportAction.CREATE || row.changes.length === 0) return row.group
  const [, second, ...others] = row.changes
  if (second === undefined) return null
  return (
    <>
      <ChangeText change={second} texts={texts} />
      {others.length > 0 && ` · ${t('more', { count: others.length })}`}
    </>
  )
}

/** Rows that nothing is applied of. */
const UNAPPLIED: readonly ImportAction[] = [ImportAction.UNCHANGED, ImportAction.ERROR]

function useColumns(run: UserImport): Column<typeof api.userImports.searchRows>[] {
  const t = useTexts(userImportsTexts)
  const language = useLanguage()
  const texts = { t, language }
  const isOfFile = run.fields.length > 0
  return [
    ...(isOfFile ? [{ key: 'line', width: 72, render: ({ line }: ImportRow) => line ?? '-' } as const] : []),
    { key: 'action', width: 104, render: ({ action }) => <StateDot label={ImportAction.labels[action]} /> },
    { key: 'name', width: 150, below: { key: 'id' } },
    {
      key: 'what',
      title: t('what'),
      render: (row) => <TwoLines above={<Main row={row} texts={texts} />} below={<More row={row} texts={texts} />} />,
    },
    ...(isApplied(run)
      ? [
          {
            key: 'result',
            width: 92,
            render: ({ action, result }: ImportRow) =>
              UNAPPLIED.includes(action) ? '-' : <StateDot label={ImportResult.labels[result]} />,
          } as const,
        ]
      : []),
  ]
}

function Filters({ run }: { run: UserImport }) {
  const t = useTexts(userImportsTexts)
  const [view, setView] = useView(ImportsView)
  const results = useOptions(ImportResult)
  const heading = useHeadings(api.userImports.searchRows)
  return (
    <FilterBar>
      <SearchBox
        label={t('searchRows')}
        value={view.rowSearch}
        onChange={(rowSearch) => setView({ rowSearch }, { replace: true })}
      />
      {isApplied(run) && (
        <SelectFilter
          label={heading('result')}
          value={ImportResult.values.find((value) => value === view.result)}
          options={results}
          onChange={(result) => setView({ result }, { replace: true })}
        />
      )}
    </FilterBar>
  )
}

export function RunRows({ run }: { run: UserImport }) {
  const t = useTexts(userImportsTexts)
  const [view, setView] = useView(ImportsView)
  const [row, setRow] = useState<ImportRow>()
  const shown = row && row.idx === view.row ? row : undefined
  const result = ImportResult.values.find((value) => value === view.result)
  const isFiltered = view.rowSearch !== '' || result !== undefined
  const clear = () => setView({ rowSearch: '', result: undefined }, { replace: true })
  const columns = useColumns(run)
  return (
    <PaneTabs
      label={t('tabs')}
      tabs={PLAN_TABS.map((value) => ({ value, label: t(`tab.${value}`) }))}
      value={view.planTab}
      onChange={(planTab) => setView({ planTab, row: undefined }, { replace: true })}
    >
      <div className={css.filters}>
        <Filters run={run} />
      </div>
      <div className={css.rows}>
        <SplitPane
          name="userImports.row"
          label={t('row')}
          at="end"
          width={340}
          min={280}
          steps={{ opened: shown?.idx, close: () => setView({ row: undefined }) }}
          side={
            shown ? (
              <RowPane key={shown.idx} row={shown} isApplied={run.state === ImportState.DONE} />
            ) : (
              <Empty title={t('chooseRow')} hint={t('chooseRowHint')} />
            )
          }
        >
          <PagedTable
            route={api.userImports.searchRows}
            filter={{
              ...searchFilter(api.userImports.searchRows, { search: view.rowSearch }),
              importIdx: run.idx,
              actions: TAB_ACTIONS[view.planTab],
              result: isApplied(run) ? result : undefined,
            }}
            columns={columns}
            label={t('rows')}
            sort={{ by: 'line', order: 'asc' }}
            focused={shown?.idx}
            onFocus={(chosen) => {
              setRow(chosen)
              setView({ row: chosen.idx })
            }}
            empty={isFiltered ? { title: t('noRowsFiltered'), onClear: clear } : { title: t('noRows') }}
            csvName={`${t('csv')}_${run.idx}`}
          />
        </SplitPane>
      </div>
    </PaneTabs>
  )
}
