// View state of the dashboard, and the periods and hours that follow from it in the viewer's time zone.
import { type OffsetAt, splitByOffset } from '@acc/contract/labels/offsets'
import { Transfer } from '@acc/contract/labels/requests'
import { z } from 'zod'
import type { ViewProps } from '../../kit/layout/view.ts'
import { type DayRange, lastDays, momentsOf } from '../../kit/table/dayRange.ts'

export const RANGES = ['today', 'week', 'month'] as const
export type Range = (typeof RANGES)[number]
const DAYS: Record<Range, number> = { today: 1, week: 7, month: 30 }

export const DashboardView = z.object({
  range: z.enum(RANGES).catch('week').default('week'),
  /** The chosen groups; none means all. */
  groups: z.array(z.number()).default([]),
  /** Direction of the monthly chart. */
  type: z.literal(Transfer.values).catch(Transfer.EXPORT).default(Transfer.EXPORT),
})
export type DashboardView = z.output<typeof DashboardView>
export type DashboardProps = ViewProps<typeof DashboardView>

/** The days of a range, the given one included. */
export const daysOf = (range: Range, today: Date): { from: string; to: string } => lastDays(DAYS[range], today)

export type Period = { logSDT: string; logEDT: string }

/** From the start of the first day to the end of the last one. */
export function periodOf(range: DayRange): Period {
  const { from = '', to = '' } = momentsOf(range)
  return { logSDT: from, logEDT: to }
}

/** The last 11 months and the current one, until the end of the day (spec S2 §9). */
export function yearOf(today: Date): Period {
  const { logEDT } = periodOf(daysOf('today', today))
  return { logSDT: new Date(today.getFullYear(), today.getMonth() - 11, 1).toISOString(), logEDT }
}

/** The days of a month, as filters of a list. */
export function daysOfMonth(month: string): { from: string; to: string } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return { from: `${month}-01`, to: `${month}-${last}` }
}

export const localOffset: OffsetAt = (moment) => -new Date(moment).getTimezoneOffset()

/** Splits a period where summer time begins or ends, so that each part has one offset from UTC. */
export const splitPeriod = (
  { logSDT, logEDT }: Period,
  offsetAt: OffsetAt = localOffset,
): (Period & { offset: number })[] =>
  splitByOffset(Date.parse(logSDT), Date.parse(logEDT), offsetAt).map(({ start, end, offset }) => ({
    logSDT: new Date(start).toISOString(),
    logEDT: new Date(end).toISOString(),
    offset,
  }))

const HOUR = 60

/**
 * Minutes after the full hour at which each bar begins: counts come by hour in UTC, which begins at half past where the
 * offset has half an hour. In the rare zone that changes by half an hour, those at the end of the period.
 */
export const minuteOf = (parts: readonly { offset: number }[]): number =>
  (((parts.at(-1)?.offset ?? 0) % HOUR) + HOUR) % HOUR

/** Moves counts by hour in UTC to the local hours; half an hour counts to the whole one below. */
export function rotate(counts: readonly number[], offset: number): number[] {
  const hours = Math.floor(offset / HOUR)
  return counts.map((_, hour) => counts[(((hour - hours) % 24) + 24) % 24] ?? 0)
}
