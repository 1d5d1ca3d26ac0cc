// Counts of the whole organization by quarters of an hour, kept by a job. The counted values of a row never change:
// when it was made, its author, and the bytes of a request.
import { SUCCESSFUL_SIGN_INS } from '@acc/contract/labels/history'
import { Transfer } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { dayOf, days, hours, later, minutes } from '../../clock.ts'
import type { Job } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import type { Database, Reader } from '../../db/open.ts'
import type { Period } from './dashboard.queries.ts'

const QUARTER = minutes(15)
/** A quarter is counted this long after it ended: rows come late from a node whose clock is slow. */
const DELAY = hours(1)
/** Every run counts this much anew, for rows that came later still. */
const RECOUNT = days(1)
/** Counted in one statement. */
const CHUNK = days(31)

const quarterBelow = (moment: Date) => new Date(Math.floor(moment.getTime() / QUARTER) * QUARTER)
const quarterAbove = (moment: Date) => new Date(Math.ceil(moment.getTime() / QUARTER) * QUARTER)
const earliest = (...moments: Date[]) => new Date(Math.min(...moments.map(Number)))
const latest = (...moments: Date[]) => new Date(Math.max(...moments.map(Number)))

/** The quarters that are counted, without gaps; undefined before the first run. */
async function findCounted(db: Reader): Promise<Period | undefined> {
  const { first, last } = await db
    .selectFrom('activityCounts')
    .select(({ fn }) => [fn.min<Date | null>('startDT').as('first'), fn.max<Date | null>('startDT').as('last')])
    .executeTakeFirstOrThrow()
  return first && last ? { from: first, to: later(last, QUARTER) } : undefined
}

const isEmpty = ({ from, to }: Period) => from >= to

/** Splits a period into the parts that are counted in advance and the rest. Omits empty parts. */
export async function splitByCounts(db: Reader, period: Period): Promise<{ counted: Period[]; rest: Period[] }> {
  const known = await findCounted(db)
  if (known === undefined) return { counted: [], rest: [period] }
  const from = latest(quarterAbove(period.from), known.from)
  const to = earliest(quarterBelow(period.to), known.to)
  if (from >= to) return { counted: [], rest: [period] }
  const rest = [
    { from: period.from, to: from },
    { from: to, to: period.to },
  ]
  return { counted: [{ from, to }], rest: rest.filter((part) => !isEmpty(part)) }
}

const countsIn = (db: Reader, { from, to }: Period) =>
  db.selectFrom('activityCounts').where('startDT', '>=', from).where('startDT', '<', to)

/** The sums of sign-ins in counted quarters by hour of the day in UTC. */
export const sumSignIns = (db: Reader, period: Period) =>
  countsIn(db, period)
    .select([
      sql<number>`date_part('hour', "startDT" at time zone 'UTC')::int`.as('hour'),
      sql<number>`sum("signIns")::int`.as('count'),
    ])
    .groupBy('hour')
    .execute()

const COLUMNS = {
  [Transfer.IMPORT]: { count: sql.ref('imports'), size: sql.ref('importSize') },
  [Transfer.EXPORT]: { count: sql.ref('exports'), size: sql.ref('exportSize') },
}

/** The sums of requests in counted quarters between consecutive bounds, numbered from 1. */
export const sumRequestsBetween = (db: Reader, type: Transfer, period: Period, bounds: readonly Date[]) =>
  countsIn(db, period)
    .select([
      sql<number>`width_bucket("startDT", ${bounds.map((bound) => bound.toISOString())}::timestamptz[])`.as('bucket'),
      sql<number>`sum(${COLUMNS[type].count})::int`.as('count'),
      sql<number>`sum(${COLUMNS[type].size})::bigint`.as('size'),
    ])
    .groupBy('bucket')
    .execute()

/** The quarter of the first row that counts. */
async function findFirstQuarter(db: Reader): Promise<Date | undefined> {
  const signIn = await db
    .selectFrom('signIns')
    .select(({ fn }) => fn.min<Date | null>('loginDT').as('first'))
    .where('kind', '=', 'client')
    .executeTakeFirstOrThrow()
  const request = await db
    .selectFrom('fileEximports')
    .select(({ fn }) => fn.min<Date | null>('requestDT').as('first'))
    .where('type', 'in', Transfer.values)
    .executeTakeFirstOrThrow()
  const found = [signIn.first, request.first].filter((moment) => moment !== null)
  return found.length === 0 ? undefined : quarterBelow(earliest(...found))
}

/** Rows of no group are for administrators only, so that no figure of the organization has them. */
const upsertCounts = ({ write }: Database, { from, to }: Period) =>
  sql`
    insert into "activityCounts" ("startDT", "signIns", exports, "exportSize", imports, "importSize")
    select quarter, coalesce(s.count, 0), coalesce(r.exports, 0), coalesce(r."exportSize", 0), coalesce(r.imports, 0), coalesce(r."importSize", 0)
    from generate_series(${from}::timestamptz, ${later(to, -QUARTER)}::timestamptz, interval '15 minutes') quarter
    left join (
      select date_bin('15 minutes', "loginDT", 'epoch') as quarter, count(*) as count
      from "signIns"
      where kind = 'client' and type in (${sql.join(SUCCESSFUL_SIGN_INS.map((type) => sql.lit(type)))})
        and "groupIdx" is not null and "loginDT" >= ${from} and "loginDT" < ${to}
      group by 1
    ) s using (quarter)
    left join (
      select date_bin('15 minutes', "requestDT", 'epoch') as quarter,
        count(*) filter (where type = ${Transfer.EXPORT}) as exports,
        sum("fileSize") filter (where type = ${Transfer.EXPORT}) as "exportSize",
        count(*) filter (where type = ${Transfer.IMPORT}) as imports,
        sum("fileSize") filter (where type = ${Transfer.IMPORT}) as "importSize"
      from "fileEximports"
      where type in (${sql.join(Transfer.values.map((type) => sql.lit(type)))})
        and "requesterGroupIdx" is not null and "requestDT" >= ${from} and "requestDT" < ${to}
      group by 1
    ) r using (quarter)
    on conflict ("startDT") do update set "signIns" = excluded."signIns", exports = excluded.exports,
      "exportSize" = excluded."exportSize", imports = excluded.imports, "importSize" = excluded."importSize"`.execute(
    write,
  )

/** Sign-ins are dropped by the month (db/partitions.ts). */
const forgetSignIns = ({ write }: Database, before: Date) =>
  write
    .updateTable('activityCounts')
    .set({ signIns: 0 })
    .where('startDT', '<', sql<Date>`date_trunc('month', ${dayOf(before)}::timestamptz)`)
    .where('signIns', '>', 0)
    .execute()

/** Counts the quarters that are over, from the last counted one on, and forgets sign-ins that are no longer kept. */
export async function countActivity({ db, clock, env }: Pick<Services, 'db' | 'clock' | 'env'>): Promise<void> {
  const now = clock.now()
  const to = quarterBelow(later(now, -DELAY))
  const counted = await findCounted(db.write)
  const from = counted ? latest(counted.from, later(counted.to, -RECOUNT)) : await findFirstQuarter(db.write)
  for (let start = from; start !== undefined && start < to; start = later(start, CHUNK))
    await upsertCounts(db, { from: start, to: earliest(later(start, CHUNK), to) })
  await forgetSignIns(db, later(now, -days(env.logRetentionDays)))
}

export const dashboardJobs: readonly Job[] = [{ name: 'countActivity', cron: '11 * * * *', run: countActivity }]
