import { isExpiryAllowed } from '@acc/contract/users'
import { expect, test } from 'vitest'
import { expiryBounds, proposedExpiry } from './expiry.ts'

const now = new Date('2026-11-21T23:30:00.000Z')
const today = '2026-11-21'

test('the calendar begins tomorrow and ends at the bound', () => {
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
