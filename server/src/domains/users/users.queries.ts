// Users as rows, for changes; their display form is in users.search.ts.
import { UserState } from '@acc/contract/labels/users'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { UserRow } from '../../core/userLog.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { Users } from '../../db/schema.gen.ts'

/** The users, in the order of their idxes. */
export const findUsers = (db: Reader, idxes: readonly number[]): Promise<UserRow[]> =>
  db
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .selectAll('users')
    .select('groups.name as groupName')
    .where('users.idx', '=', sql<number>`any(${idxes})`)
    .orderBy('users.idx')
    .execute()

export const insertUser = (tx: Tx, user: Insertable<Users>): Promise<Selectable<Users>> =>
  tx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()

/** Changes columns of one or several users. */
export async function updateUsers(tx: Tx, idxes: readonly number[], columns: Updateable<Users>): Promise<void> {
  await tx
    .updateTable('users')
    .set({ ...columns, revision: sql<number>`revision + 1` })
    .where('idx', '=', sql<number>`any(${idxes})`)
    .execute()
}

/** Suspends users and forgets their failures; what else their state says stays. */
export async function updateUsersSuspended(tx: Tx, idxes: readonly number[]): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      state: sql<number>`state | ${UserState.DISABLED}`,
      loginFails: 0,
      otpFails: 0,
      revision: sql<number>`revision + 1`,
    })
    .where('idx', '=', sql<number>`any(${idxes})`)
    .execute()
}

/** Releases users, as if they had just been used, and forgets their failures. */
export async function updateUsersReleased(tx: Tx, idxes: readonly number[], at: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      state: sql<number>`state & ~${UserState.DISABLED}::int`,
      loginFails: 0,
      otpFails: 0,
      activeDT: at,
      revision: sql<number>`revision + 1`,
    })
    .where('idx', '=', sql<number>`any(${idxes})`)
    .execute()
}

/** Deletes users with their sessions, devices, own policies and places in authorities. */
export async function deleteUsers(tx: Tx, idxes: readonly number[]): Promise<void> {
  await tx.deleteFrom('users').where('idx', '=', sql<number>`any(${idxes})`).execute()
}

/** Locks users against everything that would name them: authorities and targets of BIM that are being saved wait, or end first. */
export const lockForDeletion = (tx: Tx, idxes: readonly number[]) =>
  tx
    .selectFrom('users')
    .select('idx')
    .where('idx', '=', sql<number>`any(${idxes})`)
    .orderBy('idx')
    .forUpdate()
    .execute()
