// Suspending and releasing accounts, their last day, and ending sign-ins (spec S1 §5).
import type { Empty } from '@acc/contract/core/fields'
import { hasFlag, withFlag, withoutFlag } from '@acc/contract/labels/flags'
import { UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import { logOf } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { changePeople, notifyUsers } from '../../core/people.ts'
import { type UserRow, userLog } from '../../core/userLog.ts'
import type { Env } from '../../env.ts'
import { isDisabled, isSuspended } from '../credentials/accountStates.ts'
import { endSessionOf, endSessionsOf } from '../session/session.service.ts'
import { updateUsers, updateUsersReleased, updateUsersSuspended } from './users.queries.ts'
import { requireExpiry } from './users.service.ts'

/**
 * Returns whether a state would change. Sessions of an account locked by failures continue until its suspension, and
 * an import may release the one that it suspended.
 */
const isChanging = (user: UserRow, isSuspending: boolean, env: Env): boolean =>
  isSuspending ? !isSuspended(user, env) || user.importSuspended === 1 : isDisabled(user)

/** Suspends or releases users and resets their failures. A temporary password remains one. */
export function setDisabledOfMany(
  ctx: Change<'userManage'>,
  { idxes, state }: { idxes: number[]; state: number },
): Promise<Empty> {
  const { services } = ctx
  const isSuspending = hasFlag(state, UserState.DISABLED)
  const named = { page: 'user', userIdxes: idxes, own: 'refused', admins: 'refused' } as const
  return changePeople(ctx, named, async (tx, users) => {
    const changing = users.filter((user) => isChanging(user, isSuspending, services.env))
    const changed = changing.map(({ idx }) => idx)
    if (isSuspending) {
      await updateUsersSuspended(tx, changed)
      await endSessionsOf(tx, services, changed)
    } else await updateUsersReleased(tx, changed, services.clock.now())
    await notifyUsers(tx, changing)
    const type = isSuspending ? UserManage.DISABLED : UserManage.ENABLED
    const stateOf = isSuspending ? withFlag : withoutFlag
    const log = changing.map((before) =>
      userLog(type, { ...before, state: stateOf(before.state, UserState.DISABLED) }, before),
    )
    return { result: {}, log: logOf(log) }
  })
}

export const setDisabled = (ctx: Change<'userManage'>, { idx, state }: { idx: number; state: number }) =>
  setDisabledOfMany(ctx, { idxes: [idx], state })

type Expiry = { idxes: number[]; isMortal: 0 | 1; expireDT?: string | null | undefined }

/** Sets or removes the last day of accounts. Those that have it already are unchanged. */
export function setExpiry(
  ctx: Change<'userManage'>,
  { idxes, isMortal, expireDT: day = null }: Expiry,
): Promise<Empty> {
  const expireDT = isMortal === 1 ? day : null
  if (isMortal === 1) requireExpiry(ctx.services, expireDT)
  const named = { page: 'user', userIdxes: idxes, own: 'refused', admins: 'refused' } as const
  return changePeople(ctx, named, async (tx, users) => {
    const changing = users.filter((user) => user.isMortal !== isMortal || user.expireDT !== expireDT)
    const changed = changing.map(({ idx }) => idx)
    if (changed.length > 0) await updateUsers(tx, changed, { isMortal, expireDT })
    await notifyUsers(tx, changing)
    const log = changing.map((before) => userLog(UserManage.UPDATE, { ...before, isMortal, expireDT }, before))
    return { result: {}, log: logOf(log) }
  })
}

/** Ends one of a user's open sign-ins. */
export function endUserSession(
  ctx: Change<'userManage'>,
  { idx, sessionIdx }: { idx: number; sessionIdx: number },
): Promise<Empty> {
  const named = { page: 'user', userIdxes: [idx], own: 'allowed', admins: 'byAdmins' } as const
  return changePeople(ctx, named, async (tx, [user]) => {
    if (!(await endSessionOf(tx, ctx.services, idx, sessionIdx))) fail('NOT_ALLOWED')
    return { result: {}, log: [userLog(UserManage.END_SESSION, user, user)] }
  })
}
