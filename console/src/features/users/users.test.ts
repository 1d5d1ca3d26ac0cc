import { expect, test } from 'vitest'
import { filterOf, isFiltered, isWithin, UsersView } from './users.ts'

const view = (given: object) => UsersView.parse(given)

test('a simple search looks in every column, and forgets the fields of the other form', () => {
  const filter = filterOf(view({ search: 'kim', texts: { name: 'lee' } }))
  expect(filter).toMatchObject({ filterType: 0, id: 'kim', name: 'kim', email: 'kim', groupName: 'kim' })
})

test('more filters ask each column for its own text', () => {
  const filter = filterOf(view({ isMulti: true, search: 'kim', texts: { name: 'lee', email: '' } }))
  expect(filter).toEqual({ filterType: 1, name: 'lee' })
})

test('a group includes its subgroups', () => {
  expect(filterOf(view({ groupIdx: 3 }))).toMatchObject({ groupIdx: 3, withSubgroups: 1 })
  expect(filterOf(view({})).withSubgroups).toBeUndefined()
})

test.each([
  [{}, false],
  [{ isMulti: true }, false],
  [{ isMulti: true, search: 'unused' }, false],
  [{ search: 'kim' }, true],
  [{ state: 0 }, true],
  [{ groupIdx: 1 }, true],
])('%o is filtered: %s', (given, is) => expect(isFiltered(view(given))).toBe(is))

test.each([
  [3, 3, true],
  [3, 1, true],
  [1, 3, false],
  [9, 1, false],
])('group %i is within %i: %s', (groupIdx, above, is) => {
  const parents: Record<number, number | null> = { 1: null, 2: 1, 3: 2 }
  const find = (idx: number) => (idx in parents ? { parentIdx: parents[idx] ?? null } : undefined)
  expect(isWithin(groupIdx, above, find)).toBe(is)
})
