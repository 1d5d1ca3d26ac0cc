import type { Empty } from '@acc/contract/core/fields'
import { hasFlag, withFlag, withoutFlag } from '@acc/contract/labels/flags'
import { UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import { logOf, notifyAll } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { requireOthers } from '../../core/scope.ts'
import { type UserRow, userLog } from '../../core/userLog.ts'
import type { Env } from '../../env.ts'
import { isLocked } from '../credentials/credentials.queries.ts'
import { endSessionOf, endSessionsOf } from '../session/session.service.ts'
import { requireEditable, requireEditableOne, requireNoAdmin } from './users.guards.ts'
import { updateUsersReleased, updateUsersSuspended } from './users.queries.ts'

/** Whether a state would change. An account locked by failures is not suspended: its open sessions continue until it is. */
const isChanging = (user: UserRow, isDisabled: boolean, env: Env): boolean =>
  isDisabled ? !hasFlag(user.state, UserState.DISABLED) || isLocked(user, env) : hasFlag(user.state, UserState.DISABLED)

/**
 * Suspends or releases users, and forgets their failures: all of them or none. A temporary password stays one. Those whose state is
 * the wanted one already are unchanged.
 */
export function setDisabledOfMany(
  ctx: Change<'userManage'>,
  { idxes, state }: { idxes: number[]; state: number },
): Promise<Empty> {
  const { services, actor } = ctx
  requireOthers(actor, idxes)
  const isDisabled = hasFlag(state, UserState.DISABLED)
  return ctx.change(async (tx) => {
    const users = await requireEditable(tx, actor, idxes)
    requireNoAdmin(users)
    const changing = users.filter((user) => isChanging(user, isDisabled, services.env))
    const changed = changing.map(({ idx }) => idx)
    if (isDisabled) await updateUsersSuspended(tx, changed)
    else await updateUsersReleased(tx, changed, services.clock.now())
    if (isDisabled) await endSessionsOf(tx, services, changed)
    await notifyAll(
      tx,
      changing.map(({ idx, groupIdx }) => ({ topic: 'users', idx, groupIdx })),
    )
    const type = isDisabled ? UserManage.DISABLED : UserManage.ENABLED
    const withState = (user: UserRow) => ({
      ...user,
      state: (isDisabled ? withFlag : withoutFlag)(user.state, UserState.DISABLED),
    })
    return { result: {}, log: logOf(changing.map((before) => userLog(type, withState(before), before))) }
  })
}

export const setDisabled = (ctx: Change<'userManage'>, { idx, state }: { idx: number; state: number }) =>
  setDisabledOfMany(ctx, { idxes: [idx], state })

/** Ends one of a user's open sign-ins. */
export function endUserSession(
  ctx: Change<'userManage'>,
  { idx, sessionIdx }: { idx: number; sessionIdx: number },
): Promise<Empty> {
  return ctx.change(async (tx) => {
    const user = await requireEditableOne(tx, ctx.actor, idx)
    if (!(await endSessionOf(tx, ctx.services, idx, sessionIdx))) fail('NOT_ALLOWED')
    return { result: {}, log: [userLog(UserManage.END_SESSION, user, user)] }
  })
}
