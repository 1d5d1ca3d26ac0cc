import { DEFAULT_POLICY, POLICY_FIELDS } from '@acc/contract/policyValues'
import { expect, test } from 'vitest'
import { anyGroup } from '../groups/group.fixture.ts'
import { flattenGroups } from '../groups/groupRows.ts'
import { MAP_FIELDS, partOf, resolveMap } from './policyMap.ts'

const rows = flattenGroups([
  anyGroup({
    idx: 1,
    name: 'Sales',
    children: [anyGroup({ idx: 2, name: 'East', children: [anyGroup({ idx: 3 })] }), anyGroup({ idx: 4 })],
  }),
  anyGroup({ idx: 5 }),
])

test('a group has its own values, otherwise those of the nearest group above', () => {
  const top = { ...DEFAULT_POLICY, groupIdx: 1, inheritedFrom: 'All', print: 1 as const }
  const east = { ...DEFAULT_POLICY, groupIdx: 2, inheritedFrom: null, clipboard: 3 as const }
  const map = resolveMap(rows, [east, top])
  expect(map.get(1)).toMatchObject({ isOwn: false, above: null, values: { print: 1 } })
  expect(map.get(2)).toMatchObject({
    isOwn: true,
    values: { print: 0 },
    above: { name: 'Sales', values: { print: 1 } },
  })
  expect(map.get(3)).toMatchObject({ isOwn: false, values: { clipboard: 3 }, above: { name: 'East' } })
  expect(map.get(4)).toMatchObject({ isOwn: false, values: { print: 1 } })
  expect(map.has(5)).toBe(false)
})

test('the map has every value once, each in a part of the form', () => {
  expect(Object.values(MAP_FIELDS).flat().toSorted()).toEqual(POLICY_FIELDS.toSorted())
  expect(partOf('network')).toBe('network')
  expect(partOf('print')).toBe('environment')
})
