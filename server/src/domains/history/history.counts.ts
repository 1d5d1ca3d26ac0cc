// How many rows of a list fell into each part of its period.
import type { LogName, StoredLog } from '@acc/contract/history/kinds'
import type { history } from '@acc/contract/history/routes'
import { offsetIn } from '@acc/contract/labels/offsets'
import { sql } from 'kysely'
import type { z } from 'zod'
import { days } from '../../clock.ts'
import type { Read } from '../../core/context.ts'
import { isUnbounded } from '../../core/scope.ts'
import type { Reader } from '../../db/open.ts'
import { partsOf } from './history.parts.ts'
import { entrySource, type LogFilter, type Reach, type Source, signInSource, textsIn } from './history.queries.ts'
import { filterTransfers, type Narrowing, reachOf } from './history.service.ts'

/** Matches that are counted one by one. Of more, those of each part are estimated. */
const FEW = 10_000
/** The same where an index alone has all that is counted: the sign-ins of some groups. */
const FEW_OF_GROUPS = 100_000
/** Rows of a part that an estimate looks at; more where the viewer reads only those of some groups. */
const LOOKED_AT = 200
const LOOKED_AT_FOR_GROUPS = 2_000

type Filter = LogFilter & Narrowing

function sourceOf(log: LogName, reach: Reach, filter: Filter): Source {
  if (log === 'clientLogin' || log === 'webLogin') return signInSource(log, reach, filter)
  if (log !== 'fileEximport') return entrySource(log satisfies StoredLog, reach, filter)
  const query = filter as z.output<typeof history.fileEximport.input>
  return {
    table: 'fileEximports',
    time: 'fileEximports.requestDT',
    rows: [sql`"fileEximports".type = ${query.type}`],
    scope: reach.scope(sql.ref('fileEximports.requesterGroupIdx')),
    matches: [filterTransfers(query, reach).condition],
  }
}

const and = (conditions: Source['rows']) => sql`(${sql.join([sql`true`, ...conditions], sql` and `)})`

/** How many rows are counted one by one, and how many of each part an estimate looks at. */
type Bounds = { few: number; lookedAt: number }
function boundsOf(log: LogName, { scope }: Reach, filter: Filter): Bounds {
  if (isUnbounded(scope)) return { few: FEW, lookedAt: LOOKED_AT }
  const isInIndex = (log === 'clientLogin' || log === 'webLogin') && textsIn(log, filter).length === 0
  return { few: isInIndex ? FEW_OF_GROUPS : FEW, lookedAt: LOOKED_AT_FOR_GROUPS }
}

/** The moment of the oldest row, of any group. */
async function findFirst(db: Reader, { table, time, rows: [isOfLog = sql`true`] }: Source): Promise<number> {
  const rows = sql<{ at: Date }>`(
    select ${sql.ref(time)} as at from ${sql.table(table)} where ${isOfLog} order by 1 limit 1)`
  const first = await db.selectFrom(rows.as('first')).select('first.at').executeTakeFirst()
  return first?.at.getTime() ?? Number.POSITIVE_INFINITY
}

type Count = { count: number; isEstimated: 0 | 1 }
type Period = { starts: readonly Date[]; end: Date }

/** Counts the matches of each part; undefined if there are more than `few`. */
async function countEach(
  db: Reader,
  { table, time, ...source }: Source,
  { starts, end }: Period,
  { few }: Bounds,
): Promise<Count[] | undefined> {
  const at = sql.ref(time)
  const counted = sql<{ part: number; count: number }>`(
    select width_bucket(at, ${starts}::timestamptz[]) as part, count(*)::int as count
    from (select ${at} as at from ${sql.table(table)} where ${and([...source.rows, source.scope, ...source.matches])}
      and ${at} >= ${starts[0]} and ${at} < ${end} limit ${few + 1}) found
    group by 1)`
  const rows = await db.selectFrom(counted.as('counted')).selectAll().execute()
  if (rows.reduce((sum, { count }) => sum + count, 0) > few) return undefined
  const byPart = new Map(rows.map(({ part, count }) => [part, count]))
  return starts.map((_, at) => ({ count: byPart.get(at + 1) ?? 0, isEstimated: 0 }))
}

/** The newest rows of a part, of any group: those that match, all, and their lowest and highest numbers. */
type Sample = { count: number; rows: number; low: number | null; high: number | null }

/**
 * Estimates the matches of each part by the newest of its rows. All rows of a table are numbered in the order of time,
 * so the numbers say which share of a part these rows are.
 */
async function estimateEach(
  db: Reader,
  { table, time, ...source }: Source,
  { starts, end }: Period,
  { lookedAt }: Bounds,
): Promise<Count[]> {
  const at = sql.ref(time)
  const counted = sql<Sample & { part: number }>`(
    select part, looked.*
    from unnest(${['-infinity', ...starts]}::timestamptz[], ${[...starts, end]}::timestamptz[])
      with ordinality parts (since, until, part)
    cross join lateral (
      select count(*) filter (where ${and([source.scope, ...source.matches])})::int as count, count(*)::int as rows,
        min(idx) as low, max(idx) as high
      from (select ${sql.table(table)}.* from ${sql.table(table)}
        where ${and(source.rows)} and idx > 0 and ${at} >= since and ${at} < until
        order by ${at} desc limit ${lookedAt}) ${sql.id(table)}) looked)`
  const [before, ...samples] = await db.selectFrom(counted.as('counted')).selectAll().orderBy('part').execute()
  let last = before?.high ?? null
  return samples.map(({ count, rows, low, high }) => {
    const former = last
    last = high ?? last
    if (rows < lookedAt || low === null || high === null || former === null) return { count, isEstimated: 0 }
    const share = Math.max(1, (high - former) / (high - low + 1))
    return { count: Math.round(count * share), isEstimated: 1 }
  })
}

export function countRows(log: LogName) {
  return async (
    ctx: Read,
    { logSDT, logEDT, ...filter }: Filter,
  ): Promise<z.input<typeof history.accountCounts.data>> => {
    const reach = await reachOf(ctx, { ...filter, logSDT, logEDT })
    const source = sourceOf(log, reach, filter)
    const now = ctx.services.clock.now().getTime() + 1
    const end = Math.min(now, logEDT === undefined ? now : Date.parse(logEDT))
    const asked = logSDT === undefined ? 0 : Date.parse(logSDT)
    const from = end - asked > days(7 * 62) ? Math.max(asked, await findFirst(ctx.read, source)) : asked
    const { unit, starts } = partsOf(from, end, offsetIn(ctx.timeZone))
    const period = { starts: starts.map((start) => new Date(start)), end: new Date(end) }
    if (starts.length === 0) return { unit, parts: [], endDT: period.end }
    const bounds = boundsOf(log, reach, filter)
    const counts =
      (await countEach(ctx.read, source, period, bounds)) ?? (await estimateEach(ctx.read, source, period, bounds))
    const parts = counts.map((count, at) => ({ startDT: period.starts[at] ?? period.end, ...count }))
    return { unit, parts, endDT: period.end }
  }
}
