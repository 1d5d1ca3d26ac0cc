import type { Empty } from '@acc/contract/core/fields'
import { hasFlag, withFlag, withoutFlag } from '@acc/contract/labels/flags'
import { UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import { notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { requireOthers } from '../../core/scope.ts'
import { userLog } from '../../core/userLog.ts'
import { isLocked } from '../credentials/credentials.queries.ts'
import { endSessionOf, endSessionsOf } from '../session/session.service.ts'
import { requireEditableOne, requireNoAdmin } from './users.guards.ts'
import { updateUsers } from './users.queries.ts'

/** Suspends or releases a user, and forgets failures. A temporary password stays one. */
export function setDisabled(ctx: Change<'userManage'>, { idx, state }: { idx: number; state: number }): Promise<Empty> {
  const { services, actor } = ctx
  requireOthers(actor, [idx])
  return ctx.change(async (tx) => {
    const before = await requireEditableOne(tx, actor, idx)
    requireNoAdmin([before])
    const isDisabled = hasFlag(state, UserState.DISABLED)
    // An account locked by failures is not suspended: its open sessions continue until an administrator suspends it.
    const wasSuspended = hasFlag(before.state, UserState.DISABLED) && !isLocked(before, services.env)
    if (isDisabled ? wasSuspended : !hasFlag(before.state, UserState.DISABLED)) return { result: {}, log: 'unchanged' }
    const after = {
      ...before,
      state: (isDisabled ? withFlag : withoutFlag)(before.state, UserState.DISABLED),
    }
    await updateUsers(tx, [idx], {
      state: after.state,
      loginFails: 0,
      otpFails: 0,
      ...(!isDisabled && { activeDT: services.clock.now() }),
    })
    if (isDisabled) await endSessionsOf(tx, services, idx)
    await notify(tx, { topic: 'users', idx, groupIdx: after.groupIdx })
    const type = isDisabled ? UserManage.DISABLED : UserManage.ENABLED
    return { result: {}, log: [userLog(type, after, before)] }
  })
}

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
