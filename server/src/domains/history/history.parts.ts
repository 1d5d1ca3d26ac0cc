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

/** Returns the end of the unit around a local time. Local times are dates in UTC. */
function endOf(unit: CountUnit, local: Date): number {
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
  if (unit === 'year') return Date.UTC(year + 1, 0)
  if (unit === 'month') return Date.UTC(year, month + 1)
  if (unit === 'week') return Date.UTC(year, month, day - ((local.getUTCDay() + 6) % 7) + 7)
  return Date.UTC(year, month, day + 1)
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
    // Hours follow the time that passes: summer time repeats one, and leaves one out.
    if (unit === 'hour') start += hours(1) - (localOf(start).getTime() % hours(1))
    // Where a day begins with a left out hour, the end would be the beginning again.
    else start = Math.max(start + hours(1), momentOf(endOf(unit, localOf(start))))
  }
  return { unit, starts }
}

/** Months that a page is read from one by one. Earlier ones are read as one. */
const MONTHS = 24

/** Returns the months of the partitions up to now, the newest first, and the time before: each as `[since, until)`. */
export function monthsBefore(now: Date): { since: string; until: string }[] {
  const starts = Array.from({ length: MONTHS }, (_, at) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - at)).toISOString(),
  )
  return [...starts, '-infinity'].map((since, at) => ({ since, until: starts[at - 1] ?? 'infinity' }))
}
