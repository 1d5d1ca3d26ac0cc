// The looks at a source by the clock, in UTC.
import { expect, test } from 'vitest'
import { nextAfter } from './userSync.settings.ts'

const after = (everyHours: number, hour: number, moment: string) =>
  nextAfter({ everyHours, hour }, new Date(`2026-11-26T${moment}Z`))
    ?.toISOString()
    .slice(8, 16)

test.each([
  [0, 3, '02:59:59', undefined],
  [24, 3, '02:59:59', '26T03:00'],
  [24, 3, '03:00:00', '27T03:00'],
  [24, 0, '23:59:59', '27T00:00'],
  [24, 23, '00:00:00', '26T23:00'],
  [6, 3, '02:00:00', '26T03:00'],
  [6, 3, '03:00:00', '26T09:00'],
  [6, 21, '03:00:00', '26T09:00'],
  [1, 3, '03:00:00', '26T04:00'],
  [1, 3, '03:59:59', '26T04:00'],
])('every %i hours from %i, after %s: %s', (everyHours, hour, moment, expected) => {
  expect(after(everyHours, hour, moment)).toBe(expected)
})
