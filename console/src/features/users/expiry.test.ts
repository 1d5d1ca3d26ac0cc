import { isExpiryAllowed } from '@acc/contract/userInputs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expiryBounds, expiryFault, proposedExpiry, readDay } from './expiry.ts'

// 08:30 local time, still the previous day in UTC.
const now = new Date('2026-11-20T23:30:00.000Z')
const today = '2026-11-21'
beforeAll(() => void vi.stubEnv('TZ', 'Asia/Seoul'))
afterAll(() => void vi.unstubAllEnvs())

test("the calendar begins tomorrow, by the reader's days, and ends at the bound", () => {
  expect(expiryBounds(0, now)).toEqual({ min: '2026-11-22' })
  expect(expiryBounds(30, now)).toEqual({ min: '2026-11-22', max: '2026-12-21' })
})

test.each([0, 1, 30, 1000])('what is offered with a bound of %i days is allowed', (days) => {
  const { min, max = min } = expiryBounds(days, now)
  for (const day of [min, max, proposedExpiry(days, now)]) expect(isExpiryAllowed(day, today, days)).toBe(true)
})

test('a year is proposed, or the bound where it is nearer', () => {
  expect(proposedExpiry(0, now)).toBe('2027-11-21')
  expect(proposedExpiry(10, now)).toBe('2026-12-01')
  expect(proposedExpiry(1000, now)).toBe('2027-11-21')
})

test.each([
  ['2026-11-20', 0, { key: 'expiryTooEarly', bound: '2026-11-22' }],
  ['2026-11-21', 0, { key: 'expiryTooEarly', bound: '2026-11-22' }],
  ['2026-11-22', 0, undefined],
  ['2099-12-31', 0, undefined],
  ['2026-12-21', 30, undefined],
  ['2026-12-22', 30, { key: 'expiryTooLate', bound: '2026-12-21' }],
])('%s with a bound of %i days: what is wrong agrees with the server', (day, days, fault) => {
  expect(expiryFault(day, days, now)).toEqual(fault)
  expect(isExpiryAllowed(day, today, days)).toBe(fault === undefined)
})

test.each([
  ['2026-12-31', '2026-12-31'],
  ['20261231', '2026-12-31'],
  [' 2026.12.31 ', '2026-12-31'],
  ['2026-02-30', null],
  ['2026-13-01', null],
  ['31-12-2026', null],
  ['', null],
])('"%s" is read as %s', (typed, day) => expect(readDay(typed)).toBe(day))
