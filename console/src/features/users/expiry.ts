// The days on which an account may end: from tomorrow on, at most `maxExpireDT` days ahead (S1 section 5). Days are those of
// the reader's calendar; the server judges by its own time zone, which is to be that of its people.
import { lastDays } from '../../kit/table/dayRange.ts'

const dayAfter = (now: Date, days: number): string =>
  lastDays(1, new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)).to

/** `max` is absent where the operator sets no bound. */
export function expiryBounds(maxExpireDT: number, now: Date = new Date()): { min: string; max?: string } {
  return { min: dayAfter(now, 1), ...(maxExpireDT > 0 ? { max: dayAfter(now, maxExpireDT) } : {}) }
}

/** What is wrong with the end of an account, with the day that bounds it; undefined where nothing is. */
export function expiryFault(day: string, maxExpireDT: number, now: Date = new Date()) {
  const { min, max } = expiryBounds(maxExpireDT, now)
  if (day < min) return { key: 'expiryTooEarly', bound: min } as const
  return max !== undefined && day > max ? ({ key: 'expiryTooLate', bound: max } as const) : undefined
}

/** A day as people type it, with or without what stands between its parts: YYYY-MM-DD, or null where it is none. */
export function readDay(typed: string): string | null {
  const [, year, month, date] = /^(\d{4})[-./ ]?(\d{2})[-./ ]?(\d{2})$/.exec(typed.trim()) ?? []
  const day = `${year}-${month}-${date}`
  const moment = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) ? day : null
}

/** What is proposed when an end is wanted: a year from now, or the bound where it comes first. */
export const proposedExpiry = (maxExpireDT: number, now: Date = new Date()): string =>
  dayAfter(now, maxExpireDT > 0 ? Math.min(maxExpireDT, 365) : 365)
