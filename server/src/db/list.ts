// Lists as services return them: one page, or all rows as a stream for CSV, from the same query.
import { DEFAULT_MAX_COUNT, type Paging } from '@acc/contract/core/paging'
import { type AliasedRawBuilder, type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Reader } from './open.ts'
import { isIndexed } from './search.ts'
import { executePrepared } from './statement.ts'
import { BATCH, type StreamPool, streamRows } from './stream.ts'

export type Page<T> = { totalCount: number; items: T[] }
export type List<T> = {
  page(): Promise<Page<T>>
  /** Every row from rowsAfter on, at most rowsCount of them, as a stream for CSV. */
  batches(streams: StreamPool): AsyncIterable<T[]>
}

const pageWith =
  <T, U>(list: List<T>, map: (rows: T[]) => U[] | Promise<U[]>) =>
  async (): Promise<Page<U>> => {
    const { totalCount, items } = await list.page()
    return { totalCount, items: await map(items) }
  }

/** Maps every row of a list, in pages and in the CSV file. */
export const mapList = <T, U>(list: List<T>, map: (row: T) => U): List<U> => ({
  page: pageWith(list, (rows) => rows.map(map)),
  batches: async function* (streams) {
    for await (const rows of list.batches(streams)) yield rows.map(map)
  },
})

/** Maps the rows of a page, for what the CSV file has no column for. */
export const mapPage = <T, U extends T>(list: List<T>, map: (rows: T[]) => U[] | Promise<U[]>): List<T> => ({
  ...list,
  page: pageWith(list, map),
})

/** Several as one `row(...)` would be compared ten times slower. */
type Sort = Expression<unknown> | readonly Expression<unknown>[]
const partsOf = (sort: Sort): readonly Expression<unknown>[] => ('toOperationNode' in sort ? [sort] : sort)

type SortedList<D, TB extends keyof D & string, O, S extends string> = {
  /**
   * Every match, filtered and scoped, unsorted, with the columns of the response. Columns that only the response needs
   * belong in scalar subqueries, not in joins: PostgreSQL evaluates those only for the rows of the page.
   */
  matches: SelectQueryBuilder<D, TB, O>
  /** Nested entries as columns of the CSV file. They are large, so fewer rows are in memory at a time. */
  nested?: readonly AliasedRawBuilder<unknown, string>[]
  /**
   * The expression of each sort name, or several. Rows of equal value follow `idx`. Spelled as in an index, the page
   * follows that index. Null counts as the largest value, as in PostgreSQL's indexes. If it means "never", the
   * expression says so.
   */
  sorts: Readonly<Record<S | 'idx', Sort>>
  /**
   * The table of the matches where texts narrow them, so that the planner can only guess how many there are; made by
   * `searchedIn`. Joins must not multiply its rows, and subqueries for columns must not read it.
   */
  searchIn?: SearchedTable<TB> | undefined
  /** Conditions of the parts of a table, in the order of the page. Many matches of `searchIn` are sorted by parts. */
  parts?: readonly Expression<SqlBool>[] | undefined
}
/** `keys`: the primary key; `isIndexed`: an index finds the texts. */
type SearchedTable<TB> = { table: TB; keys: readonly string[]; isIndexed: boolean }

/** Returns where the texts of a filter are searched for, or undefined if it has none. `at`: moment of partitions. */
export const searchedIn = <const TB extends string>(table: TB, texts: readonly string[], at?: string) =>
  texts.length === 0
    ? undefined
    : { table, keys: at === undefined ? ['idx'] : ['idx', at], isIndexed: texts.some(isIndexed) }

const IS_ROW = sql<true>`true`.as('isRow')
/** Rows of a CSV file in memory at a time where each may have a thousand nested entries. */
const NESTED_BATCH = 100

/** Matches in the order of a page. */
type Query<D, TB extends keyof D & string, O> = {
  matches: SelectQueryBuilder<D, TB, O>
  paging: Paging
  direction: Expression<unknown>
} & Record<'by' | 'idx', Sort>

const inOrder = <D, TB extends keyof D & string, O>({ matches, by, idx, direction }: Query<D, TB, O>) =>
  [...partsOf(by), ...(by === idx ? [] : partsOf(idx))].reduce<SelectQueryBuilder<D, TB, O>>(
    (query, part) => query.orderBy(sql`${part} ${direction}`),
    matches,
  )

function pageOf<D, TB extends keyof D & string, O>(query: Query<D, TB, O>) {
  const { rowsAfter, rowsCount } = query.paging
  const first = inOrder(query).limit(sql.lit(rowsCount))
  return rowsAfter === 0 ? first : first.offset(sql.val(rowsAfter))
}

/** The last row of a page that is read by parts. */
const LAST_BY_PARTS = 1_000

/** Reads a page part by part. Behind `LAST_BY_PARTS` all matches are sorted, since earlier rows are read, too. */
async function readPage<D, TB extends keyof D & string, O>(
  query: Query<D, TB, O>,
  parts: readonly Expression<SqlBool>[] = [],
) {
  const last = query.paging.rowsAfter + query.paging.rowsCount
  if (parts.length === 0 || last > LAST_BY_PARTS) return pageOf(query).execute()
  const rows: Awaited<ReturnType<ReturnType<typeof pageOf<D, TB, O>>['execute']>> = []
  for (const part of parts) {
    if (rows.length === last) break
    const matches = query.matches.where(part)
    rows.push(
      ...(await inOrder({ ...query, matches })
        .limit(last - rows.length)
        .execute()),
    )
  }
  return rows.slice(query.paging.rowsAfter)
}

/** Counts matches: one more than `maxCount` at most. */
const countedOf = <D, TB extends keyof D & string, O>({ matches, paging }: Query<D, TB, O>) =>
  sql<object>`(${matches
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(sql.lit(paging.maxCount + 1))})`

/** Reads page and count as separate subqueries: the count stops early, and the page follows the index of the sort. */
function browse<D, TB extends keyof D & string, O>(db: Reader, query: Query<D, TB, O>) {
  const total = db.selectFrom(countedOf(query).as('counted')).select(({ fn }) => fn.countAll<number>().as('totalCount'))
  return db.selectFrom(total.as('total')).leftJoin(pageOf(query).select(IS_ROW).as('page'), (join) => join.onTrue())
}

/**
 * Finds the matches of a text once, through its index, and counts them. Up to `maxCount` they are sorted, otherwise
 * there is no page, which `listOf` then reads by the index of the sort. The planner cannot choose: it takes related
 * columns for independent and may discard tens of thousands of rows before it has 25. Matches are kept by their keys:
 * complete rows cost twice as much.
 *
 * If no index finds the text, the matches are counted separately and found only if they are few.
 */
function search<D, TB extends keyof D & string, O>(
  db: Reader,
  query: Query<D, TB, O>,
  { table, keys, isIndexed }: SearchedTable<TB>,
) {
  const { matches, paging, direction } = query
  const by = partsOf(query.by).map((part, at) => ({ part, name: `by${at}` }))
  const order = sql.join(by.map(({ name }) => sql`${sql.id(name)} ${direction}`))
  const found = matches
    .clearSelect()
    .select(by.map(({ part, name }) => sql`${part}`.as(name)))
    .select(keys.map((key) => sql`${sql.ref(`${table}.${key}`)}`.as(key)))
    .limit(sql.val(paging.maxCount + 1))
  const counted = isIndexed ? sql`found` : sql`${countedOf(query)} counted`
  const isSame = keys.map((key) => sql`${sql.ref(`${table}.${key}`)} = ${sql.ref(`place.${key}`)}`)
  const rows = sql`select ${sql.table(table)}.* from (
      select * from found where (select "totalCount" from total) <= ${paging.maxCount}
      order by ${order}, idx ${direction} offset ${paging.rowsAfter} limit ${paging.rowsCount}) place
    join ${sql.table(table)} on ${sql.join(isSame, sql` and `)}`
  const page = inOrder({ ...query, matches: matches.clearWhere() }).select(IS_ROW)
  return db
    .with(
      (cte) => cte('found').materialized(),
      () => found,
    )
    .with(
      (cte) => cte('total').materialized(),
      () => sql<{ totalCount: number }>`(select count(*) as "totalCount" from ${counted})`,
    )
    .selectFrom('total')
    .leftJoin(sql`(with ${sql.id(table)} as (${rows}) ${page})`.as('page'), (join) => join.onTrue())
}

/** Returns a list of a query: a page in one statement, or two if a text has many matches, and its rows as a stream. */
export function listOf<D, TB extends keyof D & string, O, S extends string>(
  db: Reader,
  paging: Paging<S>,
  { matches, sorts, nested = [], searchIn, parts }: SortedList<D, TB, O, NoInfer<S>>,
): List<O> {
  const direction = paging.sortOrder === 1 ? sql`desc` : sql`asc`
  const query = { matches, paging, by: sorts[paging.sort ?? 'idx'], idx: sorts.idx, direction }
  // A search keeps the rows that it counts, so it counts no more of them than usual.
  const searched = paging.maxCount <= DEFAULT_MAX_COUNT ? searchIn : undefined
  return {
    page: async () => {
      const statement = searched ? search(db, query, searched) : browse(db, query)
      const compiled = statement.selectAll().$castTo<O & { totalCount: number; isRow: true | null }>().compile()
      // Without values, such as texts and moments, the plan is always the same.
      const isConstant = compiled.parameters.length === 0
      // One row has the count and no columns if the page is empty.
      const rows = isConstant ? await executePrepared(db, compiled) : (await db.executeQuery(compiled)).rows
      const totalCount = rows[0]?.totalCount ?? 0
      if (searched && totalCount > paging.maxCount) return { totalCount, items: await readPage(query, parts) }
      return { totalCount, items: rows.filter(({ isRow }) => isRow) }
    },
    batches: (streams) => {
      const statement = pageOf(query).select([...nested])
      return streamRows(streams, statement.$castTo<O & object>().compile(), nested.length > 0 ? NESTED_BATCH : BATCH)
    },
  }
}
