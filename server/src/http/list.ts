// A list as a service hands it over: one page of it, or all of its rows as a stream (for CSV), from the same query.
import type { Paging } from '@acc/contract/paging'
import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Reader } from '../db/open.ts'
import type { DB } from '../db/schema.gen.ts'

export type Page<T> = { totalCount: number; items: T[] }
export type List<T> = {
  page(): Promise<Page<T>>
  /** Every row from rowsAfter on, rowsCount of them at most, at constant memory. */
  rows(): AsyncIterable<T>
}

/** The same list with each row made into another shape. */
export const mapList = <T, U>(list: List<T>, map: (row: T) => U): List<U> => ({
  page: async () => {
    const { totalCount, items } = await list.page()
    return { totalCount, items: items.map(map) }
  },
  rows: async function* () {
    for await (const row of list.rows()) yield map(row)
  },
})

/** How many rows of a CSV stream are fetched at once. */
const CHUNK = 500

type Sorted<TB extends keyof DB, O> = {
  /** Every match, filtered and scoped, unsorted, with the columns of the answer. */
  matches: SelectQueryBuilder<DB, TB, O>
  /** The expression that each sort name stands for. Rows of equal value follow `idx`. */
  sorts: Record<string, Expression<unknown>> & { idx: Expression<unknown> }
}

/**
 * Pages a query in one statement: the matches counted up to `maxCount + 1`, joined to the page out of them.
 * The two are separate subqueries, so that each takes its best plan: the count stops early, the page follows an index.
 * The count is one row, so the join is a nested loop and keeps the page's order.
 */
export function listOf<TB extends keyof DB, O>(db: Reader, paging: Paging, { matches, sorts }: Sorted<TB, O>): List<O> {
  const by = sorts[paging.sort ?? 'idx'] ?? sorts.idx
  const order = paging.sortOrder === 1 ? sql`desc nulls last` : sql`asc nulls first`
  const page = matches
    .orderBy(sql`${by} ${order}`)
    .orderBy(sql`${sorts.idx} ${order}`)
    .offset(paging.rowsAfter)
    .limit(paging.rowsCount)
  const counted = matches
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(paging.maxCount + 1)
  return {
    page: async () => {
      const rows = await db
        .selectFrom(
          db
            .selectFrom(counted.as('counted'))
            .select((eb) => eb.fn.countAll<number>().as('totalCount'))
            .as('total'),
        )
        .leftJoin(page.select(sql<true>`true`.as('isRow')).as('page'), (join) => join.onTrue())
        .selectAll()
        .$castTo<O & { totalCount: number; isRow: true | null }>()
        .execute()
      return { totalCount: rows[0]?.totalCount ?? 0, items: rows.filter((row) => row.isRow) }
    },
    rows: () => page.stream(CHUNK),
  }
}
