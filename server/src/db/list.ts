// A list as a service hands it over: one page of it, or all of its rows as a stream (for CSV), from the same query.
import type { Paging } from '@acc/contract/core/paging'
import {
  type Compilable,
  CompiledQuery,
  type Expression,
  type Kysely,
  type QueryResult,
  type SelectQueryBuilder,
  sql,
} from 'kysely'
import { ignoreRejection } from '../ignoreRejection.ts'
import type { Reader } from './open.ts'
import type { DB } from './schema.gen.ts'

export type Page<T> = { totalCount: number; items: T[] }
export type List<T> = {
  page(): Promise<Page<T>>
  /**
   * Every row from rowsAfter on, rowsCount of them at most, some hundred at a time, at constant memory, on a connection of
   * its own. A row at a time would cost more than making it.
   */
  batches(db: Kysely<DB>): AsyncIterable<T[]>
}

/** The same list with each row made into another shape. */
export const mapList = <T, U>(list: List<T>, map: (row: T) => U): List<U> => ({
  page: async () => {
    const { totalCount, items } = await list.page()
    return { totalCount, items: items.map(map) }
  },
  batches: async function* (db) {
    for await (const rows of list.batches(db)) yield rows.map(map)
  },
})

/** How many rows of a stream are fetched at once. */
const BATCH = 500

/**
 * Fetches a query's rows bit by bit from a cursor, the next ones while the reader works on these. Each fetch is a statement,
 * so the statement's time limit is not one for the whole stream, however long it is or however slowly it is read; a reader
 * that stands still for a minute loses it.
 */
async function* fetchBatches<O>(db: Kysely<DB>, query: Compilable<O>): AsyncIterable<O[]> {
  const { sql: text, parameters } = query.compile()
  const tx = await db.startTransaction().setAccessMode('read only').execute()
  const fetch = () => ignoreRejection(sql<O>`fetch ${sql.lit(BATCH)} from list`.execute(tx))
  let coming: Promise<QueryResult<O>> | undefined
  try {
    // All of the rows are wanted, not the first ones soon.
    await sql`set local cursor_tuple_fraction = 1`.execute(tx)
    await tx.executeQuery(CompiledQuery.raw(`declare list no scroll cursor for ${text}`, [...parameters]))
    coming = fetch()
    for (;;) {
      const { rows }: QueryResult<O> = await coming
      if (rows.length === 0) return
      coming = fetch()
      yield rows
    }
  } finally {
    await coming?.catch(() => undefined)
    await tx.rollback().execute()
  }
}

type Sorted<D, TB extends keyof D, O> = {
  /**
   * Every match, filtered and scoped, unsorted, with the columns of the answer. What only the answer needs stands in
   * scalar subqueries rather than in joins: they are made for the rows of the page alone, and the count knows none of them.
   */
  matches: SelectQueryBuilder<D, TB, O>
  /**
   * The expression that each sort name stands for; rows of equal value follow `idx`. Spelled as an index has it, the page
   * follows that index. Null counts as the largest value, as in PostgreSQL's indexes: where it means "never", let the
   * expression say so.
   */
  sorts: Record<string, Expression<unknown>> & { idx: Expression<unknown> }
}

/**
 * Pages a query in one statement: the matches counted up to `maxCount + 1`, joined to the page out of them.
 * The two are separate subqueries, so that each takes its best plan: the count stops early, the page follows an index.
 * Finding the matches once for both is a little quicker where they are few, and many times slower where they are many.
 * The count is one row, so the join is a nested loop and keeps the page's order.
 */
export function listOf<D, TB extends keyof D, O>(db: Reader, paging: Paging, list: Sorted<D, TB, O>): List<O> {
  const { matches, sorts } = list
  const by = sorts[paging.sort ?? 'idx'] ?? sorts.idx
  const direction = paging.sortOrder === 1 ? sql`desc` : sql`asc`
  const page = matches
    .orderBy(sql`${by} ${direction}`)
    .$if(by !== sorts.idx, (query) => query.orderBy(sql`${sorts.idx} ${direction}`))
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
    batches: (read) => fetchBatches(read, page),
  }
}
