// When a request that waits for a decision counts as overdue.
import { DEFAULT_OVERDUE_HOURS } from '@acc/contract/notices'
import { sql } from 'kysely'
import { type Clock, hours, later } from '../../clock.ts'
import type { Reader } from '../../db/open.ts'
import { findSetting } from '../../settings/settings.ts'

/** Returns the hours that administrators accept; 0 if no request is ever overdue. */
export const findOverdueHours = async (db: Reader): Promise<number> =>
  (await findSetting(db, 'overdueHours')) ?? DEFAULT_OVERDUE_HOURS

/** Returns the moment since which a request has to wait to be overdue; null if none is. */
export async function findOverdueBound(db: Reader, clock: Clock): Promise<Date | null> {
  const limit = await findOverdueHours(db)
  return limit === 0 ? null : later(clock.now(), -hours(limit))
}

export const isOverdue = (waitDT: Date | null, bound: Date | null): boolean =>
  waitDT !== null && bound !== null && waitDT <= bound

/** The same as a condition on rows of requests, null where they do not wait. */
export const isOverdueSince = (bound: Date) => sql<boolean>`"fileEximports"."waitDT" <= ${bound}`
