// When a request that waits for a decision counts as overdue, or the review of an urgent export.
import { DEFAULT_OVERDUE_HOURS } from '@acc/contract/notices'
import { isToReview } from '@acc/contract/requestState'
import { sql } from 'kysely'
import { type Clock, hours, later } from '../../clock.ts'
import type { Reader } from '../../db/open.ts'
import { findSetting } from '../../settings/settings.ts'
import type { RequestRow } from './requests.queries.ts'

/** Returns the hours that administrators accept; 0 if no request is ever overdue. */
export const findOverdueHours = async (db: Reader): Promise<number> =>
  (await findSetting(db, 'overdueHours')) ?? DEFAULT_OVERDUE_HOURS

/** Returns the moment since which a request has to wait to be overdue; null if none is. */
export const overdueBound = (clock: Clock, limit = DEFAULT_OVERDUE_HOURS): Date | null =>
  limit === 0 ? null : later(clock.now(), -hours(limit))

export const findOverdueBound = async (db: Reader, clock: Clock): Promise<Date | null> =>
  overdueBound(clock, await findOverdueHours(db))

type Pending = Pick<RequestRow, 'state' | 'waitDT' | 'reviewDueDT'>
export const isOverdue = (request: Pending, bound: Date | null, now: Date): boolean => {
  const { waitDT, reviewDueDT } = request
  if (reviewDueDT !== null && isToReview(request)) return reviewDueDT < now
  return waitDT !== null && bound !== null && waitDT <= bound
}

/** The same as a condition on rows of requests that wait, null for others. */
export const isOverdueSince = (bound: Date) => sql<boolean>`"fileEximports"."waitDT" <= ${bound}`
/** The same for urgent exports that are to be reviewed. */
export const isReviewOverdue = (now: Date) => sql<boolean>`"fileEximports"."reviewDueDT" < ${now}`
