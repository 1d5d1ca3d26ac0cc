// When a request that waits for a decision, or the review of an urgent export, is overdue, and when a request expires:
// those that nobody decides are canceled after the days that administrators set, counted from the beginning of the
// present step. Nothing is canceled without a warning of its requester a day before, also after a change of the days.
import { DEFAULT_OVERDUE_HOURS } from '@acc/contract/notices'
import { isToReview } from '@acc/contract/requestState'
import { sql } from 'kysely'
import { type Clock, days, hours, later } from '../../clock.ts'
import type { Reader } from '../../db/open.ts'
import { findSetting, findSettings, type Setting } from '../../settings/settings.ts'
import type { RequestRow } from './requests.queries.ts'

/** Returns the hours that administrators accept; 0 if no request is ever overdue. */
export const findOverdueHours = async (db: Reader): Promise<number> =>
  (await findSetting(db, 'overdueHours')) ?? DEFAULT_OVERDUE_HOURS

/** Returns the moment since which a request has to wait to be overdue; null if none is. */
const overdueBound = (clock: Clock, limit = DEFAULT_OVERDUE_HOURS): Date | null =>
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

/** Hours from a warning to the cancellation. */
export const WARNED_HOURS = 24

/** Days after which a waiting request expires, and when the number was set. */
export type Expiry = { days: number; changeDT: Date }

const fromSetting = (setting: Setting<'requestExpiry'> | undefined): Expiry | undefined =>
  setting === undefined || setting.days === 0 ? undefined : { days: setting.days, changeDT: new Date(setting.changeDT) }

/** Finds the setting; undefined if no request expires. */
export const findExpiry = async (db: Reader): Promise<Expiry | undefined> =>
  fromSetting(await findSetting(db, 'requestExpiry'))

/** Finds it with the moment since which overdue requests wait; null if none is overdue. */
export async function findDeadlines(db: Reader, clock: Clock) {
  const { overdueHours, requestExpiry } = await findSettings(db, ['overdueHours', 'requestExpiry'])
  return { bound: overdueBound(clock, overdueHours), expiry: fromSetting(requestExpiry) }
}

/** Returns when a request that waits since a moment expires; null for never. */
export function expiryOf(waitDT: Date | null, expiry: Expiry | undefined): Date | null {
  if (waitDT === null || expiry === undefined) return null
  const due = later(waitDT, days(expiry.days))
  const first = later(expiry.changeDT, hours(WARNED_HOURS))
  return new Date(Math.max(due.getTime(), first.getTime()))
}
