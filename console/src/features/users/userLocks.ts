// Who and what may be chosen (S1 section 6): nobody acts on themselves or on a system administrator, a manager not on
// another holder of an authority, and only where they hold level 2.
import type { Group } from '@acc/contract/groups'
import { Level, Role } from '@acc/contract/labels/access'
import type { User } from '@acc/contract/users'

type Actor = { idx: number; isAdmin: boolean }
export type Lock = 'self' | 'admin' | 'manager' | 'noEditRight'

/** Why a user cannot be suspended, moved or deleted by this actor; undefined where they can. */
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
