// Self-service with the current password: a new password, and registering an authenticator (spec S1 §2, §4, §5).

import type { OtpRegistration } from '@acc/contract/account'
import type { AccountProtection } from '@acc/contract/accountProtection'
import { findContextWord, wordsOf } from '@acc/contract/contextWords'
import type { Empty } from '@acc/contract/core/fields'
import { AccountAction } from '@acc/contract/labels/history'
import { days, later } from '../../clock.ts'
import { notify } from '../../core/change.ts'
import type { Actor, FreeContext } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { findContextWords, productWords } from '../configs/configs.contextWords.ts'
import { isNew } from '../credentials/accountStates.ts'
import { isCommonPassword } from '../credentials/commonPasswords.ts'
import { type Account, updatePassword } from '../credentials/credentials.queries.ts'
import { findPasswords, findProtection } from '../credentials/formerPasswords.ts'
import { hashPassword, matchesHash, withHashingSlot } from '../credentials/hashing.ts'
import { findPasswordRules, isSuitable } from '../credentials/passwordRules.ts'
import { lockVerifiedAccount, temporaryHashOf, type VerifiedPassword } from '../credentials/signInAttempts.ts'
import { enqueueChangeMail } from '../mails/mails.service.ts'
import { registerPending, requirePendingCode, startRegistration } from '../otp/otp.registration.ts'
import { isOtpNeeded, requireCode, requireSameFactor } from '../otp/otp.service.ts'
import { endSessionsOf } from '../session/session.service.ts'
import { orLogRefusal, requirePasswordAccount, requireSignIn, verifySignIn } from '../session/session.signIn.ts'
import { type AccountContext, accountLog, logWrongOtp } from './account.history.ts'

type NewPassword = { id: string; pw: string; newPw: string; otp?: string | undefined }

/** Rejects passwords that contain one of the words with 108. */
function requireNoContextWord(newPw: string, words: readonly string[]): void {
  const word = findContextWord(newPw, words)
  if (word !== undefined) fail('UNSUITABLE_PASSWORD', { reason: 'context', word })
}

/** Rejects protected passwords with 108 and a reason. A temporary password may be replaced at any time. */
async function requireProtected(
  { services, read }: AccountContext,
  { passwordHistory, minPasswordDays, contextWords }: AccountProtection,
  { account, usedTemporary }: VerifiedPassword,
  newPw: string,
): Promise<void> {
  if (contextWords === 1) requireNoContextWord(newPw, await findContextWords(read, services, account))
  const { hashes, setDT } = await findPasswords(read, account.idx, passwordHistory)
  const isLimited = minPasswordDays > 0 && !usedTemporary && !isNew(account)
  if (isLimited && setDT !== null && later(setDT, days(minPasswordDays)) > services.clock.now())
    fail('UNSUITABLE_PASSWORD', { reason: 'tooSoon', days: minPasswordDays })
  for (const hash of hashes)
    if (await withHashingSlot(() => matchesHash(hash, newPw)))
      fail('UNSUITABLE_PASSWORD', { reason: 'former', count: passwordHistory })
}

/** Rejects a temporary password as the person's own, also after a sign-in with the own one. */
async function requireNotTemporary({ services }: AccountContext, account: Account, newPw: string): Promise<void> {
  const temporary = temporaryHashOf(account, services.clock.now())
  const isTemporary = temporary !== null && (await withHashingSlot(() => matchesHash(temporary, newPw)))
  if (isTemporary) fail('UNSUITABLE_PASSWORD', { reason: 'temporary' })
}

/**
 * Requires a code of people who sign in with one, and returns whether they have to register an authenticator
 * afterwards. After a temporary password, which came by mail, a code by mail would prove nothing.
 */
async function requireFactor(
  ctx: AccountContext,
  { account, usedTemporary }: VerifiedPassword,
  otp: string | undefined,
): Promise<{ isUnregistered: boolean }> {
  if (!(await isOtpNeeded(ctx.read, account))) return { isUnregistered: false }
  const hasNone = account.otpSecret === null
  if (hasNone && ctx.services.env.otpMethod === 'totp') return { isUnregistered: true }
  if (hasNone && (usedTemporary || isNew(account))) return { isUnregistered: false }
  await requireCode(ctx, account, { purpose: 'changePw', otp }, logWrongOtp(ctx, account, AccountAction.CHANGE_PW))
  return { isUnregistered: false }
}

/**
 * Sets a new password with the current or a temporary one, ends every session of the account and mails its owner.
 * Returns a key to register if the account needs an authenticator and has none.
 */
export async function changePassword(
  ctx: AccountContext,
  { id, pw, newPw, otp }: NewPassword,
): Promise<Partial<OtpRegistration>> {
  const { services } = ctx
  // Checked first: the rules are public, and a later refusal would show that the current password is correct.
  const rules = await findPasswordRules(ctx.read)
  if (newPw === pw || !(await isSuitable(newPw, rules, services.log))) fail('UNSUITABLE_PASSWORD')
  const protection = await findProtection(ctx.read)
  if (protection.commonPasswords === 1 && isCommonPassword(newPw)) fail('UNSUITABLE_PASSWORD', { reason: 'common' })
  // Public words first. The person's other words follow after the password was verified.
  if (protection.contextWords === 1) requireNoContextWord(newPw, [...productWords(services.env), ...wordsOf(id)])
  const verified = await verifySignIn(ctx, { id, pw }, 'web')
  const found = verified.account
  await orLogRefusal(ctx, verified, 'web', async () => {
    requirePasswordAccount(ctx, found)
    await requireNotTemporary(ctx, found, newPw)
    await requireProtected(ctx, protection, verified, newPw)
  })
  const { isUnregistered } = await requireFactor(ctx, verified, otp)
  const pwHash = await hashPassword(newPw)
  await orLogRefusal(ctx, verified, 'web', () =>
    ctx.change(async (tx) => {
      const account = await lockVerifiedAccount(tx, verified, ctx.services)
      requirePasswordAccount(ctx, account)
      requireSameFactor(found, account)
      const when = services.clock.now()
      await updatePassword(tx, account.idx, pwHash, when)
      await endSessionsOf(tx, services, account.idx)
      await enqueueChangeMail(tx, services, 'passwordChanged', {
        to: account.email,
        name: account.name,
        when,
        ip: ctx.ip,
      })
      // The list of users shows temporary passwords.
      await notify(tx, { topic: 'users', idx: account.idx, groupIdx: account.groupIdx })
      return { result: {}, log: [accountLog(account, AccountAction.CHANGE_PW)] }
    }),
  )
  return (isUnregistered && (await startRegistration(ctx, found))) || {}
}

/**
 * Registers the pending authenticator with the password and one of its codes. Ends every session of the account,
 * because they were opened without it.
 */
export async function registerOtp(
  ctx: AccountContext,
  { id, pw, otp }: { id: string; pw: string; otp: string },
): Promise<Empty> {
  const { services } = ctx
  const verified = await verifySignIn(ctx, { id, pw }, 'web')
  await orLogRefusal(ctx, verified, 'web', async () => {
    await requireSignIn(ctx, ctx.read, verified.account, verified)
    if (verified.account.otpSecret !== null) fail('OTP_ALREADY_REGISTERED')
  })
  const onWrong = logWrongOtp(ctx, verified.account, AccountAction.REGISTER_OTP)
  const pending = await requirePendingCode(ctx, verified.account, otp, onWrong)
  return orLogRefusal(ctx, verified, 'web', () =>
    ctx.change(async (tx) => {
      const account = await lockVerifiedAccount(tx, verified, ctx.services)
      await requireSignIn(ctx, tx, account, verified)
      await registerPending(tx, services, account, pending)
      await endSessionsOf(tx, services, account.idx)
      await notify(tx, { topic: 'users', idx: account.idx, groupIdx: account.groupIdx })
      return { result: {}, log: [accountLog(account, AccountAction.REGISTER_OTP)] }
    }),
  )
}

/** Returns a key to register for the caller, who has no authenticator. */
export const createQrCode = async (ctx: FreeContext<Actor>) =>
  (await startRegistration(ctx, ctx.actor)) ?? fail('OTP_ALREADY_REGISTERED')
