// The filter of a list by an hour of the day in the caller's time zone. Offsets come from `Intl` and not from the
// database, whose names and signs of time zones differ from those that browsers send.
import { offsetIn, splitByOffset } from '@acc/contract/labels/offsets'
import { type Expression, type SqlBool, sql } from 'kysely'
import { days, later } from '../../clock.ts'
import type { Read } from '../../core/context.ts'

/** Whether a column is within the hour. */
export type HourCondition = (column: string) => Expression<SqlBool>
export type HourFilter = { logSDT?: string | undefined; logEDT?: string | undefined; logHour?: string | undefined }

/** No row is older. */
const FIRST_MOMENT = Date.UTC(2000, 0)
const DAY_MINUTES = 1440

/** Returns the condition of `logHour`, or undefined without it. The offset from UTC depends on each row's moment. */
export function hourCondition({ timeZone, services }: Read, filter: HourFilter): HourCondition | undefined {
  const { logHour, logSDT, logEDT } = filter
  if (logHour === undefined) return undefined
  const [hour = 0, minute = 0] = logHour.split(':').map(Number)
  const offsetAt = offsetIn(timeZone)
  const start = Math.max(FIRST_MOMENT, logSDT === undefined ? 0 : Date.parse(logSDT))
  const last = later(services.clock.now(), days(1)).getTime()
  const end = Math.min(last, logEDT === undefined ? last : Date.parse(logEDT))
  const [first = { offset: offsetAt(end) }, ...rest] = splitByOffset(start, end, offsetAt)
  const offsets = [first, ...rest].map((part) => part.offset)
  const changes = rest.map((part) => new Date(part.start).toISOString())
  return (column) => {
    const moment = sql.ref(column)
    const offset =
      rest.length === 0
        ? sql`${first.offset}::int`
        : sql`(${offsets}::int[])[width_bucket(${moment}, ${changes}::timestamptz[]) + 1]`
    return sql<SqlBool>`(floor(extract(epoch from ${moment}) / 60)::bigint + ${offset} - ${60 * hour + minute}::int)
      % ${sql.lit(DAY_MINUTES)} between 0 and 59`
  }
}
