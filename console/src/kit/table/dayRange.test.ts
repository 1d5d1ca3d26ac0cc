import { expect, test } from 'vitest'
import { defaultRange, earliestDay, lastDays, lastMonth, lastWeek, momentsOf } from './dayRange.ts'

test('the last days end today and begin so many days before', () => {
  const now = new Date(2026, 2, 3, 15)
  expect(lastDays(1, now)).toEqual({ from: '2026-03-03', to: '2026-03-03' })
  expect(lastDays(7, now)).toEqual({ from: '2026-02-25', to: '2026-03-03' })
})

test('a period reaches from its first moment to the first moment after it', () => {
  expect(momentsOf({ from: '2026-02-28', to: '2026-02-28' })).toEqual({
    from: new Date(2026, 1, 28).toISOString(),
    to: new Date(2026, 2, 1).toISOString(),
  })
  expect(momentsOf({ from: null, to: null })).toEqual({})
})

test.each([
  [2, 'week', '2026-03-18', '2026-03-31'],
  [1, 'month', '2026-03-01', '2026-03-31'],
  [6, 'month', '2025-10-01', '2026-03-31'],
  [1, 'year', '2025-04-01', '2026-03-31'],
] as const)('the default period of %i %s is from %s to %s', (defaultDateRange, defaultDateRangeUnit, from, to) => {
  const now = new Date(2026, 2, 31, 12)
  expect(defaultRange({ defaultDateRange, defaultDateRangeUnit }, now)).toEqual({ from, to })
})

test('no day before 100 years ago can be chosen', () => {
  expect(earliestDay(new Date(2026, 1, 28))).toBe('1926-02-28')
})

test.each([
  ['a Monday', new Date(2026, 10, 23)],
  ['a Wednesday', new Date(2026, 10, 25)],
  ['a Sunday', new Date(2026, 10, 29, 23, 59)],
])('last week is the one from Monday to Sunday before that of %s', (_, now) => {
  expect(lastWeek(now)).toEqual({ from: '2026-11-16', to: '2026-11-22' })
})

test('the last month is complete, also over the turn of the year', () => {
  expect(lastMonth(new Date(2026, 2, 31))).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(lastMonth(new Date(2026, 0, 1))).toEqual({ from: '2025-12-01', to: '2025-12-31' })
})
