// What people do about their own account without a session: for now, setting a new password (S1 sections 4 and 5).
import { AccountAction, AccountResult, hasFlag, LoginType } from '@acc/contract/enums'
import { today } from '../../clock.ts'
import type { ChangeContext } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import { type Account, updatePassword } from '../credentials/credentials.queries.ts'
import { hashPassword } from '../credentials/hashing.ts'
import { DEFAULT_RULES, isSuitable } from '../credentials/passwordRules.ts'
import { findProven, requireUsable } from '../credentials/prove.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import { endSessionsOf, proveSignIn } from '../session/session.service.ts'

type NewPassword = { id: string; pw: string; newPw: string }

function requireChangeable(account: Account, app: HandlerServices): void {
  requireUsable(account, app.env, today(app.clock))
  if (!hasFlag(account.loginType, LoginType.DEFAULT)) fail('LOGIN_TYPE_REFUSED')
}

/** Sets a new password with the current or a temporary one; every session of the account ends and its owner gets a mail. */
export async function changePassword(
  ctx: ChangeContext<undefined, 'account'>,
  { id, pw, newPw }: NewPassword,
): Promise<Record<string, never>> {
  const { app } = ctx
  const proof = await proveSignIn(ctx, { id, pw }, 'web')
  requireChangeable(proof.account, app)
  if (newPw === pw || !isSuitable(newPw, DEFAULT_RULES)) fail('UNSUITABLE_PASSWORD')
  const pwHash = await hashPassword(newPw)
  return ctx.change(async (tx) => {
    const account = await findProven(tx, proof, app.env)
    requireChangeable(account, app)
    await updatePassword(tx, account.idx, pwHash, app.clock.now())
    await endSessionsOf(tx, app, account.idx)
    await enqueueMail(tx, app, 'passwordChanged', {
      to: account.email,
      name: account.name,
      when: app.clock.now(),
      ip: ctx.ip,
    })
    const log = {
      kind: 'account',
      type: AccountAction.CHANGE_PW,
      result: AccountResult.SUCCESS,
      subject: account.id,
      subjectIdx: account.idx,
      groupIdx: account.groupIdx,
      detail: { userId: account.id, userName: account.name, userGroupName: account.groupName },
    } as const
    return { result: {}, log: [log] }
  })
}
