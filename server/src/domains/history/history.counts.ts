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
import { entrySource, type LogFilter, type Reach, type Source, signInSource } from './history.queries.ts'
import { filterTransfers, type Narrowing, reachOf } from './history.service.ts'

/** Matches that are counted one by one. Of more, each part is counted by some of its rows. */
const FEW = 10_000
/** The same where a filter or groups narrow the rows, which are then rare among the others. */
const FEW_NARROWED = 50_000
/** Rows of a part that are looked at then. */
const LOOKED_AT = 1_000

type Filter = LogFilter & Narrowing

function sourceOf(log: LogName, reach: Reach, filter: Filter): Source {
  if (log === 'clientLogin' || log === 'webLogin') return signInSource(log, reach, filter)
  if (log !== 'fileEximport') return entrySource(log satisfies StoredLog, reach, filter)
  const query = filter as z.output<typeof history.fileEximport.input>
  return {
    table: 'fileEximports',
    time: 'fileEximports.requestDT',
    rows: [sql`"fileEximports".type = ${query.type}`, reach.scope(sql.ref('fileEximports.requesterGroupIdx'))],
    matches: [filterTransfers(query, reach).condition],
  }
}

const and = (conditions: Source['rows']) => sql`(${sql.join([sql`true`, ...conditions], sql` and `)})`

/** The moment of the oldest row, of any group. */
async function findFirst(db: Reader, { table, time, rows: [isOfLog = sql`true`] }: Source): Promise<number> {
  const rows = sql<{ at: Date }>`(
    select ${sql.ref(time)} as at from ${sql.table(table)} where ${isOfLog} order by 1 limit 1)`
  const first = await db.selectFrom(rows.as('first')).select('first.at').executeTakeFirst()
  return first?.at.getTime() ?? Number.POSITIVE_INFINITY
}

type Count = { part: number; count: number; isMore: boolean }
type Period = { starts: readonly Date[]; end: Date }

/** Counts the matches; undefined if there are more than `limit`. */
async function countEach(db: Reader, { table, time, ...source }: Source, { starts, end }: Period, limit: number) {
  const at = sql.ref(time)
  const counted = sql<Count>`(
    select width_bucket(at, ${starts}::timestamptz[]) as part, count(*)::int as count, false as "isMore"
    from (select ${at} as at from ${sql.table(table)} where ${and(source.rows)} and ${and(source.matches)}
      and ${at} >= ${starts[0]} and ${at} < ${end} limit ${limit + 1}) found
    group by 1)`
  const rows = await db.selectFrom(counted.as('counted')).selectAll().execute()
  return rows.reduce((sum, { count }) => sum + count, 0) > limit ? undefined : rows
}

/** Counts the matches among the first rows of each part. */
async function countSome(db: Reader, { table, time, ...source }: Source, { starts, end }: Period) {
  const at = sql.ref(time)
  const counted = sql<Count>`(
    select part::int, count, "isMore"
    from unnest(${starts}::timestamptz[], ${[...starts.slice(1), end]}::timestamptz[])
      with ordinality parts (since, until, part)
    cross join lateral (
      select least(count(*) filter (where ${and(source.matches)}), ${LOOKED_AT})::int as count,
        count(*) > ${LOOKED_AT} as "isMore"
      from (select ${sql.table(table)}.* from ${sql.table(table)}
        where ${and(source.rows)} and ${at} >= since and ${at} < until limit ${LOOKED_AT + 1}) ${sql.id(table)}) looked)`
  return db.selectFrom(counted.as('counted')).selectAll().execute()
}

/** The parameters that every list has: a period, and for requests their direction. */
const isNarrowing = (log: LogName, name: string, value: unknown) =>
  !['logSDT', 'logEDT', ...(log === 'fileEximport' ? ['type'] : [])].includes(name) &&
  (Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '')

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
    const isNarrowed =
      !isUnbounded(reach.scope) || Object.entries(filter).some(([name, value]) => isNarrowing(log, name, value))
    const counts =
      (await countEach(ctx.read, source, period, isNarrowed ? FEW_NARROWED : FEW)) ??
      (await countSome(ctx.read, source, period))
    const byPart = new Map(counts.map((one) => [one.part, one]))
    const parts = period.starts.map((startDT, at) => {
      const { count = 0, isMore = false } = byPart.get(at + 1) ?? {}
      return { startDT, count, isMore: isMore ? (1 as const) : (0 as const) }
    })
    return { unit, parts, endDT: period.end }
  }
}
