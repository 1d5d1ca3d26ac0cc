// The guard of changes to people (spec S1 §6): level 2 over their groups. Managers change no system administrators and
// no other managers.

import type { AuditKind } from '@acc/contract/history/kinds'
import { Level, type Page, Role } from '@acc/contract/labels/access'
import { UserState } from '@acc/contract/labels/users'
import { sql } from 'kysely'
import type { Reader, Tx } from '../db/open.ts'
import { type FindPeople, notifyAll } from './change.ts'
import type { Change, LogResult } from './context.ts'
import { fail } from './errors.ts'
import { findInScope, lockInScope, outranksManager, type Viewer } from './scope.ts'
import type { UserRow } from './userLog.ts'

/** Finds users in the order of their idxes. */
export const findUsers = (db: Reader, idxes: readonly number[]): Promise<UserRow[]> =>
  db
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .selectAll('users')
    .select('groups.name as groupName')
    .where('users.idx', '=', sql<number>`any(${idxes})`)
    .orderBy('users.idx')
    .execute()

/** System administrators who are not suspended. */
export const findAdmins = (db: Reader): Promise<{ name: string; email: string }[]> =>
  db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('isAdmin', '=', 1)
    .where(sql<boolean>`state & ${UserState.DISABLED} = 0`)
    .orderBy('idx')
    .execute()

type EditedPeople = {
  page: Extract<Page, 'user' | 'policy'>
  userIdxes: readonly number[]
  /** Whether people may name themselves; `byAdmins`: only system administrators may. Otherwise 125. */
  own: 'allowed' | 'byAdmins' | 'refused'
  /** Whether administrators may be named. `byAdmins`: only by each other, otherwise 126. `hidden`: otherwise 980. */
  admins: 'byAdmins' | 'hidden' | 'refused'
}

/** Locks and returns people if the actor may change all of them. Other managers and people out of reach are 980. */
export async function requireEditable(
  tx: Tx,
  actor: Viewer,
  { page, userIdxes, own, admins }: EditedPeople,
): Promise<[UserRow, ...UserRow[]]> {
  const isAdmin = actor.role === Role.ADMIN
  if (userIdxes.includes(actor.idx) && (own === 'refused' || (own === 'byAdmins' && !isAdmin))) fail('SELF_ACTION')
  await lockInScope(tx, actor, page, Level.EDIT, { userIdxes })
  const [first, ...others] = await findUsers(tx, userIdxes)
  if (first === undefined) fail('NOT_ALLOWED')
  const named = [first, ...others].filter((user) => user.isAdmin === 1).map(({ idx }) => idx)
  if (named.length > 0 && (admins === 'refused' || (admins === 'byAdmins' && !isAdmin)))
    fail('ADMIN_SELECTED', { userIdxes: named })
  if (!isAdmin) await requireRank(tx, actor, userIdxes)
  return [first, ...others]
}

/** Finds the people that a change of the actor locks first: the named ones within reach. */
export const reachedOf =
  (actor: Viewer, { page, userIdxes }: Pick<EditedPeople, 'page' | 'userIdxes'>): FindPeople =>
  async (tx) => ({ userIdxes: await findInScope(tx, actor, page, Level.EDIT, userIdxes), isChange: true })

/** Locks and changes people if the actor may change all of them. */
export const changePeople = <T, K extends AuditKind>(
  ctx: Change<K>,
  named: EditedPeople,
  work: (tx: Tx, people: [UserRow, ...UserRow[]]) => Promise<{ result: T } & LogResult<K>>,
): Promise<T> =>
  ctx.change(async (tx) => work(tx, await requireEditable(tx, ctx.actor, named)), reachedOf(ctx.actor, named))

/** Prevents privilege escalation: managers change neither system administrators nor other managers (980). */
async function requireRank(tx: Tx, manager: Viewer, userIdxes: readonly number[]): Promise<void> {
  const stronger = await tx
    .selectFrom('users')
    .select('users.idx')
    .where('users.idx', '=', sql<number>`any(${userIdxes})`)
    .where(outranksManager(manager))
    .orderBy('users.idx')
    .execute()
  if (stronger.length > 0) fail('NOT_ALLOWED', { userIdxes: stronger.map(({ idx }) => idx) })
}

/** Announces groups whose users changed. */
export const notifyGroups = (tx: Tx, users: readonly { groupIdx: number }[]): Promise<void> =>
  notifyAll(
    tx,
    [...new Set(users.map(({ groupIdx }) => groupIdx))].map((groupIdx) => ({ topic: 'users', groupIdx })),
  )

/** Announces changed users, each to the viewers of their group. */
export const notifyUsers = (tx: Tx, users: readonly { idx: number; groupIdx: number }[]): Promise<void> =>
  notifyAll(
    tx,
    users.map(({ idx, groupIdx }) => ({ topic: 'users', idx, groupIdx })),
  )
