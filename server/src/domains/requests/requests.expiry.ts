// Requests that nobody decides are canceled after the days that administrators set, counted from the beginning of the
// present step. Nothing is canceled without a warning of its requester a day before, also after a change of the days.
import { type Clock, days, hours, later } from '../../clock.ts'
import type { Reader } from '../../db/open.ts'
import { findSetting, findSettings, type Setting } from '../../settings/settings.ts'
import { overdueBound } from './requests.overdue.ts'

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
