// Valid expiry days of an account: from tomorrow to `maxExpireDT` days ahead (spec S1 §5). Days are those of the
// browser's calendar; the server validates in its own time zone, which should be that of its users.
import { lastDays } from '../../kit/table/dayRange.ts'

const dayAfter = (now: Date, days: number): string =>
  lastDays(1, new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)).to

/** `max` is absent if the operator sets no limit. */
export function expiryBounds(maxExpireDT: number, now: Date = new Date()): { min: string; max?: string } {
  return { min: dayAfter(now, 1), ...(maxExpireDT > 0 ? { max: dayAfter(now, maxExpireDT) } : {}) }
}

/** Returns the validation error of an expiry day with the limit it violates; undefined if the day is valid. */
export function expiryFault(day: string, maxExpireDT: number, now: Date = new Date()) {
  const { min, max } = expiryBounds(maxExpireDT, now)
  if (day < min) return { key: 'expiryTooEarly', bound: min } as const
  return max !== undefined && day > max ? ({ key: 'expiryTooLate', bound: max } as const) : undefined
}

/** Parses a typed day, with or without separators, into YYYY-MM-DD; null if it is not a day. */
export function readDay(typed: string): string | null {
  const [, year, month, date] = /^(\d{4})[-./ ]?(\d{2})[-./ ]?(\d{2})$/.exec(typed.trim()) ?? []
  const day = `${year}-${month}-${date}`
  const moment = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) ? day : null
}

/** Returns the default expiry day: a year from now, or the limit if that is earlier. */
export const proposedExpiry = (maxExpireDT: number, now: Date = new Date()): string =>
  dayAfter(now, maxExpireDT > 0 ? Math.min(maxExpireDT, 365) : 365)
