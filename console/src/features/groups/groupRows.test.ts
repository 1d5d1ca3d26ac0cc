import type { Group } from '@acc/contract/groups'
import { expect, test } from 'vitest'
import { anyGroup } from './group.fixture.ts'
import { ancestorsOf, countMatches, filterGroups, firstMatch, flattenGroups, moved, visibleRows } from './groupRows.ts'

const group = (idx: number, name: string, children: Group[] = []) => anyGroup({ idx, name, children })

const forest = [
  group(1, '본사', [
    group(2, '개발본부', [group(3, '플랫폼'), group(4, '모바일')]),
    group(5, '영업본부', [group(6, '1팀')]),
  ]),
  group(7, 'Sales'),
]
const rows = flattenGroups(forest)
const namesOf = (shown: typeof rows) => shown.map((row) => row.group.name)

test('the tree is laid out parents first, in order, with depth and place', () => {
  expect(rows.map(({ group: { idx }, depth }) => [idx, depth])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 1],
    [6, 2],
    [7, 0],
  ])
  expect(rows[4]).toMatchObject({ position: 2, siblings: 2, parent: { idx: 1 } })
})

test('what lies below a closed group is hidden, what comes after it is not', () => {
  expect(namesOf(visibleRows(rows, new Set([2]), ''))).toEqual(['본사', '개발본부', '영업본부', '1팀', 'Sales'])
  expect(namesOf(visibleRows(rows, new Set([1, 2]), ''))).toEqual(['본사', 'Sales'])
})

test('the groups above one are known, the nearest first', () => {
  expect(ancestorsOf(rows, 4)).toEqual([2, 1])
  expect(ancestorsOf(rows, 7)).toEqual([])
})

test('a search counts the groups that it finds, without those above them', () => {
  expect(countMatches(rows, ' 모바 ')).toBe(1)
  expect(countMatches(rows, '본부')).toBe(2)
  expect(countMatches(rows, '')).toBe(0)
})

test('a search shows the matches and the groups above them, closed or not', () => {
  expect(namesOf(visibleRows(rows, new Set([1, 2]), ' 모바 '))).toEqual(['본사', '개발본부', '모바일'])
  expect(namesOf(visibleRows(rows, new Set(), 'sALES'))).toEqual(['Sales'])
  expect(visibleRows(rows, new Set(), '없음')).toEqual([])
})

test('the first match of a search is the first group that it names, not the group above it', () => {
  expect(firstMatch(rows, ' 모바 ')?.group.name).toBe('모바일')
  expect(firstMatch(rows, 'sALES')?.group.name).toBe('Sales')
  expect(firstMatch(rows, '없음')).toBeUndefined()
  expect(firstMatch(rows, ' ')).toBeUndefined()
})

test('a very deep tree does not overflow the stack', () => {
  let deep = group(100_000, 'end')
  for (let idx = 99_999; idx > 0; idx--) deep = group(idx, 'g', [deep])
  expect(flattenGroups([deep])).toHaveLength(100_000)
})

const level = (name: string, maxPolicy: 0 | 1 | 2, children: Group[] = []) => anyGroup({ name, maxPolicy, children })

test('what lies below a hidden group moves up to the nearest that is shown', () => {
  const forest = [level('root', 0, [level('a', 0, [level('b', 1, [level('c', 0, [level('d', 2)])])]), level('e', 1)])]
  const shown = filterGroups(forest, ({ maxPolicy }) => maxPolicy > 0)
  expect(shown.map(({ name }) => name)).toEqual(['b', 'e'])
  expect(shown[0]?.children.map(({ name }) => name)).toEqual(['d'])
})

test.each([
  ['up', 'c', 0, 'cabd'],
  ['down', 'a', 2, 'bcad'],
  ['to the end', 'b', 3, 'acdb'],
  ['nowhere', 'b', 1, 'abcd'],
] as const)('moved %s', (_, item, at, order) => {
  expect(moved(['a', 'b', 'c', 'd'], item, at).join('')).toBe(order)
})
