import { expect, test } from 'vitest'
import { moved } from './order.ts'

test.each([
  ['up', 'c', 0, 'cabd'],
  ['down', 'a', 2, 'bcad'],
  ['to the end', 'b', 3, 'acdb'],
  ['nowhere', 'b', 1, 'abcd'],
] as const)('moved %s', (_, item, at, order) => {
  expect(moved(['a', 'b', 'c', 'd'], item, at).join('')).toBe(order)
})
