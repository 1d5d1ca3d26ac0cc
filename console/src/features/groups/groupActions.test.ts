import type { Group } from '@acc/contract/groups'
import { expect, test } from 'vitest'
import { anyGroup } from './group.fixture.ts'
import { actionsOf } from './groupActions.ts'

const group = (idx: number, values: Partial<Group> = {}) => anyGroup({ idx, ...values })
const below = (parent: Partial<Group>, child: Group, ...siblings: Group[]) => ({
  group: child,
  parent: group(1, { ...parent, children: [child, ...siblings] }),
})
const open = { create: 'open', reorder: 'open', setDmsRoot: 'open', remove: 'open' }

test('a group among others takes every action of a system administrator', () => {
  expect(actionsOf(below({}, group(2), group(3)), true)).toEqual(open)
})

test('a manager is not offered the DMS root', () => {
  expect(actionsOf(below({}, group(2), group(3)), false)).toEqual({ ...open, setDmsRoot: 'absent' })
})

test('the root is neither ordered, deleted nor made the DMS root', () => {
  const root = { group: group(1, { isTop: 1 }), parent: null }
  expect(actionsOf(root, true)).toEqual({ create: 'open', reorder: 'absent', setDmsRoot: 'absent', remove: 'absent' })
})

test('a top group of a manager is neither ordered nor deleted', () => {
  const top = { group: group(7, { isTop: 1 }), parent: null }
  expect(actionsOf(top, false)).toMatchObject({ create: 'open', reorder: 'absent', remove: 'absent' })
})

test('a partner group has no subgroups and stays', () => {
  const place = below({ isDmsParent: 1 }, group(2, { isUnderDmsParent: 1 }), group(3, { isUnderDmsParent: 1 }))
  expect(actionsOf(place, true)).toMatchObject({ create: 'partner', remove: 'partner', reorder: 'open' })
})

test('the DMS root stays, and is not set again', () => {
  const place = below({}, group(2, { isDmsParent: 1 }), group(3))
  expect(actionsOf(place, true)).toMatchObject({ create: 'open', remove: 'dmsRoot', setDmsRoot: 'dmsRoot' })
})

test('one group alone has no order', () => {
  expect(actionsOf(below({}, group(2)), true).reorder).toBe('fewSiblings')
})

test('what reaches beyond the viewer is refused', () => {
  expect(actionsOf(below({ maxPolicy: 1 }, group(2), group(3)), false).remove).toBe('rightAbove')
  expect(actionsOf(below({}, group(2), group(3, { maxPolicy: 1 })), false).reorder).toBe('rightBeside')
})
