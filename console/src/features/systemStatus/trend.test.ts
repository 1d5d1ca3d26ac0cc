import { expect, test } from 'vitest'
import { daysUntilUsedUp, pathOf } from './trend.ts'

const HOUR = 3_600_000
const hourly = (count: number, figureOf: (hour: number) => number | null) =>
  Array.from({ length: count }, (_, hour) => ({ at: hour * HOUR, value: figureOf(hour) }))

test('a steadily falling reserve is used up at its floor', () => {
  // 24 a day: 1000 - 24 * 7 = 833 after the last hour; 733 above the floor.
  expect(
    daysUntilUsedUp(
      hourly(168, (hour) => 1000 - hour),
      100,
    ),
  ).toBe(30)
  expect(
    daysUntilUsedUp(
      hourly(168, (hour) => 1000 - hour + (hour % 5)),
      100,
    ),
  ).toBe(30)
  expect(
    daysUntilUsedUp(
      hourly(168, (hour) => 1000 - hour),
      900,
    ),
  ).toBe(0)
})

test.each([
  ['grows', hourly(168, (hour) => 1000 + hour)],
  ['stays', hourly(168, () => 1000)],
  ['jumps', hourly(168, (hour) => (hour % 24 < 12 ? 1000 : 400))],
  ['was measured for two days only', hourly(49, (hour) => 1000 - hour)],
  ['was hardly measured', hourly(168, (hour) => (hour % 6 === 0 ? 1000 - hour : null))],
  ['lasts for more than 90 days', hourly(168, (hour) => 100_000 - hour)],
  ['has no figures', []],
])('nothing is said about a reserve that %s', (_, points) => {
  expect(daysUntilUsedUp(points, 0)).toBeUndefined()
})

test('a line breaks where figures are missing, and begins anew', () => {
  const points = [0, 1, 5, 6].map((hour) => ({ at: hour * HOUR, value: hour }))
  const size = { width: 60, height: 10 }
  expect(pathOf(points, size, [0, 6 * HOUR], 10)).toBe('M0.0 10.0h0.1L10.0 9.0M50.0 5.0h0.1L60.0 4.0')
  expect(pathOf([{ at: 0, value: 0 }], size, [0, HOUR], 0)).toBe('M0.0 10.0h0.1')
  expect(pathOf([{ at: 0, value: null }], size, [0, HOUR], 1)).toBe('')
})
