import { Role } from '@acc/contract/core/access'
import type { Group } from '@acc/contract/groups'
import { expect, test } from 'vitest'
import { lockOf, shownGroups } from './rights.ts'

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

test('somebody whose group is unknown cannot be chosen', () => {
  expect(lockOf(user(9), manager, undefined)).toBe('noEditRight')
})

const group = (name: string, maxPolicy: 0 | 1 | 2, children: Group[] = []): Group => ({
  idx: name.length,
  parentIdx: null,
  name,
  description: '',
  isMyPolicy: 0,
  isDmsParent: 0,
  isUnderDmsParent: 0,
  isTop: 0,
  isSync: 0,
  userCount: 0,
  maxUser: 2,
  maxPolicy,
  maxFileExportApprove: 0,
  maxFileImportApprove: 0,
  maxLog: 0,
  revision: 1,
  children,
})

test('what lies below a hidden group moves up to the nearest that is shown', () => {
  const forest = [group('root', 0, [group('a', 0, [group('b', 1, [group('c', 0, [group('d', 2)])])]), group('e', 1)])]
  const shown = shownGroups(forest, ({ maxPolicy }) => maxPolicy > 0)
  expect(shown.map(({ name }) => name)).toEqual(['b', 'e'])
  expect(shown[0]?.children.map(({ name }) => name)).toEqual(['d'])
})
