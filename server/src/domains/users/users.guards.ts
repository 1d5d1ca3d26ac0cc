// Guards of changes to users (spec S1 §6): level 2 over the group, and for managers neither a system administrator nor another
// manager.

import { Level, type Page, Role } from '@acc/contract/labels/access'
import type { Actor } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { lockInScope, requireRank } from '../../core/scope.ts'
import type { UserRow } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import { findGroup, type GroupRow } from '../groups/groups.queries.ts'
import { findUsers } from './users.queries.ts'

/**
 * Locks and returns users if the actor may change all of them. Rejects users out of reach and other managers with 980, and a
 * system administrator named by a manager with 126.
 */
export async function requireEditable(
  tx: Tx,
  actor: Actor,
  idxes: readonly number[],
  page: Page = 'user',
): Promise<UserRow[]> {
  await lockInScope(tx, actor, page, Level.EDIT, { userIdxes: idxes })
  const users = await findUsers(tx, idxes)
  if (actor.role !== Role.ADMIN) requireNoAdmin(users)
  await requireRank(tx, actor, idxes)
  return users
}

/** Locks and returns one user if the actor may change them. */
export async function requireEditableOne(tx: Tx, actor: Actor, idx: number, page: Page = 'user'): Promise<UserRow> {
  const [user] = await requireEditable(tx, actor, [idx], page)
  if (user === undefined) fail('NOT_ALLOWED')
  return user
}

/** Rejects system administrators, who cannot be suspended, reset or deleted, and names them. */
export function requireNoAdmin(users: readonly UserRow[]): void {
  const userIdxes = users.filter((user) => user.isAdmin === 1).map(({ idx }) => idx)
  if (userIdxes.length > 0) fail('ADMIN_SELECTED', { userIdxes })
}

/** Locks and returns the target group of new or moved users; requires level 2 on it. */
export async function requireTargetGroup(tx: Tx, actor: Actor, groupIdx: number): Promise<GroupRow> {
  const group = await findGroup(tx, groupIdx)
  // Administrators see every group, so it can only be deleted; managers get 980 in both cases.
  if (group === undefined && actor.role === Role.ADMIN) fail('NO_GROUP')
  await lockInScope(tx, actor, 'user', Level.EDIT, { groupIdxes: [groupIdx] })
  if (group === undefined) fail('NOT_ALLOWED')
  return group
}
