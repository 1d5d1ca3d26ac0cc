// A list route of the contract as a table: pages, sorting by its headings, a count that stops at 10000+ and continues
// on click, skeleton rows, empty and failed states, CSV. Arrow keys move between rows.
import type { InputOf } from '@acc/contract/core/route'
import type { Language } from '@acc/contract/labels/enumOf'
import { formatBytes, formatDay, formatMoment } from '@acc/contract/labels/formats'
import { Skeleton } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect } from 'react'
import { Empty, Failed, isRefused, Stale } from '../layout/QueryState.tsx'
import { type ColumnOf, headingOf } from '../texts/labels.ts'
import { useLanguage } from '../texts/texts.ts'
import css from './PagedTable.module.css'
import { PagedTableFoot } from './PagedTableFoot.tsx'
import { type Answer, type ListRoute, type Paging, type RowOf, useDroppedChecks, usePage } from './pageOfList.ts'
import { checkByKey, moveByKeys } from './rowKeys.ts'
import { type Sort, SortHead, TwoHeads } from './SortHead.tsx'
import { Table, type TableColumn, TwoLines } from './Table.tsx'

/** The names that the route sorts by. */
type SortKey<R extends ListRoute> = InputOf<R> extends { sort?: infer S } ? Extract<S, string> : never

/** The heading: the contract's where the route has a column of that name. */
type Head<R extends ListRoute> = { key: ColumnOf<R>; title?: string } | { key: string; title: string }

/** A value of a row: without `render`, its field of that name. The heading sorts if the route has such a sort. */
type Line<R extends ListRoute> = Head<R> &
  ({ key: keyof RowOf<R> & string; render?: (row: RowOf<R>) => ReactNode } | { render: (row: RowOf<R>) => ReactNode })
export type Column<R extends ListRoute> = Line<R> & {
  width?: number
  align?: 'left' | 'right'
  /** A second value in the same cell, below the first. */
  below?: Line<R>
  /** Shown only in windows of at least this width in pixels. */
  from?: number
}

type Props<R extends ListRoute> = {
  route: R
  /** The list's input besides paging and sorting. A change goes back to the first page. */
  filter: Omit<InputOf<R>, Paging>
  columns: readonly Column<R>[]
  /** The accessible name of the table. */
  label: string
  sort?: Sort<SortKey<R>>
  /** Idx of the row shown in the pane next to the table. */
  focused?: number | undefined
  onFocus?: (row: RowOf<R>) => void
  /** Checked rows, kept across pages. */
  checked?: readonly RowOf<R>[]
  onCheck?: (rows: RowOf<R>[]) => void
  /** A row that a filter hides or that was removed is no longer checked. Pickers keep theirs and name the choice. */
  dropsHidden?: boolean
  /** Returns why a row cannot be checked, which the row then says; undefined if it can. */
  whyLocked?: (row: RowOf<R>) => string | undefined
  /** Called when the rows of another page or filter are being fetched, and when they are there. */
  onLoading?: (isLoading: boolean) => void
  /** The accessible name of a row's checkbox. */
  nameOf?: (row: RowOf<R>) => string
  /** Keys that the rows do not use themselves. */
  onKey?: (event: KeyboardEvent<HTMLElement>) => void
  /** `action` leads on from an empty list. */
  empty: { title: string; hint?: ReactNode; action?: ReactNode; onClear?: (() => void) | undefined }
  /** The name of the CSV file; without it there is no button. */
  csvName?: string
  /** The rows depend on the time zone. */
  isLocal?: boolean
  /** Rows a page: remembered by the person's choice unless fixed here (dialogs: 5). */
  rowsPerPage?: number
  /**
   * Rows that come first in any order: the sorted heading says so by `label`. Both parts have a caption; that of the
   * first one takes their number, unless further pages may have more.
   */
  leading?: {
    isLeading: (row: RowOf<R>) => boolean
    label: string
    captions: [first: (count: number | undefined) => string, rest: string]
  }
  /** What the rows are: the total then says it (spec S2 §2.7). */
  unit?: 'people'
}

/** Minimum width of a column without one, in pixels. */
const FLEXIBLE = 96
const widthOf = (columns: readonly { width?: number; from?: number }[]) =>
  columns.filter(({ from }) => from === undefined).reduce((sum, { width = FLEXIBLE }) => sum + width, 0)

type Heads = { route: ListRoute; language: Language; order: Sort; setOrder: (sort: Sort) => void; leads?: string }

const isSort = ({ input }: ListRoute, key: string): boolean => input.shape.sort?.safeParse(key).success === true

/** Shows a value in the format of its column in the contract. */
function format({ columns }: ListRoute, key: string, value: unknown): ReactNode {
  const as = columns?.[key]?.as
  if (as === 'moment') return formatMoment(value as string | null)
  if (as === 'day') return formatDay(value as string | null)
  return as === 'bytes' ? formatBytes(value as number) : (value as ReactNode)
}

/** A row that takes the focus is named by its first cells. */
const NAMING_CELLS = 3

function toTableColumn<R extends ListRoute>(
  column: Column<R>,
  { route, language, order, setOrder, leads }: Heads,
  isLoading: boolean,
  noteOf: (row: RowOf<R>) => string | undefined,
): TableColumn<RowOf<R>> {
  const { below, from } = column
  const isAtEnd = column.align === 'right' && below === undefined
  const titleOf = ({ key, title = headingOf(route, key, language) ?? key }: Line<R>) => title
  const headOf = (line: Line<R>) =>
    isSort(route, line.key) ? (
      <SortHead
        column={line.key}
        title={titleOf(line)}
        sort={order}
        onSort={setOrder}
        isAtEnd={isAtEnd}
        leads={leads}
      />
    ) : undefined
  const wordsOf = (line: Line<R>) => headOf(line) ?? titleOf(line)
  const value = ({ key, render }: Line<R>, row: RowOf<R>): ReactNode =>
    render ? render(row) : format(route, key, (row as Record<string, unknown>)[key])
  return {
    key: column.key,
    title: titleOf(column),
    head: below ? <TwoHeads above={wordsOf(column)} below={wordsOf(below)} /> : headOf(column),
    align: column.align,
    width: column.width,
    from,
    render: (row) => {
      if (isLoading) return <Skeleton height={10} width="70%" />
      const note = noteOf(row)
      if (below === undefined && note === undefined) return value(column, row)
      return <TwoLines above={value(column, row)} below={note ?? (below && value(below, row))} />
    },
  }
}

export function PagedTable<R extends ListRoute>(props: Props<R>) {
  type Row = RowOf<R>
  const list = usePage(props)
  const language = useLanguage()
  useDroppedChecks(props, list)
  const { onLoading } = props
  const isFetchingRows = list.answer === undefined && list.query.isFetching
  useEffect(() => onLoading?.(isFetchingRows), [onLoading, isFetchingRows])
  // The column with the most room says why a row cannot be checked.
  const widest = props.columns.find(({ width }) => width === undefined)
  const noteIn = (column: Column<R>) => (row: Row) =>
    column === widest && props.onCheck ? props.whyLocked?.(row) : undefined
  const { query } = list
  const { focused, onFocus, checked = [], onCheck, nameOf } = props
  if (query.isError && (query.data === undefined || isRefused(query.error)))
    return <Failed error={query.error} onRetry={() => void query.refetch()} />
  const latest = query.data as Answer<R> | undefined
  // A page without rows no longer exists: an earlier one is being fetched.
  const answer = latest?.items.length === 0 && latest.totalCount > 0 ? undefined : latest
  const isLoading = answer === undefined
  const skeleton = Array.from({ length: Math.min(list.rows, 12) }, (_, index) => ({ idx: -1 - index }) as Row)
  const rows = answer?.items ?? skeleton
  const { leading } = props
  const lastLeading = isLoading || !leading ? -1 : rows.findLastIndex(leading.isLeading)
  const leads = lastLeading < 0 ? undefined : leading?.label
  const hasAllLeading = list.page === 1 && (lastLeading < rows.length - 1 || answer?.totalCount === rows.length)
  const captionAt = (at: number) => {
    if (leads === undefined || (at > 0 && at !== lastLeading + 1)) return undefined
    return at === 0 ? leading?.captions[0](hasAllLeading ? lastLeading + 1 : undefined) : leading?.captions[1]
  }
  const first = rows.some((row) => row.idx === focused) ? focused : rows[0]?.idx
  const checks =
    onCheck && !isLoading
      ? { checked, onCheck, whyLocked: props.whyLocked, nameOf: (row: Row) => nameOf?.(row) ?? String(row.idx) }
      : undefined
  return (
    <div className={css.frame}>
      <Stale of={query} />
      <Table<Row>
        kind="fills"
        minWidth={widthOf(props.columns)}
        label={props.label}
        isBusy={query.isFetching}
        onKeyDown={(event) => {
          moveByKeys(event)
          checkByKey(event, rows, checks)
          props.onKey?.(event)
        }}
        rows={rows}
        columns={props.columns.map((column) =>
          toTableColumn<R>(column, { ...list, route: props.route, leads, language }, isLoading, noteIn(column)),
        )}
        onRow={onFocus && !isLoading ? (row) => () => onFocus(row) : undefined}
        checks={checks}
        captionAt={captionAt}
        look={(row) => ({
          ...((onFocus || props.onKey) &&
            !isLoading && {
              'data-idx': row.idx,
              tabIndex: row.idx === first ? 0 : -1,
              'aria-current': onFocus && row.idx === focused,
            }),
        })}
        namingCells={NAMING_CELLS}
        empty={<Empty {...props.empty}>{props.empty.action}</Empty>}
      />
      <PagedTableFoot
        route={props.route}
        label={props.label}
        list={list}
        total={answer?.totalCount}
        shown={answer?.items.length ?? 0}
        csvName={props.csvName}
        hasFixedRows={props.rowsPerPage !== undefined}
        unit={props.unit}
      />
    </div>
  )
}
