import { expect, test } from 'vitest'
import { sortRows } from './SortHead.tsx'

const rows = [
  { name: '나', ip: '10.0.0.10', state: 1 },
  { name: '가', ip: '10.0.0.9', state: 0 },
  { name: 'a', ip: '10.0.0.9', state: 1 },
]
const names = (sorted: readonly { name: string }[]) => sorted.map(({ name }) => name)

test('names are sorted by the alphabet, addresses and states by their numbers, and equal rows keep their order', () => {
  expect(names(sortRows(rows, ({ name }) => name, 'asc'))).toEqual(['가', '나', 'a'])
  expect(names(sortRows(rows, ({ ip }) => ip, 'asc'))).toEqual(['가', 'a', '나'])
  expect(names(sortRows(rows, ({ ip }) => ip, 'desc'))).toEqual(['나', '가', 'a'])
  expect(names(sortRows(rows, ({ state }) => state, 'desc'))).toEqual(['나', 'a', '가'])
})
