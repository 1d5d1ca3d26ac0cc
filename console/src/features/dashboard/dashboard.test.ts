import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  changeOf,
  daysOf,
  daysOfMonth,
  daysOfWeek,
  earliestDay,
  localOffset,
  periodBefore,
  periodOf,
  rangeOf,
  rotate,
  splitPeriod,
  weeksOf,
  yearOf,
} from './dashboard.ts'

const counts = Array.from({ length: 24 }, (_, hour) => hour)

test.each([
  ['UTC', 0, 0],
  ['Kathmandu, +05:45', 345, 19],
  ['New York, -05:00', -300, 5],
  ["St. John's, -03:30", -210, 4],
  ['Kiritimati, +14:00', 840, 10],
])('%s: the first local hour is the UTC hour %#', (_, offset, first) => {
  expect(rotate(counts, offset)[0]).toBe(first)
  expect(rotate(counts, offset)).toHaveLength(24)
})

/** Minutes ahead of UTC in a zone, by the calendar. */
const offsetIn = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (moment: number) => Math.round((Date.parse(`${format.format(moment).replace(' ', 'T')}Z`) - moment) / 60_000)
}

test('a period is split at summer time, to the minute', () => {
  const march = { logSDT: '2026-03-01T05:00:00.000Z', logEDT: '2026-03-31T04:00:00.000Z' }
  expect(splitPeriod(march, offsetIn('America/New_York'))).toEqual([
    { logSDT: march.logSDT, logEDT: '2026-03-08T07:00:00.000Z', offset: -300 },
    { logSDT: '2026-03-08T07:00:00.000Z', logEDT: march.logEDT, offset: -240 },
  ])
  expect(splitPeriod(march, offsetIn('Asia/Seoul'))).toEqual([{ ...march, offset: 540 }])
  const november = { logSDT: '2026-10-25T02:30:00.000Z', logEDT: '2026-11-24T03:30:00.000Z' }
  expect(splitPeriod(november, offsetIn('America/St_Johns')).map(({ offset }) => offset)).toEqual([-150, -210])
})

test('every sign-in is in the bar of its local hour, in every zone and season', () => {
  const zones = fc.constantFrom('Asia/Seoul', 'America/New_York', 'Europe/Paris', 'America/Sao_Paulo')
  const start = fc.integer({ min: Date.UTC(2025, 0), max: Date.UTC(2027, 0) })
  const moments = fc.array(fc.integer({ min: 0, max: 30 * 86_400_000 - 1 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(zones, start, moments, (zone, from, offsets) => {
      const offsetAt = offsetIn(zone)
      const signIns = offsets.map((offset) => from + offset)
      const period = { logSDT: new Date(from).toISOString(), logEDT: new Date(from + 30 * 86_400_000).toISOString() }
      const bars = Array.from({ length: 24 }, () => 0)
      for (const { logSDT, logEDT, offset } of splitPeriod(period, offsetAt)) {
        const inUtc = Array.from(
          { length: 24 },
          (_, hour) =>
            signIns.filter(
              (at) => at >= Date.parse(logSDT) && at < Date.parse(logEDT) && new Date(at).getUTCHours() === hour,
            ).length,
        )
        rotate(inUtc, offset).forEach((count, hour) => {
          bars[hour] = (bars[hour] ?? 0) + count
        })
      }
      const local = (at: number) => new Date(at + offsetAt(at) * 60_000).getUTCHours()
      expect(bars).toEqual(bars.map((_, hour) => signIns.filter((at) => local(at) === hour).length))
    }),
    { numRuns: 30 },
  )
})

test('ranges are whole local days that end with today; the year begins 11 months ago', () => {
  const today = new Date(2026, 0, 15, 13, 30)
  expect(rangeOf('today', today)).toEqual({ from: '2026-01-15', to: '2026-01-15' })
  expect(rangeOf('week', today)).toEqual({ from: '2026-01-09', to: '2026-01-15' })
  expect(rangeOf('month', today)).toEqual({ from: '2025-12-17', to: '2026-01-15' })
  expect(periodOf(rangeOf('today', today))).toEqual({
    logSDT: new Date(2026, 0, 15).toISOString(),
    logEDT: new Date(2026, 0, 16).toISOString(),
  })
  expect(yearOf(today).logSDT).toBe(new Date(2025, 1, 1).toISOString())
  expect(yearOf(new Date(2026, 11, 31)).logSDT).toBe(new Date(2026, 0, 1).toISOString())
  expect(daysOfMonth('2024-02')).toEqual({ from: '2024-02-01', to: '2024-02-29' })
  expect(localOffset(0)).toBe(-new Date(0).getTimezoneOffset())
})

const today = new Date(2026, 0, 15)

test('chosen days replace the range; while the last one is missing, the first one counts', () => {
  const range = 'week' as const
  expect(daysOf({ range, days: undefined }, today)).toEqual(rangeOf('week', today))
  expect(daysOf({ range, days: { from: null, to: null } }, today)).toEqual(rangeOf('week', today))
  expect(daysOf({ range, days: { from: '2025-12-01', to: null } }, today)).toEqual({
    from: '2025-12-01',
    to: '2025-12-01',
  })
  const days = { from: '2025-12-01', to: '2025-12-24' }
  expect(daysOf({ range, days }, today)).toEqual(days)
  expect(earliestDay(today)).toBe('2024-12-12')
})

test('the period before is as long, and ends at the same time of the day', () => {
  const now = new Date(2026, 0, 15, 10, 15)
  const moments = (from: Date, to: Date) => ({ logSDT: from.toISOString(), logEDT: to.toISOString() })
  expect(periodBefore(rangeOf('today', today), now)).toEqual(
    moments(new Date(2026, 0, 14), new Date(2026, 0, 14, 10, 15)),
  )
  expect(periodBefore(rangeOf('week', today), now)).toEqual(moments(new Date(2026, 0, 2), new Date(2026, 0, 8, 10, 15)))
  expect(periodBefore({ from: '2025-12-01', to: '2025-12-10' }, now)).toEqual(
    moments(new Date(2025, 10, 21), new Date(2025, 11, 1)),
  )
})

test.each([
  [undefined, 5, undefined],
  [5, undefined, undefined],
  // Nothing was counted before: no percentage describes it.
  [5, 0, undefined],
  [0, 0, undefined],
  [0, 5, -100],
  [5, 5, 0],
  [9, 8, 13],
  [300, 100, 200],
])('%s after %s is %s percent', (count, before, change) => {
  expect(changeOf(count, before)).toBe(change)
})

test('weeks begin on Monday: those of the chosen days, 12 at least, 400 days at most', () => {
  const startOf = (from: string, to: string) => weeksOf({ from, to }, today).logSDT
  expect(startOf('2026-01-15', '2026-01-15')).toBe(new Date(2025, 9, 27).toISOString())
  expect(startOf('2026-01-11', '2026-01-11')).toBe(new Date(2025, 9, 20).toISOString())
  expect(startOf('2025-06-04', '2026-01-15')).toBe(new Date(2025, 5, 2).toISOString())
  expect(startOf('2024-12-12', '2026-01-15')).toBe(new Date(2024, 11, 12).toISOString())
  expect(weeksOf(rangeOf('week', today), today).logEDT).toBe(new Date(2026, 0, 16).toISOString())
  expect(daysOfWeek('2025-12-29')).toEqual({ from: '2025-12-29', to: '2026-01-04' })
})
