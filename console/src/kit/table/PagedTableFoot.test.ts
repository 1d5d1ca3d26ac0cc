import { expect, test } from 'vitest'
import { pageRange } from './PagedTableFoot.tsx'

test('five pages around the current one, also at the first and the last', () => {
  expect(pageRange(1, 61)).toEqual([1, 2, 3, 4, 5])
  expect(pageRange(3, 61)).toEqual([1, 2, 3, 4, 5])
  expect(pageRange(4, 61)).toEqual([2, 3, 4, 5, 6])
  expect(pageRange(60, 61)).toEqual([57, 58, 59, 60, 61])
  expect(pageRange(61, 61)).toEqual([57, 58, 59, 60, 61])
})

test('all pages where there are fewer', () => {
  expect(pageRange(1, 1)).toEqual([1])
  expect(pageRange(2, 3)).toEqual([1, 2, 3])
})
