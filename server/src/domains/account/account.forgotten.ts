// Forgotten passwords and IDs (spec S1 §2, §4, §7). Anyone may ask for any account. A temporary password does not
// replace the account's own, and only people with a code learn the account's state.
import { AccountAction } from '@acc/contract/labels/history'
import { hours, today } from '../../clock.ts'
import { Failure, fail } from '../../core/errors.ts'
import { networkOf } from '../../core/networks.ts'
import type { Tx } from '../../db/open.ts'
import { maskEmail } from '../../mail/templates.ts'
import { findContextWords } from '../configs/configs.contextWords.ts'
import { type Account, findAccount, lockAccount, updateTemporaryPassword } from '../credentials/credentials.queries.ts'
import { TEMPORARY_HOURS, type TemporaryPassword, temporaryPassword } from '../credentials/passwordRules.ts'
import { requireUsable } from '../credentials/signInAttempts.ts'
import { recordCount, requireCount } from '../credentials/throttles.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import { isOtpNeeded, requireCode, requireSameFactor } from '../otp/otp.service.ts'
import { requirePasswordAccount } from '../session/session.signIn.ts'
import { type AccountContext, accountLog, logWrongOtp } from './account.history.ts'

/** Forgotten IDs and passwords of one network within an hour. More suggest a list of IDs. */
const MAX_OF_NETWORK = 60
/** Temporary passwords of one account within an hour. */
const MAX_OF_ACCOUNT = 5

/** Counts calls of a network, with or without an existing account. */
const requireNetworkTry = (ctx: AccountContext): Promise<void> => {
  const limit = { key: `forgotten:address:${networkOf(ctx.ip)}`, max: MAX_OF_NETWORK, window: hours(1) }
  return recordCount(ctx, limit, ctx.services.clock.now())
}

/** Locks and returns the account. Fails with 107 if its factor changed after its code was checked. */
async function lockUnchanged(tx: Tx, found: Account): Promise<Account> {
  const account = await lockAccount(tx, found.idx)
  if (account === undefined) return fail('WRONG_CREDENTIALS')
  requireSameFactor(found, account)
  return account
}

/** Returns whether the account may not have a password. */
function isRefused(ctx: AccountContext, account: Account): boolean {
  try {
    requirePasswordAccount(ctx, account)
    return false
  } catch (error) {
    if (error instanceof Failure) return true
    throw error
  }
}

/** Stores a temporary password in addition to the account's own and mails it. */
async function mailTemporary(tx: Tx, { services }: AccountContext, account: Account, password: TemporaryPassword) {
  const { idx, id, name, email } = account
  await updateTemporaryPassword(tx, idx, password)
  const mail = {
    to: email,
    name,
    id,
    password: password.text,
    validHours: TEMPORARY_HOURS,
    reason: 'requested',
  } as const
  await enqueueMail(tx, services, 'temporaryPassword', mail)
}

/**
 * Mails a temporary password and returns the masked address. Unknown IDs fail with 100 after the same work. Without a
 * code, only a mail informs the owner that the account's state allows no temporary password.
 */
export async function resetPassword(
  ctx: AccountContext,
  { id, otp }: { id: string; otp?: string | undefined },
): Promise<{ email: string }> {
  const { services } = ctx
  await requireNetworkTry(ctx)
  const found = await findAccount(ctx.read, { id })
  const words = await findContextWords(ctx.read, services, found ?? { id, name: '', email: '' })
  const password = await temporaryPassword({ ...services, ip: ctx.ip }, ctx.read, words)
  if (found === undefined) return fail('WRONG_CREDENTIALS')
  if (found.email === '') fail('NO_EMAIL')
  const isProven = await isOtpNeeded(ctx.read, found)
  if (isProven) {
    await requireCode(ctx, found, { purpose: 'findPw', otp }, logWrongOtp(ctx, found, AccountAction.FIND_PW))
  }
  return ctx.change(async (tx) => {
    const account = await lockUnchanged(tx, found)
    const limit = { key: `resetPw:${account.idx}`, max: MAX_OF_ACCOUNT, window: hours(1) }
    if (isProven) requirePasswordAccount(ctx, account)
    await requireCount(tx, limit, services.clock.now())
    const result = { email: maskEmail(account.email) }
    if (isRefused(ctx, account)) {
      await enqueueMail(tx, services, 'passwordNotReset', { to: account.email, name: account.name })
      return { result, log: 'unchanged' }
    }
    await mailTemporary(tx, ctx, account, password)
    return { result, log: [accountLog(account, AccountAction.FIND_PW)] }
  })
}

/** Returns a name for comparison, without differences in case and blanks. */
const comparableName = (name: string) => name.normalize('NFC').toLowerCase().trim().replace(/\s+/gu, ' ')

/** Returns the ID of a name and address to people with a code of the account. Fails with 100 if these do not match. */
export async function findId(
  ctx: AccountContext,
  { name, email, otp }: { name: string; email: string; otp?: string | undefined },
): Promise<{ id: string }> {
  const { services } = ctx
  await requireNetworkTry(ctx)
  const found = await findAccount(ctx.read, { email })
  if (found === undefined || comparableName(found.name) !== comparableName(name)) return fail('WRONG_CREDENTIALS')
  await requireCode(ctx, found, { purpose: 'findId', otp }, logWrongOtp(ctx, found, AccountAction.FIND_ID))
  return ctx.change(async (tx) => {
    const account = await lockUnchanged(tx, found)
    requireUsable(account, services.env, today(services.clock))
    return { result: { id: account.id }, log: [accountLog(account, AccountAction.FIND_ID)] }
  })
}
