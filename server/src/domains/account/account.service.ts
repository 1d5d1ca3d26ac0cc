// Self-service for one's own account without a session: setting a new password (spec S1 §4, §5).
import { AccountAction, AccountResult } from '@acc/contract/labels/history'
import type { ChangeContext } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { type Account, updatePassword } from '../credentials/credentials.queries.ts'
import { hashPassword, matchesHash, withHashingSlot } from '../credentials/hashing.ts'
import { DEFAULT_RULES, isSuitable } from '../credentials/passwordRules.ts'
import { lockVerifiedAccount, temporaryHashOf } from '../credentials/signInAttempts.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import { endSessionsOf } from '../session/session.service.ts'
import { orLogRefusal, requirePasswordAccount, verifySignIn } from '../session/session.signIn.ts'

type Context = ChangeContext<undefined, 'account'>
type NewPassword = { id: string; pw: string; newPw: string }

/** A temporary password must not become the person's own, whichever of the two they proved themselves with. */
async function requireNotTemporary({ app }: Context, account: Account, newPw: string): Promise<void> {
  const temporary = temporaryHashOf(account, app.clock.now())
  const isTemporary = temporary !== null && (await withHashingSlot(() => matchesHash(temporary, newPw)))
  if (isTemporary) fail('UNSUITABLE_PASSWORD')
}

const changeLog = (account: Account) =>
  ({
    kind: 'account',
    type: AccountAction.CHANGE_PW,
    result: AccountResult.SUCCESS,
    subject: account.id,
    subjectIdx: account.idx,
    groupIdx: account.groupIdx,
    detail: { userId: account.id, userName: account.name, userGroupName: account.groupName },
  }) as const

/** Sets a new password with the current or a temporary one; every session of the account ends and its owner gets a mail. */
export async function changePassword(ctx: Context, { id, pw, newPw }: NewPassword): Promise<Record<string, never>> {
  const { app } = ctx
  // First of all: the rules are public, and a refusal after the password was verified would show that it is right.
  if (newPw === pw || !isSuitable(newPw, DEFAULT_RULES)) fail('UNSUITABLE_PASSWORD')
  const verified = await verifySignIn(ctx, { id, pw }, 'web')
  return orLogRefusal(ctx, verified, 'web', async () => {
    requirePasswordAccount(ctx, verified.account)
    await requireNotTemporary(ctx, verified.account, newPw)
    const pwHash = await hashPassword(newPw)
    return ctx.change(async (tx) => {
      const account = await lockVerifiedAccount(tx, verified, ctx.app)
      requirePasswordAccount(ctx, account)
      const when = app.clock.now()
      await updatePassword(tx, account.idx, pwHash, when)
      await endSessionsOf(tx, app, account.idx)
      await enqueueMail(tx, app, 'passwordChanged', { to: account.email, name: account.name, when, ip: ctx.ip })
      return { result: {}, log: [changeLog(account)] }
    })
  })
}
