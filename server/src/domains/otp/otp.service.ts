// The second factor: whether an account needs it, asking for a code and checking it (spec S1 §1, §4, §8). All calls
// count wrong codes on the account, in a transaction that survives the call.
import type { ErrorName } from '@acc/contract/core/errors'
import type { Recorder } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { findSetting, lockSettingShared } from '../../settings/settings.ts'
import { type Account, updateFailed } from '../credentials/credentials.queries.ts'
import { countWrongCode, deleteCodeCounts, findAdminCodes, isCodeDelayed } from './otp.admin.ts'
import { checkMailedCode, failFactor, sendCode } from './otp.codes.ts'
import { type Factor, lockFactor, type OtpPurpose, updateFactor } from './otp.queries.ts'
import { openSecret, stepOf } from './totp.ts'

export type OtpContext = { services: HandlerServices; read: Reader; ip: string } & Recorder

/** Records a wrong code in the transaction that counts it. */
export type OnWrongOtp = (tx: Tx, isExceeded: boolean) => Promise<unknown>

/** Returns whether the account signs in with a one-time password, by its own setting or the login policy. */
export const isOtpNeeded = async (db: Reader, { useOtp }: Account): Promise<boolean> =>
  (useOtp ?? (await findSetting(db, 'defaultOtp')) ?? 0) === 1

/** Returns the same and keeps the login policy unchanged until the transaction ends. The account must be locked. */
export const lockOtpNeed = async (tx: Tx, { useOtp }: Pick<Account, 'useOtp'>): Promise<boolean> =>
  (useOtp ?? (await lockSettingShared(tx, 'defaultOtp')) ?? 0) === 1

/** Asks for a code: 112 for an authenticator's code, otherwise 105 after a code was mailed. */
async function requestCode(ctx: OtpContext, account: Account, purpose: OtpPurpose): Promise<never> {
  if (account.otpSecret !== null) return failFactor('OTP_REQUIRED')
  await ctx.record((tx) => sendCode(tx, ctx.services, account, purpose))
  return failFactor('OTP_MAILED')
}

type CodeResult = 'right' | 'wrong' | 'void'

/** Checks a code of an authenticator. Used and older codes are void. */
export async function checkTotp(
  tx: Tx,
  { clock }: HandlerServices,
  userIdx: number,
  factor: Factor,
  secret: string,
  otp: string,
): Promise<CodeResult> {
  const step = stepOf(secret, otp, clock.now())
  if (step === undefined) return 'wrong'
  if (factor.otpStep !== null && step <= factor.otpStep) return 'void'
  await updateFactor(tx, userIdx, { otpStep: step })
  return 'right'
}

type CodeCheck = (tx: Tx, factor: Factor) => Promise<CodeResult>

/** Checks a code unless too many were wrong, and returns the error of a code that does not count. */
async function checkLimited(
  tx: Tx,
  { services, ip }: OtpContext,
  account: Account,
  check: CodeCheck,
  onWrong: OnWrongOtp,
): Promise<ErrorName | undefined> {
  const { env, clock } = services
  const now = clock.now()
  const factor = await lockFactor(tx, account.idx)
  if (factor === undefined) return 'WRONG_CREDENTIALS'
  const ofAdmin = account.isAdmin === 1 ? await findAdminCodes(tx, { account, ip }, env.maxLoginFails, now) : undefined
  if (ofAdmin ? isCodeDelayed(ofAdmin, now) : factor.otpFails >= env.maxLoginFails) {
    // With a lowered limit the account is not locked yet, and could not be released.
    if (!ofAdmin) await updateFailed(tx, account.idx, 'otpFails', env.maxLoginFails)
    await onWrong(tx, true)
    return 'OTP_ATTEMPTS_EXCEEDED'
  }
  const result = await check(tx, factor)
  if (result === 'void') return 'OTP_EXPIRED'
  if (result === 'right') {
    if (ofAdmin) await deleteCodeCounts(tx, ofAdmin)
    else if (factor.otpFails > 0) await updateFactor(tx, account.idx, { otpFails: 0 })
    return undefined
  }
  const isExceeded = ofAdmin
    ? await countWrongCode(tx, services, ofAdmin)
    : (await updateFailed(tx, account.idx, 'otpFails', env.maxLoginFails)) >= env.maxLoginFails
  await onWrong(tx, isExceeded)
  return isExceeded ? 'OTP_ATTEMPTS_EXCEEDED' : 'WRONG_OTP'
}

/**
 * Checks a code and uses it, or counts the failure. Both are committed even if the call fails. Returns 106 for a wrong
 * code, 107 for a void one, 109 if no try is left. Throws 115 if a key does not open.
 */
export const checkCode = (
  ctx: OtpContext,
  account: Account,
  check: CodeCheck,
  onWrong: OnWrongOtp,
): Promise<ErrorName | undefined> => ctx.record((tx) => checkLimited(tx, ctx, account, check, onWrong))

/**
 * Requires a code of the account's authenticator, otherwise one by mail for this purpose. Without a code it asks for
 * one and fails with 105, 112 or 114.
 */
export async function requireCode(
  ctx: OtpContext,
  account: Account,
  { purpose, otp }: { purpose: OtpPurpose; otp: string | undefined },
  onWrong: OnWrongOtp,
): Promise<void> {
  if (otp === undefined) return requestCode(ctx, account, purpose)
  const check: CodeCheck = (tx, factor) => {
    if (factor.otpSecret === null) return checkMailedCode(tx, ctx.services, account.idx, purpose, otp)
    const secret = openSecret(ctx.services.key, account.idx, 'otpSecret', factor.otpSecret)
    return checkTotp(tx, ctx.services, account.idx, factor, secret, otp)
  }
  const refusal = await checkCode(ctx, account, check, onWrong)
  if (refusal !== undefined) failFactor(refusal)
}

/** Rejects a call with 107 if the factor changed after its code was checked. */
export function requireSameFactor(before: Account, now: Account): void {
  const isSameSecret =
    before.otpSecret === null ? now.otpSecret === null : now.otpSecret?.equals(before.otpSecret) === true
  if (!isSameSecret || before.useOtp !== now.useOtp) fail('OTP_EXPIRED')
}
