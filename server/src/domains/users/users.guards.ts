// Whom somebody may change (S1 section 6; design, section 3): level 2 over the group, never oneself where it would be a way
// up or out, and for managers never a system administrator nor another holder of an authority.
import { Level, type Page, Role } from '@acc/contract/labels/access'
import type { Actor } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { requireInScope, requireRank } from '../../core/scope.ts'
import type { Tx } from '../../db/open.ts'
import { findGroup, type GroupRow } from '../groups/groups.queries.ts'
import { findUsers, type UserRow } from './users.queries.ts'

/**
 * The users, held against other changes until the transaction ends, if the actor may change every one of them. 980 for whom
 * the actor does not reach, 126 where a manager names a system administrator, 980 again where another manager.
 */
export async function requireEditable(
  tx: Tx,
  actor: Actor,
  idxes: readonly number[],
  page: Page = 'user',
): Promise<UserRow[]> {
  await requireInScope(tx, actor, page, Level.EDIT, { userIdxes: idxes })
  const users = await findUsers(tx, idxes)
  if (actor.role !== Role.ADMIN) requireNoAdmin(users)
  await requireRank(tx, actor, idxes)
  return users
}

/** The one user, if the actor may change them. */
export async function requireEditableOne(tx: Tx, actor: Actor, idx: number, page: Page = 'user'): Promise<UserRow> {
  const [user] = await requireEditable(tx, actor, [idx], page)
  if (user === undefined) fail('NOT_ALLOWED')
  return user
}

/** System administrators are never suspended, reset or deleted, not even by another one. */
export function requireNoAdmin(users: readonly UserRow[]): void {
  if (users.some((user) => user.isAdmin === 1)) fail('ADMIN_SELECTED')
}

/** The group that users are to come into, held in its place: level 2 on it too. */
export async function requireTargetGroup(tx: Tx, actor: Actor, groupIdx: number): Promise<GroupRow> {
  const group = await findGroup(tx, groupIdx)
  // An administrator sees every group, so to one of them it can only be gone; managers are told no more than 980.
  if (group === undefined && actor.role === Role.ADMIN) fail('NO_GROUP')
  await requireInScope(tx, actor, 'user', Level.EDIT, { groupIdxes: [groupIdx] })
  if (group === undefined) fail('NOT_ALLOWED')
  return group
}
