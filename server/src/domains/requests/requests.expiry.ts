// Requests that nobody decides are canceled after the days that administrators set, counted from the beginning of the
// present step. Nothing is canceled without a warning of its requester a day before, also after a change of the days.
import { days, hours, later } from '../../clock.ts'
import type { Reader } from '../../db/open.ts'
import { findSetting } from '../../settings/settings.ts'

/** Hours from a warning to the cancellation. */
export const WARNED_HOURS = 24

/** Days after which a waiting request expires, and when the number was set. */
export type Expiry = { days: number; changeDT: Date }

/** Finds the setting; undefined if no request expires. */
export async function findExpiry(db: Reader): Promise<Expiry | undefined> {
  const setting = await findSetting(db, 'requestExpiry')
  if (setting === undefined || setting.days === 0) return undefined
  return { days: setting.days, changeDT: new Date(setting.changeDT) }
}

/** Returns when a request that waits since a moment expires; null for never. */
export function expiryOf(waitDT: Date | null, expiry: Expiry | undefined): Date | null {
  if (waitDT === null || expiry === undefined) return null
  const due = later(waitDT, days(expiry.days))
  const first = later(expiry.changeDT, hours(WARNED_HOURS))
  return new Date(Math.max(due.getTime(), first.getTime()))
}
