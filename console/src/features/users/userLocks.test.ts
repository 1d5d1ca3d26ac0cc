import { Role } from '@acc/contract/labels/access'
import { expect, test } from 'vitest'
import { lockOf } from './users.ts'

const manager = { idx: 5, isAdmin: false }
const admin = { idx: 1, isAdmin: true }
const user = (idx: number, role: Role = Role.USER) => ({ idx, role, groupIdx: 2 })

test.each([
  ['oneself', user(5), manager, 2, 'self'],
  ['a system administrator', user(9, Role.ADMIN), admin, 2, 'admin'],
  ['another holder of an authority', user(9, Role.MANAGER), manager, 2, 'manager'],
  ['a holder of an authority, for an administrator', user(9, Role.MANAGER), admin, 2, undefined],
  ['somebody in a group to look at', user(9), manager, 1, 'noEditRight'],
  ['somebody in a group to edit', user(9), manager, 2, undefined],
] as const)('choosing %s', (_, who, actor, maxUser, lock) => {
  expect(lockOf(who, actor, { maxUser })).toBe(lock)
})

test('a user whose group is unknown cannot be chosen', () => {
  expect(lockOf(user(9), manager, undefined)).toBe('noEditRight')
})
