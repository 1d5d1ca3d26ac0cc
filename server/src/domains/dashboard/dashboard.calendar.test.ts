// Months and weeks by time zone against the calendar of each moment.
import { momentFormat } from '@acc/contract/labels/formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { monthsOf, weeksOf } from './dashboard.calendar.ts'

const ZONES = [
  'UTC',
  'Asia/Seoul',
  'Asia/Kathmandu',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  // Clocks here are put forward at midnight.
  'Africa/Cairo',
  '+05:45',
]

test('a moment belongs to the month and the week of its local day, in every zone and season', () => {
  const moments = fc.date({
    min: new Date('2015-01-01T00:00Z'),
    max: new Date('2035-01-01T00:00Z'),
    noInvalidDate: true,
  })
  const lengths = fc.integer({ min: 1, max: 400 * 86_400_000 })
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      moments,
      lengths,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (zone, from, length, part) => {
        const months = monthsOf(from, new Date(from.getTime() + length), zone)
        const moment = new Date(from.getTime() + Math.floor((length - 1) * part))
        const found = months.findLast(({ start }) => start <= moment)
        const day = momentFormat(zone).format(moment).slice(0, 10)
        expect(found?.name).toBe(day.slice(0, 7))
        const week = weeksOf(from, new Date(from.getTime() + length), zone).findLast(({ start }) => start <= moment)
        const monday = new Date(`${day}T00:00Z`)
        monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
        expect(week?.name).toBe(monday.toISOString().slice(0, 10))
      },
    ),
    { numRuns: 300 },
  )
})

test('the turn of the year and of summer time, to the millisecond', () => {
  const startsOf = (zone: string, from: string, to: string) =>
    monthsOf(new Date(from), new Date(to), zone).map(({ name, start }) => [name, start.toISOString()])
  expect(startsOf('Asia/Seoul', '2025-11-30T15:00:00Z', '2026-01-31T15:00:00Z')).toEqual([
    ['2025-12', '2025-11-30T15:00:00.000Z'],
    ['2026-01', '2025-12-31T15:00:00.000Z'],
  ])
  expect(startsOf('America/New_York', '2026-03-01T05:00:00Z', '2026-04-01T04:00:00.001Z')).toEqual([
    ['2026-03', '2026-03-01T05:00:00.000Z'],
    ['2026-04', '2026-04-01T04:00:00.000Z'],
  ])
  expect(startsOf('America/St_Johns', '2026-11-15T00:00:00Z', '2026-11-16T00:00:00Z')).toEqual([
    ['2026-11', '2026-11-01T02:30:00.000Z'],
  ])
})

test('weeks begin on Monday at local midnight, also where summer time begins on that day', () => {
  const startsOf = (zone: string, from: string, to: string) =>
    weeksOf(new Date(from), new Date(to), zone).map(({ name, start }) => [name, start.toISOString()])
  expect(startsOf('Asia/Seoul', '2026-01-04T14:59:59.999Z', '2026-01-04T15:00:00.001Z')).toEqual([
    ['2025-12-29', '2025-12-28T15:00:00.000Z'],
    ['2026-01-05', '2026-01-04T15:00:00.000Z'],
  ])
  expect(startsOf('America/New_York', '2026-03-08T12:00:00Z', '2026-03-09T04:00:00.001Z')).toEqual([
    ['2026-03-02', '2026-03-02T05:00:00.000Z'],
    ['2026-03-09', '2026-03-09T04:00:00.000Z'],
  ])
})
