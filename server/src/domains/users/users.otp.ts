import type { Empty } from '@acc/contract/core/fields'
import { hasFlag } from '@acc/contract/labels/flags'
import { UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import { notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { requireOthers } from '../../core/scope.ts'
import { userLog } from '../../core/userLog.ts'
import { enqueueChangeMail } from '../mails/mails.service.ts'
import { endSessionsOf } from '../session/session.service.ts'
import { requireEditableOne } from './users.guards.ts'
import { updateUsers } from './users.queries.ts'

/** The columns of an account without an authenticator. */
export const NO_OTP = {
  otpSecret: null,
  otpStep: null,
  otpPending: null,
  otpPendingExpireDT: null,
  otpFails: 0,
} as const

/**
 * Removes a user's authenticator and notifies them by mail. A system administrator's is removed by another one: unlike a
 * password, a lost authenticator cannot be replaced by its owner.
 */
export function resetTotpSecret(ctx: Change<'userManage'>, { idx }: { idx: number }): Promise<Empty> {
  const { services, actor } = ctx
  requireOthers(actor, [idx])
  return ctx.change(async (tx) => {
    const before = await requireEditableOne(tx, actor, idx)
    if (hasFlag(before.state, UserState.DISABLED)) fail('DISABLED_USER')
    if (before.otpSecret === null) fail('NO_OTP_TO_RESET')
    await updateUsers(tx, [idx], NO_OTP)
    await endSessionsOf(tx, services, idx)
    const mail = { to: before.email, name: before.name, when: services.clock.now(), change: 'reset' } as const
    await enqueueChangeMail(tx, services, 'secondFactorChanged', mail)
    await notify(tx, { topic: 'users', idx, groupIdx: before.groupIdx })
    return { result: {}, log: [userLog(UserManage.RESET_TOTP, { ...before, ...NO_OTP }, before)] }
  })
}
