import type { Empty } from '@acc/contract/core/fields'
import { hasFlag, withFlag } from '@acc/contract/labels/flags'
import { UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import type { Insertable } from 'kysely'
import { notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { requireOthers } from '../../core/scope.ts'
import type { HandlerServices } from '../../core/services.ts'
import { userLog } from '../../core/userLog.ts'
import type { Tx } from '../../db/open.ts'
import type { Users } from '../../db/schema.gen.ts'
import { findContextWords } from '../configs/configs.contextWords.ts'
import { insertFormerPassword } from '../credentials/formerPasswords.ts'
import { TEMPORARY_HOURS, type TemporaryPassword, temporaryPassword } from '../credentials/temporaryPasswords.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import { endSessionsOf } from '../session/session.service.ts'
import { requireEditableOne, requireNoAdmin } from './users.guards.ts'
import { findUsers, updateUsers } from './users.queries.ts'

/** The columns of an account that signs in with a temporary password only. */
export const newStateOf = (password: TemporaryPassword): Pick<Insertable<Users>, 'tmpPwHash' | 'tmpPwExpireDT'> => ({
  tmpPwHash: password.hash,
  tmpPwExpireDT: password.expireDT,
})

export const mailTemporaryPassword = (
  tx: Tx,
  services: HandlerServices,
  user: { email: string; name: string; id: string },
  text: string,
  reason: 'created' | 'reset',
) =>
  enqueueMail(tx, services, 'temporaryPassword', {
    to: user.email,
    name: user.name,
    id: user.id,
    password: text,
    validHours: TEMPORARY_HOURS,
    reason,
  })

/** Puts a temporary password in place of a user's own and mails it to them. */
export async function resetPassword(ctx: Change<'userManage'>, { idx }: { idx: number }): Promise<Empty> {
  const { services, actor } = ctx
  requireOthers(actor, [idx])
  // Only to keep the person's own words out of the password: whether they exist and may be edited is asked below.
  const [user = { id: '', name: '', email: '' }] = await findUsers(ctx.read, [idx])
  const words = await findContextWords(ctx.read, services, user)
  const password = await temporaryPassword(services, ctx.read, words)
  return ctx.change(async (tx) => {
    const before = await requireEditableOne(tx, actor, idx)
    requireNoAdmin([before])
    if (hasFlag(before.state, UserState.DISABLED)) fail('DISABLED_USER')
    if (before.email === '') fail('NO_EMAIL')
    const columns = {
      ...newStateOf(password),
      state: withFlag(before.state, UserState.NEW),
      pwHash: null,
      pwSetDT: null,
      loginFails: 0,
    }
    await insertFormerPassword(tx, idx)
    await updateUsers(tx, [idx], columns)
    await endSessionsOf(tx, services, idx)
    await mailTemporaryPassword(tx, services, before, password.text, 'reset')
    await notify(tx, { topic: 'users', idx, groupIdx: before.groupIdx })
    const after = { ...before, ...columns }
    return { result: {}, log: [userLog(UserManage.RESET_PW, after, before)] }
  })
}
