// Ends of own policies, network exceptions and memberships. The database's clock decides, in the statement that uses
// the row: a job removes ended rows up to a minute later.
import { MAX_END_DAYS, type StoredEnd } from '@acc/contract/ends'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reader, Tx } from '../db/open.ts'
import { fail } from './errors.ts'

/** Whether a row of this table or alias has not ended. */
export const isCurrent = (table: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`coalesce(${sql.ref(`${table}.endDT`)} > now(), true)`

/** A moment in JSON, as the contract spells it. */
export const momentJson = (column: string): RawBuilder<string | null> =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const DAY = 24 * 60 * 60 * 1000

/** Fails with 983 unless every end is in the future, at most a year away, or missing for a reason. */
export async function requireEnds(db: Reader | Tx, ends: readonly StoredEnd[], field: string): Promise<void> {
  if (ends.length === 0) return
  const { now } = await db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow()
  const isWrong = ({ endDT, endReason }: StoredEnd) => {
    if (endDT === null) return endReason === null
    const until = Date.parse(endDT) - now.getTime()
    return until <= 0 || until > MAX_END_DAYS * DAY
  }
  if (ends.some(isWrong)) fail('INVALID_INPUT', { fields: [field] })
}

/** The columns of an end that somebody sets now. A mail 7 days or 1 day before counts as sent if due within a day. */
export const endColumns = ({ endDT, endReason }: StoredEnd, setBy: number) => ({
  endDT: endDT === null ? null : new Date(endDT),
  endReason,
  endSetBy: setBy,
  endMailed: sql<number | null>`case when ${endDT}::timestamptz < now() + interval '2 days' then 1
    when ${endDT}::timestamptz < now() + interval '8 days' then 7 end`,
})
