// The parts of a period that a strip of bars shows: hours, days, weeks, months or years of the viewer's calendar, at
// most about sixty.
import type { CountUnit } from '@acc/contract/history/routes'
import type { OffsetAt } from '@acc/contract/labels/offsets'
import { days, hours, minutes } from '../../clock.ts'

/** The longest period that is shown by each unit. */
const LONGEST: readonly (readonly [CountUnit, number])[] = [
  ['hour', days(2) + hours(2)],
  ['day', days(62)],
  ['week', days(7 * 62)],
  ['month', days(5 * 366)],
]

/** Returns the beginning of the unit around a local time, or of a later one. Local times are dates in UTC. */
function beginOf(unit: CountUnit, local: Date, later = 0): number {
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
  if (unit === 'year') return Date.UTC(year + later, 0)
  if (unit === 'month') return Date.UTC(year, month + later)
  if (unit === 'week') return Date.UTC(year, month, day - ((local.getUTCDay() + 6) % 7) + 7 * later)
  if (unit === 'day') return Date.UTC(year, month, day + later)
  return Date.UTC(year, month, day, local.getUTCHours() + later)
}

/** Splits a period; the first part begins with it, also within a unit. */
export function partsOf(from: number, to: number, offsetAt: OffsetAt): { unit: CountUnit; starts: number[] } {
  const unit = LONGEST.find(([, longest]) => to - from <= longest)?.[0] ?? 'year'
  const localOf = (moment: number) => new Date(moment + minutes(offsetAt(moment)))
  const momentOf = (local: number) => {
    const guess = local - minutes(offsetAt(local))
    return local - minutes(offsetAt(guess))
  }
  const starts: number[] = []
  for (let start = from; start < to; ) {
    starts.push(start)
    const next = momentOf(beginOf(unit, localOf(start), 1))
    // An hour that summer time repeats begins twice.
    start = next > start ? next : start + hours(1)
  }
  return { unit, starts }
}
