// Which users the viewer may act on (spec S1 §6): never themselves or a system administrator; managers need level 2 and
// cannot act on other members of an authority.
import type { Group } from '@acc/contract/groups'
import { Level, Role } from '@acc/contract/labels/access'
import type { User } from '@acc/contract/users'

type Actor = { idx: number; isAdmin: boolean }
export type Lock = 'self' | 'admin' | 'manager' | 'noEditRight'

/** Returns why this actor cannot suspend, move or delete a user; undefined if they can. */
export function lockOf(
  user: Pick<User, 'idx' | 'role' | 'groupIdx'>,
  actor: Actor,
  group: Pick<Group, 'maxUser'> | undefined,
): Lock | undefined {
  if (user.idx === actor.idx) return 'self'
  if (user.role === Role.ADMIN) return 'admin'
  if (user.role === Role.MANAGER && !actor.isAdmin) return 'manager'
  return group?.maxUser === Level.EDIT ? undefined : 'noEditRight'
}
