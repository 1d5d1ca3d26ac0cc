// One history list, built from its log: columns, filters, CSV, and the selected entry if the log has details.
import type { Field } from '@acc/contract/history/fields'
import { isDetailed } from '@acc/contract/history/kinds'
import type { Label } from '@acc/contract/labels/enumOf'
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
import type { Language } from '../../kit/texts/translate.ts'
import css from './History.module.css'
import { Cell, moveToFilter } from './HistoryCell.tsx'
import { HistoryFilters, type ListProps } from './HistoryFilters.tsx'
import { HistoryPane } from './HistoryPane.tsx'
import { HistoryStrip } from './HistoryStrip.tsx'
import { historyTexts, rangeOf, UNFILTERED } from './history.ts'
import { fieldValue, isLinked, type LogRoute, type LogRow, labelOf, linkOf, titleOf, wordsOf } from './logs.ts'
import { tellingOf } from './sentence.ts'

/** Widths of columns of enumerations, by the characters of the longest label. Longer ones share the rest. */
const LABEL_WIDTHS = {
  ko: [
    { characters: 6, width: 89 },
    { characters: 9, width: 118 },
    { characters: 13, width: 138 },
  ],
  en: [
    { characters: 6, width: 89 },
    { characters: 9, width: 118 },
    { characters: 15, width: 130 },
  ],
}

/** Widths in pixels, so that every list fits a window of 1280; the others share the rest. */
const WIDTHS: Readonly<Record<string, number>> = {
  idx: 64,
  requestIdx: 92,
  ip: 100,
  targetIp: 120,
  deviceIp: 100,
  clientVersion: 88,
  logoutType: 92,
}

/** The same for single columns in English, next to labels and headings that are longer than in Korean. */
const ENGLISH_WIDTHS: Readonly<Record<string, number>> = {
  'bimManage.targetIp': 110,
  'account.resultType': 116,
  'userImport.disableCount': 94,
  'authManage.type': 124,
  'authManage.targetName': 110,
  'policyManage.type': 156,
  'policyManage.targetType': 76,
  'fileDownload.requestIdx': 104,
}

/** The window that shows a column; narrower ones leave it to the selected entry and to the filter. */
const FROM: Readonly<Record<string, number>> = {
  'fileEximport.requesterGroupName': 1400,
  'fileDownload.requesterGroupName': 1400,
  'fileDownload.type': 1400,
  'account.userGroupName': 1400,
  'account.ip': 1400,
  'userImport.source': 1400,
}

/** The width of an enumeration by its longest label, or by its heading. */
function widthOfLabels(labels: readonly Label[], language: Language): number | undefined {
  const longest = Math.max(...labels.map((label) => label[language].length))
  return LABEL_WIDTHS[language].find(({ characters }) => longest <= characters)?.width
}

/** The window in which names and IDs of people share the width, so that none is cut next to an empty column. */
const WIDE = '(min-width: 1600px)'

type Look = { language: Language; isWide: boolean }

function widthOf(name: string, field: Field, { language, isWide }: Look): number | undefined {
  if (WIDTHS[name] !== undefined) return WIDTHS[name]
  if (field.as === 'moment') return 164
  if (field.as === 'bytes') return 88
  if (/Count$/.test(name)) return 84
  if (field.values) return widthOfLabels([field, ...Object.values(field.values)], language)
  if (isWide || /Group/.test(name)) return undefined
  if (/Id$/.test(name)) return 104
  if (name === 'actorName') return 108
  return name === 'userName' ? 92 : undefined
}

/** Returns a column's width and the window that shows it. Undefined: it shares the rest, or is always shown. */
function placeOf(log: string, name: string, field: Field, look: Look) {
  const english = look.language === 'en' ? ENGLISH_WIDTHS[`${log}.${name}`] : undefined
  return { width: english ?? widthOf(name, field, look), from: FROM[`${log}.${name}`] }
}

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
      if (name === 'userName' && value === '') return <span className="quiet">{t('unknownId')}</span>
      if (name === 'logoutDT' && value === null)
        return fieldValue(row, 'logoutType') === null && isOpen(row) ? t('isOpen') : '-'
      const words = wordsOf(field, value, language, row)
      const tone = labelOf(field, value, row)?.tone
      const to = name === 'actorName' ? 'actor' : isLinked(log.name, name) ? 'target' : undefined
      const cell = (
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
      return name === log.columns[1] ? (
        <>
          {cell}
          <Sentence log={log} row={row} />
        </>
      ) : (
        cell
      )
    }
    return [{ key: name, title: field[language], render, width, from }]
  })
}

const OPENING: readonly unknown[] = [SignInType.LOGIN, SignInType.OTP_SUCCESS, SignInType.SSO_LOGIN]
/** Whether a sign-in opened a session, which has not ended. */
const isOpen = (row: LogRow): boolean => OPENING.includes(fieldValue(row, 'type'))

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
