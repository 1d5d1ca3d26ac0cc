// The second factor: whether an account needs one, asking for it, and judging a code (spec S1 §1, §4, §8). Wrong codes are
// counted on the account, over all calls that take one, in a transaction that survives the call.
import type { ErrorName } from '@acc/contract/core/errors'
import type { Recorder } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { findSetting, holdSetting } from '../../settings/settings.ts'
import { type Account, updateFailed } from '../credentials/credentials.queries.ts'
import { countWrongCode, deleteCodeCounts, findAdminCodes, mustCodeWait } from './otp.admin.ts'
import { checkCode, failFactor, sendCode } from './otp.codes.ts'
import { type Factor, lockFactor, type OtpPurpose, updateFactor } from './otp.queries.ts'
import { openSecret, stepOf } from './totp.ts'

export type OtpContext = { services: HandlerServices; read: Reader; ip: string } & Recorder

/** Records a wrong code in the transaction that counts it. */
export type OnWrongOtp = (tx: Tx, isExceeded: boolean) => Promise<unknown>

/** Whether the account signs in with a one-time password: its own setting, else the login policy's. */
export const isOtpNeeded = async (db: Reader, { useOtp }: Account): Promise<boolean> =>
  (useOtp ?? (await findSetting(db, 'defaultOtp')) ?? 0) === 1

/** As `isOtpNeeded`, of an account that is locked: the login policy does not change until the transaction ends. */
export const holdOtpNeed = async (tx: Tx, { useOtp }: Pick<Account, 'useOtp'>): Promise<boolean> =>
  (useOtp ?? (await holdSetting(tx, 'defaultOtp')) ?? 0) === 1

/** Asks for a code: 112 for the authenticator's, else one is mailed and the call ends with 105. */
async function askForCode(ctx: OtpContext, account: Account, purpose: OtpPurpose): Promise<never> {
  if (account.otpSecret !== null) return failFactor('OTP_REQUIRED')
  await ctx.record((tx) => sendCode(tx, ctx.services, account, purpose))
  return failFactor('OTP_MAILED')
}

type Verdict = 'right' | 'wrong' | 'void'

/** Judges a code of an authenticator. One that was used is void, as is an older one. */
export async function judgeTotp(
  tx: Tx,
  { clock }: HandlerServices,
  userIdx: number,
  factor: Factor,
  secret: string,
  otp: string,
): Promise<Verdict> {
  const step = stepOf(secret, otp, clock.now())
  if (step === undefined) return 'wrong'
  if (factor.otpStep !== null && step <= factor.otpStep) return 'void'
  await updateFactor(tx, userIdx, { otpStep: step })
  return 'right'
}

type Judge = (tx: Tx, factor: Factor) => Promise<Verdict>

/** Judges a code unless too many were wrong; returns the error of a code that does not count. */
async function judgeOnce(
  tx: Tx,
  { services, ip }: OtpContext,
  account: Account,
  judge: Judge,
  onWrong: OnWrongOtp,
): Promise<ErrorName | undefined> {
  const { env, clock } = services
  const now = clock.now()
  const factor = await lockFactor(tx, account.idx)
  if (factor === undefined) return 'WRONG_CREDENTIALS'
  const ofAdmin = account.isAdmin === 1 ? await findAdminCodes(tx, { account, ip }, env.maxOtpFails, now) : undefined
  if (ofAdmin ? mustCodeWait(ofAdmin, now) : factor.otpFails >= env.maxOtpFails) {
    // Where fewer are allowed than before, the account is not locked yet, and could not be released.
    if (!ofAdmin) await updateFailed(tx, account.idx, 'otpFails', env.maxOtpFails)
    await onWrong(tx, true)
    return 'OTP_ATTEMPTS_EXCEEDED'
  }
  const verdict = await judge(tx, factor)
  if (verdict === 'void') return 'OTP_EXPIRED'
  if (verdict === 'right') {
    if (ofAdmin) await deleteCodeCounts(tx, ofAdmin)
    else if (factor.otpFails > 0) await updateFactor(tx, account.idx, { otpFails: 0 })
    return undefined
  }
  const isExceeded = ofAdmin
    ? await countWrongCode(tx, services, ofAdmin)
    : (await updateFailed(tx, account.idx, 'otpFails', env.maxOtpFails)) >= env.maxOtpFails
  await onWrong(tx, isExceeded)
  return isExceeded ? 'OTP_ATTEMPTS_EXCEEDED' : 'WRONG_OTP'
}

/**
 * Judges a code and uses it up, or counts the failure; both are committed whatever becomes of the call. Returns 106 for a
 * wrong code, 107 for one that is over or was used, 109 where no try is left. Throws 115 where a key does not open.
 */
export const judgeCode = (
  ctx: OtpContext,
  account: Account,
  judge: Judge,
  onWrong: OnWrongOtp,
): Promise<ErrorName | undefined> => ctx.record((tx) => judgeOnce(tx, ctx, account, judge, onWrong))

/**
 * Requires a code of the account's authenticator, else one by mail. Without a code it is asked for: 105, 112 or 114. A code
 * that was mailed is good for one purpose.
 */
export async function requireCode(
  ctx: OtpContext,
  account: Account,
  { purpose, otp }: { purpose: OtpPurpose; otp: string | undefined },
  onWrong: OnWrongOtp,
): Promise<void> {
  if (otp === undefined) return askForCode(ctx, account, purpose)
  const judge: Judge = (tx, factor) => {
    if (factor.otpSecret === null) return checkCode(tx, ctx.services, account.idx, purpose, otp)
    const secret = openSecret(ctx.services.key, account.idx, 'otpSecret', factor.otpSecret)
    return judgeTotp(tx, ctx.services, account.idx, factor, secret, otp)
  }
  const refusal = await judgeCode(ctx, account, judge, onWrong)
  if (refusal !== undefined) failFactor(refusal)
}

/** Ends the call with 107 where the factor was changed after its code was judged. */
export function requireSameFactor(judged: Account, now: Account): void {
  const isSameSecret =
    judged.otpSecret === null ? now.otpSecret === null : now.otpSecret?.equals(judged.otpSecret) === true
  if (!isSameSecret || judged.useOtp !== now.useOtp) fail('OTP_EXPIRED')
}
