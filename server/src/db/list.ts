// Lists as services return them: one page, or all rows as a stream for CSV, from the same query.
import { DEFAULT_MAX_COUNT, type Paging } from '@acc/contract/core/paging'
import { type AliasedRawBuilder, type CompiledQuery, type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Reader } from './open.ts'
import { PREPARED } from './prepared.ts'
import type { DB } from './schema.gen.ts'
import { isIndexed } from './search.ts'
import { type StreamPool, streamRows, streamTexts, type TextRows } from './stream.ts'

export type Page<T> = { totalCount: number; items: T[] }
export type List<T> = {
  page(): Promise<Page<T>>
  /** Every row from rowsAfter on, at most rowsCount of them, as a stream for CSV. */
  batches(streams: StreamPool): AsyncIterable<T[]>
  /** The same as PostgreSQL writes the values; only where rows are shown as they are read. */
  texts?: (streams: StreamPool) => AsyncIterable<TextRows>
}

/** Maps the rows of a list, those of a page or of a batch at a time. */
export const mapRows = <T, U>(list: List<T>, map: (rows: T[]) => U[] | Promise<U[]>): List<U> => ({
  page: async () => {
    const { totalCount, items } = await list.page()
    return { totalCount, items: await map(items) }
  },
  batches: async function* (streams) {
    for await (const rows of list.batches(streams)) yield await map(rows)
  },
})

/** Maps every row of a list. */
export const mapList = <T, U>(list: List<T>, map: (row: T) => U): List<U> => mapRows(list, (rows) => rows.map(map))

const IS_ROW = sql<true>`true`.as('isRow')

type SortedList<D, TB extends keyof D & string, O> = {
  /**
   * Every match, filtered and scoped, unsorted, with the columns of the response. What only the response needs belongs in
   * scalar subqueries, not in joins: those are evaluated for the rows of the page alone.
   */
  matches: SelectQueryBuilder<D, TB, O>
  /** Builds the same matches with the columns of the CSV file alone, written as text by the database. */
  csv?: () => SelectQueryBuilder<D, TB, Record<string, unknown>>
  /** Rows of the file in memory at a time, where each may be large; a thousand by default. */
  csvBatch?: number | undefined
  /**
   * The expression of each sort name; rows of equal value follow `idx`. Spelled as an index has it, the page follows that
   * index. Null counts as the largest value, as in PostgreSQL's indexes: where it means "never", let the expression say so.
   */
  sorts: Record<string, Expression<unknown>> & { idx: Expression<unknown> }
  /** Rows for which this holds come first, in the order of the sort as the others; null counts as false. */
  leads?: Expression<boolean> | undefined
  /**
   * The table of the matches where texts narrow them, so that the planner can only guess how many there are; made by
   * `searchedIn`. Joins must not multiply its rows, and subqueries for columns must not read it.
   */
  searchIn?: SearchedTable<TB> | undefined
  /** The table whose rows are all of the matches, so that the count needs no join. */
  countIn?: (keyof DB & string) | undefined
  /** The best plan does not depend on the parameters: the first page of a named list is prepared even if it has some. */
  isPlannedOnce?: boolean | undefined
}
/**
 * `ofPage`: a column of a page alone, which may look at the rows before its own: an expression over the table `page`, which has the
 * rows in their order. Not for partitioned tables.
 */
type WithColumn<C extends string, V> = { ofPage?: AliasedRawBuilder<V, C> | undefined }
/** `isIndexed`: an index finds the texts. Finding rows of a partitioned table by their key would look into every partition. */
type SearchedTable<TB> = { table: TB; isPartitioned: boolean; isIndexed: boolean }

/** Returns where the texts of a filter are searched for, or undefined if it has none. */
export function searchedIn<const TB extends string>(
  table: TB,
  filters: readonly unknown[],
  isPartitioned = false,
): SearchedTable<TB> | undefined {
  const texts = filters.filter((text) => typeof text === 'string' && text !== '') as string[]
  return texts.length === 0 ? undefined : { table, isPartitioned, isIndexed: texts.some(isIndexed) }
}

type Matches<D, TB extends keyof D & string, O> = SortedList<D, TB, O>['matches']
type Order<D, TB extends keyof D & string, O> = Pick<SortedList<D, TB, O>, 'sorts' | 'leads'>

const USUAL_ROWS = 25
/** The usual numbers of a page as literals, any other as parameters: the first page of a list is then a constant statement. */
const USUAL: ReadonlySet<number> = new Set([0, USUAL_ROWS, DEFAULT_MAX_COUNT + 1])
const bound = (number: number) => (USUAL.has(number) ? sql.lit(number) : sql.val(number))

const countUpTo = <D, TB extends keyof D & string, O>(matches: Matches<D, TB, O>, maxCount: number) =>
  matches
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(bound(maxCount + 1))

/** As many of the matches as are counted. */
const countedOf = <D, TB extends keyof D & string, O>({ matches, countIn }: SortedList<D, TB, O>, maxCount: number) =>
  countIn === undefined
    ? sql<object>`${countUpTo(matches, maxCount)}`
    : sql<object>`(select from ${sql.table(countIn)} limit ${bound(maxCount + 1)})`

/** The matches in the order of the page's sort. */
function inOrder<D, TB extends keyof D & string, O>(
  matches: Matches<D, TB, O>,
  paging: Paging,
  { sorts, leads }: Order<D, TB, O>,
) {
  const by = sorts[paging.sort ?? 'idx'] ?? sorts.idx
  const direction = paging.sortOrder === 1 ? sql`desc` : sql`asc`
  return matches
    .$if(leads !== undefined, (query) => query.orderBy(sql`(${leads}) is true desc`))
    .orderBy(sql`${by} ${direction}`)
    .$if(by !== sorts.idx, (query) => query.orderBy(sql`${sorts.idx} ${direction}`))
}

/** The rows of the page out of these matches. */
const pageOf = <D, TB extends keyof D & string, O>(
  matches: Matches<D, TB, O>,
  paging: Paging,
  order: Order<D, TB, O>,
) => inOrder(matches, paging, order).offset(bound(paging.rowsAfter)).limit(bound(paging.rowsCount))

/**
 * The rows of the page where some of the matches lead: those first, the others only where the page has room for them, and no more
 * of either than it needs, so that each part follows an index. In one part, every match would be looked at for whether it leads.
 */
function pageInParts<D, TB extends keyof D & string, O>(
  { matches, sorts }: SortedList<D, TB, O>,
  paging: Paging,
  leads: Expression<boolean>,
) {
  const by = sorts[paging.sort ?? 'idx'] ?? sorts.idx
  const direction = paging.sortOrder === 1 ? sql`desc` : sql`asc`
  const needed = paging.rowsAfter + paging.rowsCount
  const part = (isLeading: boolean) =>
    inOrder(matches, paging, { sorts })
      .select([sql.lit(isLeading).as('leads'), sql`${by}`.as('by'), IS_ROW])
      .limit(sql.val(needed))
  const rest = part(false)
    .where(sql<boolean>`(${leads}) is not true`)
    .where(sql<boolean>`(select count(*) from led) < ${needed}`)
  return sql`(
    with led as materialized (${part(true).where(sql<boolean>`${leads}`)})
    (table led) union all ${rest} order by leads desc, "by" ${direction}, idx ${direction}
    offset ${bound(paging.rowsAfter)} limit ${bound(paging.rowsCount)})`
}

/**
 * The page's rows, the count in each of them. As separate subqueries, each takes its best plan: the count stops early, the
 * page follows the sort's index.
 */
const browse = <D, TB extends keyof D & string, O>(db: Reader, paging: Paging, list: SortedList<D, TB, O>) =>
  db
    .selectFrom(
      db
        .selectFrom(countedOf(list, paging.maxCount).as('counted'))
        .select((eb) => eb.fn.countAll<number>().as('totalCount'))
        .as('total'),
    )
    .leftJoin(
      list.leads === undefined
        ? pageOf(list.matches, paging, list).select(IS_ROW).as('page')
        : pageInParts(list, paging, list.leads).as('page'),
      (join) => join.onTrue(),
    )

/**
 * The same for a search. Matches are found once, through the index of their text, and counted; as long as they are no more
 * than `maxCount`, they are sorted, otherwise the page follows the sort's index. The planner cannot choose: names and the
 * addresses made from them go together, and following an index may discard tens of thousands of rows before 25 are found.
 * Of the matches only their key and the value of the sort are kept where the rows of the page can be read by it. Where no
 * index finds the text, they are counted apart, which an index with the column does without the rows, and are found only
 * if they are few.
 * Of a partitioned table, too many matches return no page: `listOf` reads it by a statement of its own, since planning both
 * for every partition takes longer than finding the matches of a day.
 */
function search<D, TB extends keyof D & string, O>(
  db: Reader,
  paging: Paging,
  { matches, ...order }: SortedList<D, TB, O>,
  { table, isPartitioned, isIndexed }: SearchedTable<TB>,
) {
  const total = sql<number>`(select "totalCount" from total)`
  const { sorts, leads = sql<boolean>`false` } = order
  const by = sorts[paging.sort ?? 'idx'] ?? sorts.idx
  const direction = paging.sortOrder === 1 ? sql`desc` : sql`asc`
  const matching = matches
    .clearSelect()
    .select([sql`${by}`.as('by'), sql`(${leads}) is true`.as('leads')])
    .$if(isPartitioned, (query) => query.selectAll(table))
    .$if(!isPartitioned, (query) => query.select(sql.ref(`${table}.idx`).as('idx')))
    .limit(bound(paging.maxCount + 1))
  const counted = isIndexed ? sql`found` : sql`${countUpTo(matches, paging.maxCount)} counted`
  const page = sql`select * from found where ${total} <= ${paging.maxCount} order by leads desc, "by" ${direction}, idx ${direction}
    offset ${bound(paging.rowsAfter)} limit ${bound(paging.rowsCount)}`
  const rows = isPartitioned
    ? page
    : sql`select "row".* from (${page}) page join ${sql.id(table)} "row" on page.idx = "row".idx`
  const few = inOrder(matches.clearWhere(), paging, order).select(IS_ROW)
  const many = pageOf(matches, paging, order).where(sql<boolean>`${total} > ${paging.maxCount}`).select(IS_ROW)
  const ofFew = sql`with ${sql.id(table)} as (${rows}) ${few}`
  const shown = isPartitioned ? ofFew : sql`(${ofFew}) union all ${many}`
  return db
    .with(
      (cte) => cte('found').materialized(),
      () => matching,
    )
    .with(
      (cte) => cte('total').materialized(),
      () => sql<{ totalCount: number }>`(select count(*) as "totalCount" from ${counted})`,
    )
    .selectFrom('total')
    .leftJoin(sql`(${shown})`.as('page'), (join) => join.onTrue())
}

type PageRow<O> = O & { totalCount: number; isRow: true | null }
const toPage = <O>(rows: PageRow<O>[]): Page<O> => ({
  totalCount: rows[0]?.totalCount ?? 0,
  items: rows.filter((row) => row.isRow),
})

/** Such statements at most, of either sort: each connection keeps the plan of each that it ran. */
const MAX_CONSTANTS = 100
/** Constant statements, by the name of their list and its filter. */
const constants = new Map<string, CompiledQuery>()
/** The same of lists whose statements have parameters and are planned once: they are built each time, and prepared. */
const planned = new Set<string>()

function isPlanned(key: string): boolean {
  if (planned.size < MAX_CONSTANTS) planned.add(key)
  return planned.has(key)
}

/** The key of a statement that may be constant: of a first page without texts and days, which are parameters. */
function keyOf(name: string, { rowsAfter, rowsCount, maxCount, sort, ...filter }: Paging): string | undefined {
  if (rowsAfter !== 0 || rowsCount !== USUAL_ROWS || maxCount !== DEFAULT_MAX_COUNT) return undefined
  const given = Object.entries<unknown>(filter).filter(([, value]) => value !== undefined && value !== '')
  if (given.some(([, value]) => typeof value === 'string')) return undefined
  return JSON.stringify([name, sort, given])
}

/**
 * Pages a query, almost always in one statement. The count is one row, so the join with it is a nested loop and keeps the page's
 * order.
 *
 * A list with a `constantName` is the same for everybody who gives the same filter. If its statement has no parameters, it is
 * built and compiled once and prepared: that was a tenth of the server's part of a call, and half of the database's. The whole
 * filter is the key, and a statement with a value of a call has a parameter, so that no list is shown in place of another.
 */
export function listOf<D, TB extends keyof D & string, O, C extends string = never, V = never>(
  db: Reader,
  filter: Paging,
  build: () => SortedList<D, TB, O> & WithColumn<C, V>,
  constantName?: string,
): Required<List<O & { [K in C]?: V }>> {
  type Row = O & { [K in C]?: V }
  const key = constantName === undefined ? undefined : keyOf(constantName, filter)
  const compilePage = (list = build()) => pageOf(list.matches, filter, list).$castTo<Row>().compile()
  return {
    page: async () => {
      const constant = key === undefined ? undefined : constants.get(key)
      if (constant !== undefined) return toPage((await db.executeQuery<PageRow<Row>>(constant)).rows)
      const list = build()
      // A search keeps the rows that it counts, so that it counts no more of them than usual.
      const searched = filter.maxCount <= DEFAULT_MAX_COUNT ? list.searchIn : undefined
      const page = searched ? search(db, filter, list, searched) : browse(db, filter, list)
      const isPrepared = key !== undefined && list.isPlannedOnce === true && isPlanned(key)
      const statement = page
        .selectAll()
        .select(list.ofPage === undefined ? [] : [list.ofPage])
        .$if(isPrepared, (query) => query.modifyFront(PREPARED))
        .$castTo<PageRow<Row>>()
      if (key !== undefined && !isPrepared) keepIfConstant(key, statement.modifyFront(PREPARED).compile())
      const { totalCount, items } = toPage(await statement.execute())
      const isApart = searched?.isPartitioned && totalCount > filter.maxCount
      return { totalCount, items: isApart ? await pageOf(list.matches, filter, list).$castTo<Row>().execute() : items }
    },
    batches: (streams) => streamRows(streams, compilePage()),
    texts: (streams) => {
      const list = build()
      const statement = list.csv ? pageOf(list.csv(), filter, list).compile() : compilePage(list)
      return streamTexts(streams, statement, list.csvBatch)
    },
  }
}

function keepIfConstant(key: string, statement: CompiledQuery): void {
  if (statement.parameters.length === 0 && constants.size < MAX_CONSTANTS) constants.set(key, statement)
}
