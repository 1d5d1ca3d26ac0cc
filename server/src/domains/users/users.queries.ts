// Users as rows, for changes. users.search.ts reads them for display.
import { UserState } from '@acc/contract/labels/users'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Tx } from '../../db/open.ts'
import type { Users } from '../../db/schema.gen.ts'

export const insertUser = (tx: Tx, user: Insertable<Users>): Promise<Selectable<Users>> =>
  tx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()

type Columns = Omit<Updateable<Users>, 'state'> & { state?: number | RawBuilder<number> }

/** Changes columns of one or several users. */
export async function updateUsers(tx: Tx, idxes: readonly number[], columns: Columns): Promise<void> {
  await tx
    .updateTable('users')
    .set({ ...columns, revision: sql<number>`revision + 1` })
    .where('idx', '=', sql<number>`any(${idxes})`)
    .execute()
}

/** Suspends users and resets their failures. The other flags of their state remain. Imports do not release them. */
export const updateUsersSuspended = (tx: Tx, idxes: readonly number[]): Promise<void> =>
  updateUsers(tx, idxes, {
    state: sql<number>`state | ${UserState.DISABLED}`,
    loginFails: 0,
    otpFails: 0,
    importSuspended: 0,
  })

/** Releases users, as if they had just been used, and resets their failures. Imports release them no more. */
export const updateUsersReleased = (tx: Tx, idxes: readonly number[], activeDT: Date): Promise<void> =>
  updateUsers(tx, idxes, {
    state: sql<number>`state & ~${UserState.DISABLED}::int`,
    loginFails: 0,
    otpFails: 0,
    activeDT,
    importSuspended: 0,
  })

/** Deletes users with their sessions, devices, own policies and places in authorities. */
export async function deleteUsers(tx: Tx, idxes: readonly number[]): Promise<void> {
  await tx.deleteFrom('users').where('idx', '=', sql<number>`any(${idxes})`).execute()
}

/** Locks users against new references: authorities and BIM targets that name them wait, or are saved first. */
export const lockForDeletion = (tx: Tx, idxes: readonly number[]) =>
  tx
    .selectFrom('users')
    .select('idx')
    .where('idx', '=', sql<number>`any(${idxes})`)
    .orderBy('idx')
    .forUpdate()
    .execute()
