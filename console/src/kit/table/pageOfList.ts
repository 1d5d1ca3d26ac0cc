// The page of a list that a table shows: its query, order and count limit, and the checks of its rows.
import { UNCAPPED } from '@acc/contract/core/fields'
import { DEFAULT_MAX_COUNT } from '@acc/contract/core/paging'
import type { DataOf, InputOf, Route } from '@acc/contract/core/route'
import { useEffect, useRef, useState } from 'react'
import { useApiQuery } from '../api/query.ts'
import { readStored, writeStored } from '../browser/storage.ts'
import type { Sort } from './SortHead.tsx'

export type ListRoute = Route & { method: 'GET'; kind: 'list' }
export type RowOf<R extends ListRoute> = DataOf<R> extends { items: (infer T extends { idx: number })[] } ? T : never
export type Paging = 'rowsAfter' | 'rowsCount' | 'maxCount' | 'sort' | 'sortOrder'

const REMEMBERED = 'acc.rowsPerPage'

export type Answer<R extends ListRoute> = { totalCount: number; items: RowOf<R>[] }

type Asked<R extends ListRoute> = {
  route: R
  filter: Omit<InputOf<R>, Paging>
  sort?: Sort
  rowsPerPage?: number
  isLocal?: boolean
}

/** Page, order and count limit of a list, and its query. */
export function usePage<R extends ListRoute>({ route, filter, sort, rowsPerPage, isLocal = false }: Asked<R>) {
  const [rows, setRows] = useState(rowsPerPage ?? (Number(readStored(REMEMBERED)) || 25))
  const [order, setOrder] = useState<Sort>(sort ?? { by: 'idx', order: 'desc' })
  const [maxCount, setMaxCount] = useState(DEFAULT_MAX_COUNT)
  const filterKey = JSON.stringify(filter)
  const [page, setPage] = useState({ number: 1, filterKey })
  // A changed filter starts at its first page and at the default count limit.
  if (page.filterKey !== filterKey) {
    setPage({ number: 1, filterKey })
    setMaxCount(DEFAULT_MAX_COUNT)
  }
  const input = {
    ...filter,
    rowsAfter: (page.number - 1) * rows,
    rowsCount: rows,
    maxCount,
    sort: order.by,
    sortOrder: order.order === 'desc' ? 1 : 0,
  } as InputOf<R>
  const query = useApiQuery(route, input, { keepsFormer: true, isLocal })
  const answer = query.isPlaceholderData ? undefined : (query.data as Answer<R> | undefined)
  // Its last rows were removed.
  if (answer?.items.length === 0 && page.number > 1)
    setPage({ number: Math.max(1, Math.min(page.number - 1, Math.ceil(answer.totalCount / rows))), filterKey })
  return {
    input,
    filterKey,
    answer,
    query,
    rows,
    order,
    maxCount,
    page: page.number,
    setPage: (number: number) => setPage({ number, filterKey }),
    setOrder: (next: Sort) => {
      setOrder(next)
      setPage({ number: 1, filterKey })
    },
    setRows: (next: number) => {
      writeStored(REMEMBERED, String(next))
      setRows(next)
      setPage({ number: 1, filterKey })
    },
    countAll: () => setMaxCount(UNCAPPED),
  }
}

type Checks<R extends ListRoute> = {
  dropsHidden?: boolean
  checked?: readonly RowOf<R>[]
  onCheck?: (rows: RowOf<R>[]) => void
}
type Shown = { filterKey: string; page: string; idxes: ReadonlySet<number> }

/** Whether a row has left the list: a new filter hides it, or its page no longer has it. Turning pages hides none. */
const hasLeft = (idx: number, before: Shown, now: Shown): boolean => {
  if (now.idxes.has(idx)) return false
  return before.filterKey !== now.filterKey || (before.page === now.page && before.idxes.has(idx))
}

/** Drops the checks of rows that have left the list, so that no action reaches unseen rows. */
export function useDroppedChecks<R extends ListRoute>(
  { dropsHidden = false, checked = [], onCheck }: Checks<R>,
  { filterKey, input, answer }: ReturnType<typeof usePage<R>>,
): void {
  const shown = useRef<Shown>(undefined)
  useEffect(() => {
    if (answer === undefined) return
    const now = { filterKey, page: JSON.stringify(input), idxes: new Set(answer.items.map(({ idx }) => idx)) }
    const before = shown.current ?? now
    shown.current = now
    const kept = checked.filter(({ idx }) => !hasLeft(idx, before, now))
    if (dropsHidden && kept.length < checked.length) onCheck?.(kept)
  }, [answer, filterKey, input, dropsHidden, checked, onCheck])
}
