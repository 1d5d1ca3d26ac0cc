import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysOf, daysOfMonth, localOffset, periodOf, rotate, splitPeriod, yearOf } from './dashboard.ts'

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
  expect(daysOf('today', today)).toEqual({ from: '2026-01-15', to: '2026-01-15' })
  expect(daysOf('week', today)).toEqual({ from: '2026-01-09', to: '2026-01-15' })
  expect(daysOf('month', today)).toEqual({ from: '2025-12-17', to: '2026-01-15' })
  expect(periodOf(daysOf('today', today))).toEqual({
    logSDT: new Date(2026, 0, 15).toISOString(),
    logEDT: new Date(2026, 0, 16).toISOString(),
  })
  expect(yearOf(today).logSDT).toBe(new Date(2025, 1, 1).toISOString())
  expect(yearOf(new Date(2026, 11, 31)).logSDT).toBe(new Date(2026, 0, 1).toISOString())
  expect(daysOfMonth('2024-02')).toEqual({ from: '2024-02-01', to: '2024-02-29' })
  expect(localOffset(0)).toBe(-new Date(0).getTimezoneOffset())
})
