import { expect, test } from 'vitest'
import { lastDays, momentsOf } from './dayRange.ts'

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
