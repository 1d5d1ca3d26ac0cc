// Periods of whole days in local time; one day by default (spec S2 §9).
import { localDayOf } from '@acc/contract/labels/formats'

/** Days as YYYY-MM-DD, both inclusive; null while the person is still choosing. */
export type DayRange = { from: string | null; to: string | null }

/** The last `days` days, today included. */
export function lastDays(days: number, now: Date = new Date()): { from: string; to: string } {
  return {
    from: localDayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1)),
    to: localDayOf(now),
  }
}

const startOf = (day: string, later = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

/** The moments that a list is asked for: from (inclusive) to (exclusive). */
export const momentsOf = ({ from, to }: DayRange): { from?: string; to?: string } => ({
  ...(from === null ? {} : { from: startOf(from) }),
  ...(to === null ? {} : { to: startOf(to, 1) }),
})
