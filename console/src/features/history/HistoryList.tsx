// One history list, built from its log: columns, filters, CSV, and the selected entry if the log has details.
import type { Tone } from '@acc/contract/labels/enumOf'
import { formatTimeOfDay } from '@acc/contract/labels/formats'
import { SignInType } from '@acc/contract/labels/history'
import { useMediaQuery } from '@mantine/hooks'
import { useViewer } from '../../kit/api/viewer.ts'
import { Empty } from '../../kit/layout/QueryState.tsx'
import { SplitPane } from '../../kit/layout/SplitPane.tsx'
import { momentsOf } from '../../kit/table/dayRange.ts'
import { type Column, PagedTable } from '../../kit/table/PagedTable.tsx'
import { StatusDot } from '../../kit/table/StatusDot.tsx'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { placeOf, WIDE } from './columnPlaces.ts'
import css from './History.module.css'
import { Cell, moveToFilter } from './HistoryCell.tsx'
import { HistoryFilters, type ListProps } from './HistoryFilters.tsx'
import { HistoryPane } from './HistoryPane.tsx'
import { historyTexts } from './history.texts.ts'
import { rangeOf } from './historyView.ts'
import {
  fieldValue,
  isDetailed,
  isLinked,
  type LogRoute,
  type LogRow,
  labelOf,
  linkOf,
  titleOf,
  wordsOf,
} from './logs.ts'

function Value({ tone, words }: { tone: Tone | undefined; words: string | null }) {
  return tone ? <StatusDot tone={tone}>{words ?? '-'}</StatusDot> : words
}

function useColumns({ view, setView, log }: ListProps): Column<LogRoute>[] {
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
      if (name === 'userName' && value === '') return <span className={css.unknown}>{t('unknownId')}</span>
      if (name === 'logoutDT' && value === null)
        return fieldValue(row, 'logoutType') === null && isOpen(row) ? t('isOpen') : '-'
      const words = wordsOf(field, value, language, row)
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
          <Value tone={labelOf(field, value, row)?.tone} words={words} />
        </Cell>
      )
    }
    const shown = { title: field[language], render, ...(width && { width }), ...(from && { from }) }
    const sort = [...log.sorts, log.time].find((one) => one === name)
    return [sort === undefined ? { key: name, ...shown } : { key: sort, isSortable: true as const, ...shown }]
  })
}

const OPENING: readonly unknown[] = [SignInType.LOGIN, SignInType.OTP_SUCCESS, SignInType.SSO_LOGIN]
/** Whether a sign-in opened a session, which has not ended. */
const isOpen = (row: LogRow): boolean => OPENING.includes(fieldValue(row, 'type'))

function Table({ log, ...props }: ListProps) {
  const { view, setView } = props
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const { runtime } = useViewer()
  const columns = useColumns({ log, ...props })
  const { from, to } = momentsOf(rangeOf(view, runtime))
  const known = Object.fromEntries(Object.entries(view.filters).filter(([name]) => log.fields[name] !== undefined))
  const isFiltered = Object.keys(known).length > 0 || view.hour !== undefined || view.groups.length > 0
  const filter = {
    ...known,
    ...(log.type !== undefined && { type: log.type }),
    ...(view.hour !== undefined && { logHour: formatTimeOfDay(view.hour) }),
    ...(view.groups.length > 0 && { groupIdxes: view.groups }),
    logSDT: from,
    logEDT: to,
  }
  const onFocus = isDetailed(log.name) ? { focused: view.idx, onFocus: ({ idx }: LogRow) => setView({ idx }) } : {}
  return (
    <PagedTable<LogRoute>
      route={log.route}
      filter={filter}
      columns={columns}
      label={t('listOf', { menu: titleOf(view.menu, language) })}
      empty={
        isFiltered
          ? { title: t('emptyFiltered'), hint: t('emptyFilteredHint') }
          : { title: t('empty'), hint: t('emptyHint') }
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
  return (
    <>
      <HistoryFilters key={view.menu} {...props} />
      <div className={css.rest}>
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
