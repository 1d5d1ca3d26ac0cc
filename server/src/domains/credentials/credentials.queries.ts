// The columns of an account that a sign-in needs: passwords, state, failed attempts.
import { UserState } from '@acc/contract/labels/users'
import { sql } from 'kysely'
import { hours, later } from '../../clock.ts'
import { isManager } from '../../core/grants.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { insertFormerPassword } from './formerPasswords.ts'

type By = { id: string } | { idx: number } | { email: string }

const selectAccount = (db: Reader, by: By) =>
  db
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .select([
      'users.idx',
      'users.id',
      'users.name',
      'users.email',
      'users.groupIdx',
      'groups.name as groupName',
      'users.isAdmin',
      'users.loginType',
      'users.state',
      'users.isMortal',
      'users.expireDT',
      'users.pwHash',
      'users.pwSetDT',
      'users.tmpPwHash',
      'users.tmpPwExpireDT',
      'users.loginFails',
      'users.otpFails',
      // Null follows the login policy.
      'users.useOtp',
      'users.otpSecret',
      'users.isSinglePC',
      'users.activeDT',
    ])
    .select(({ exists, selectFrom }) => [
      isManager(sql.ref('users.idx')).as('isManager'),
      exists(
        selectFrom('groups as dms')
          .select('dms.idx')
          .where('dms.isDmsParent', '=', 1)
          .whereRef('dms.idx', '=', sql<number>`any(groups.path)`)
          .whereRef('dms.idx', '!=', 'groups.idx'),
      )
        .$castTo<boolean>()
        .as('isPartner'),
    ])
    .where((eb) => {
      if ('idx' in by) return eb('users.idx', '=', by.idx)
      return 'id' in by
        ? eb(sql`lower(users.id)`, '=', by.id.toLowerCase())
        : eb(sql`lower(users.email)`, '=', by.email.toLowerCase())
    })

export type Account = Awaited<ReturnType<ReturnType<typeof selectAccount>['executeTakeFirstOrThrow']>>

/** Finds an account by its sign-in name or email address in any case. */
export const findAccount = (db: Reader, by: By): Promise<Account | undefined> =>
  selectAccount(db, by).executeTakeFirst()

/** Locks and returns an account. Other changes of it, which may end its sessions, happen before or after. */
export async function lockAccount(tx: Tx, idx: number): Promise<Account | undefined> {
  const locked = await selectAccount(tx, { idx }).forNoKeyUpdate('users').executeTakeFirst()
  // If the user was moved during the wait for the lock, the join returns no row, but the row is locked.
  return locked ?? findAccount(tx, { idx })
}

/**
 * Counts a wrong password or code and returns the failures so far. Disables the account at `max`, also where a lowered
 * limit was already exceeded.
 */
export async function updateFailed(
  tx: Tx,
  userIdx: number,
  counter: 'loginFails' | 'otpFails',
  max: number,
): Promise<number> {
  const fails = sql.ref<number>(counter)
  const isLast = sql<boolean>`${fails} + 1 >= ${max}`
  const row = await tx
    .updateTable('users')
    .set({
      [counter]: sql<number>`greatest(${fails}, least(${fails} + 1, ${max}))`,
      state: sql<number>`case when ${isLast} then state | ${UserState.DISABLED} else state end`,
      revision: sql<number>`revision + (${isLast} and state & ${UserState.DISABLED} = 0)::int`,
    })
    .where('idx', '=', userIdx)
    .returning(`${counter} as fails`)
    .executeTakeFirst()
  return row?.fails ?? 0
}

export async function updateFailsCleared(tx: Tx, userIdx: number): Promise<void> {
  await tx.updateTable('users').set({ loginFails: 0 }).where('idx', '=', userIdx).where('loginFails', '>', 0).execute()
}

/** Sets an own password. A temporary one is void from then on. */
export async function updatePassword(tx: Tx, userIdx: number, pwHash: string, at: Date): Promise<void> {
  await insertFormerPassword(tx, userIdx)
  await tx
    .updateTable('users')
    .set({
      pwHash,
      pwSetDT: at,
      tmpPwHash: null,
      tmpPwExpireDT: null,
      loginFails: 0,
      state: sql<number>`state & ~${UserState.NEW}::int`,
      revision: sql<number>`revision + 1`,
    })
    .where('idx', '=', userIdx)
    .execute()
}

/** Stores, to the hour, when the account was last used. */
export async function updateActive(tx: Tx, { idx, activeDT }: Pick<Account, 'idx' | 'activeDT'>, at: Date) {
  if (activeDT < later(at, -hours(1)))
    await tx.updateTable('users').set({ activeDT: at }).where('idx', '=', idx).execute()
}

/** Stores a temporary password in addition to the account's own. */
export const updateTemporaryPassword = (
  tx: Tx,
  userIdx: number,
  { hash, expireDT }: { hash: string; expireDT: Date },
) => tx.updateTable('users').set({ tmpPwHash: hash, tmpPwExpireDT: expireDT }).where('idx', '=', userIdx).execute()
