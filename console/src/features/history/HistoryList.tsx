// One history list, built from its log: columns, filters, CSV, and the selected entry if the log has details.
import { isDetailed } from '@acc/contract/history/kinds'
import { formatTimeOfDay } from '@acc/contract/labels/formats'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useViewer } from '../../kit/api/viewer.ts'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { allTime, momentsOf } from '../../kit/table/dayRange.ts'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { placeOf } from './columnWidths.ts'
import css from './History.module.css'
import { Cell, moveToFilter } from './HistoryCell.tsx'
import { HistoryFilters, type ListProps } from './HistoryFilters.tsx'
import { HistoryPane } from './HistoryPane.tsx'
import { HistoryStrip } from './HistoryStrip.tsx'
import { historyTexts, rangeOf, UNFILTERED } from './history.ts'
import {
  fieldValue,
  hasOpened,
  isLinked,
  type LogRoute,
  type LogRow,
  labelOf,
  linkOf,
  titleOf,
  wordsOf,
} from './logs.ts'
import { tellingOf } from './sentence.ts'

/** The window in which names and IDs of people share the width, so that none is cut next to an empty column. */
const WIDE = '(min-width: 1600px)'

/** What a row says, below its columns. */
function Sentence({ log, row }: { log: ListProps['log']; row: LogRow }) {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const [first, ...others] = tellingOf(log.name, row, language)
  if (first === undefined) return null
  return (
    <span className={css.sentence} title={[first, ...others].join('\n')}>
      {others.length < 2 ? [first, ...others].join(', ') : t('more', { text: first, count: others.length })}
    </span>
  )
}

function useCells({ view, setView, log }: ListProps) {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false })
  const filters: readonly string[] = log.filters
  return log.columns.flatMap((name: string) => {
    const field = log.fields[name]
    if (field === undefined) return []
    const { width, from } = placeOf(log.name, name, field, { language, isWide })
    const render = (row: LogRow) => {
      const value = fieldValue(row, name)
      // An unknown sign-in ID has no person behind it.
      if (name === 'userName' && value === '') return <span className="quiet">{t('unknownId')}</span>
      if (name === 'logoutDT' && value === null)
        return fieldValue(row, 'logoutType') === null && hasOpened(row) ? t('isOpen') : '-'
      const words = wordsOf(field, value, language, row)
      const tone = labelOf(field, value, row)?.tone
      const to = name === 'actorName' ? 'actor' : isLinked(log.name, name) ? 'target' : undefined
      return (
        <Cell
          view={view}
          setView={setView}
          name={name}
          field={field}
          value={value}
          words={words}
          isFilter={name === log.time || (filters.includes(name) && name !== 'idx')}
          target={to && linkOf(log.name, row, to)}
        >
          {tone ? <StatusDot tone={tone}>{words ?? '-'}</StatusDot> : words}
        </Cell>
      )
    }
    return [{ key: name, title: field[language], render, width, from }]
  })
}

function useColumns(props: ListProps): Column<LogRoute>[] {
  const { log } = props
  const cells = useCells(props)
  const [first, second, ...others] = cells
  if (first === undefined || second === undefined) return cells
  const told = (row: LogRow) => (
    <>
      {second.render(row)}
      <Sentence log={log} row={row} />
    </>
  )
  return [first, { ...second, render: told }, ...others]
}

/** The filter of the list: `ofPeriod` has all of the period, of which the list may show some hours. */
function useFilter({ log, view }: ListProps) {
  const { runtime } = useViewer()
  const { from, to } = momentsOf(rangeOf(view, runtime))
  const known = Object.fromEntries(Object.entries(view.filters).filter(([name]) => name in log.filter.shape))
  const { since, until } = view
  const isFiltered =
    Object.keys(known).length > 0 || view.hour !== undefined || view.groups.length > 0 || since !== undefined
  const ofPeriod = {
    ...known,
    ...(log.type !== undefined && { type: log.type }),
    ...(view.hour !== undefined && { logHour: formatTimeOfDay(view.hour) }),
    ...(view.groups.length > 0 && { groupIdxes: view.groups }),
    logSDT: from,
    logEDT: to,
  }
  return { filter: { ...ofPeriod, ...(since && until && { logSDT: since, logEDT: until }) }, ofPeriod, isFiltered }
}

/** Leads from an empty period to all of the history. */
function AllTime({ view, setView }: Omit<ListProps, 'log'>) {
  const t = useTexts(kitTexts)
  const { runtime } = useViewer()
  const always = allTime()
  if (rangeOf(view, runtime).from === always.from) return null
  return (
    <Button variant="default" onClick={() => setView(always, { replace: true })}>
      {t('filter.always')}
    </Button>
  )
}

function Table({ log, ...props }: ListProps) {
  const { view, setView } = props
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const columns = useColumns({ log, ...props })
  const { filter, isFiltered } = useFilter({ log, ...props })
  const onFocus = isDetailed(log.name) ? { focused: view.idx, onFocus: ({ idx }: LogRow) => setView({ idx }) } : {}
  return (
    <PagedTable<LogRoute>
      route={log.route}
      filter={filter}
      columns={columns}
      label={t('listOf', { menu: titleOf(view.menu, language) })}
      empty={
        isFiltered
          ? {
              title: t('emptyFiltered'),
              hint: t('emptyFilteredHint'),
              onClear: () => setView(UNFILTERED, { replace: true }),
            }
          : { title: t('empty'), hint: t('emptyHint'), action: <AllTime {...props} /> }
      }
      csvName={view.menu}
      isLocal={view.hour !== undefined}
      onKey={moveToFilter}
      {...onFocus}
    />
  )
}

export function HistoryList(props: ListProps) {
  const { view, log } = props
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const { name } = log
  const { ofPeriod } = useFilter(props)
  return (
    <>
      <HistoryFilters key={view.menu} {...props} />
      <HistoryStrip route={log.counts} filter={ofPeriod} {...props} />
      <div className="fill">
        {isDetailed(name) ? (
          <SplitPane
            name="history.detail"
            label={t('chosen')}
            at="end"
            width={320}
            steps={{ opened: view.idx, close: () => props.setView({ idx: undefined }) }}
            side={
              view.idx === undefined ? (
                <Empty title={t('select', { menu: titleOf(view.menu, language) })} hint={t('selectHint')} />
              ) : (
                <HistoryPane key={`${name}${view.idx}`} log={name} idx={view.idx} />
              )
            }
          >
            <Table {...props} />
          </SplitPane>
        ) : (
          <Table {...props} />
        )}
      </div>
    </>
  )
}
