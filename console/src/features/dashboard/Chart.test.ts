import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ticksOf } from './Chart.tsx'

test.each([
  [0, 10, [0, 10]],
  [1, 10, [0, 10]],
  [40, 10, [0, 10, 20, 30, 40]],
  [41, 10, [0, 20, 40, 60]],
  [0, 100, [0, 100]],
  [400, 100, [0, 100, 200, 300, 400]],
  [1_234_567, 100, [0, 500_000, 1_000_000, 1_500_000]],
])('%i in steps of %i', (largest, base, ticks) => {
  expect(ticksOf(largest, base)).toEqual(ticks)
})

test('any number fits, with 5 ticks at most and no empty half', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.constantFrom(10, 100), (largest, base) => {
      const ticks = ticksOf(largest, base)
      const top = ticks.at(-1) ?? 0
      expect(ticks.length).toBeLessThanOrEqual(5)
      expect(top).toBeGreaterThanOrEqual(largest)
      expect(top === base || top < largest * 2 + base * 2).toBe(true)
    }),
  )
})
