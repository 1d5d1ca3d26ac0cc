import { expect, test } from 'vitest'
import { cacheFor } from './cacheFor.ts'

test('a result is found again when its time is over, and when the clock was set back', async () => {
  let now = 10_000
  let finds = 0
  const read = cacheFor(1_000, { now: () => new Date(now) }, async () => ++finds)
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  now += 999
  expect(await read()).toBe(1)
  now += 1
  expect(await read()).toBe(2)
  now -= 5_000
  expect(await read()).toBe(3)
})
