// Signing in with ID and password (spec S1 §4). Every attempt is in the sign-in log.

import type { Empty } from '@acc/contract/core/fields'
import { hasFlag } from '@acc/contract/labels/flags'
import { SignInType } from '@acc/contract/labels/history'
import { LoginType } from '@acc/contract/labels/users'
import { today } from '../../clock.ts'
import type { ChangeContext, Cookies, FreeContext } from '../../core/context.ts'
import { Failure, fail } from '../../core/errors.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { isNew } from '../credentials/accountStates.ts'
import type { Account } from '../credentials/credentials.queries.ts'
import { findExceededAge } from '../credentials/formerPasswords.ts'
import {
  lockVerifiedAccount,
  requireUsable,
  type VerifiedPassword,
  verifyPassword,
} from '../credentials/signInAttempts.ts'
import { FactorFailure } from '../otp/otp.codes.ts'
import { failUnregistered } from '../otp/otp.registration.ts'
import { isOtpNeeded, lockOtpNeed, requireCode, requireSameFactor } from '../otp/otp.service.ts'
import { type Device, replaceSession, signInRow } from './session.service.ts'
import { insertSignIn } from './signIns.ts'

type Credentials = { id: string; pw: string }
type Otp = { otp?: string | undefined }
type Kind = 'web' | 'client'
export type SignInContext = FreeContext<undefined> | ChangeContext<undefined, 'licenseUse' | 'account'>

/** Returns the person logged for an unknown ID: without a group, so that only administrators read the row. */
export const unknownPerson = (id: string) =>
  ({ idx: null, id, name: '', groupIdx: null, groupName: '', isAdmin: 0, isManager: false }) as const

/** Returns the part of a typed ID that the log shows, because people type passwords there. */
const prefixOf = (id: string) => `${id.slice(0, 3)}***`

/** Verifies a password for a sign-in. Logs failed attempts, also of unknown IDs. */
export const verifySignIn = (
  ctx: SignInContext,
  input: Credentials,
  kind: Kind,
  device?: Partial<Device>,
): Promise<VerifiedPassword> =>
  verifyPassword(ctx, { ...input, ip: ctx.ip }, (tx, { id, account, isExceeded }) => {
    const type = isExceeded ? SignInType.PW_DISABLED : SignInType.PW_FAILED
    const person = account ?? unknownPerson(prefixOf(id))
    return insertSignIn(tx, ctx.services.clock.now(), signInRow(person, ctx, kind, type, device))
  })

/** Logs an attempt that was refused although its password was correct (account state, PC or licenses). */
async function logRefusal(ctx: SignInContext, account: Account, kind: Kind, device?: Partial<Device>) {
  const row = signInRow(account, ctx, kind, SignInType.REFUSED, device)
  await ctx.record((tx) => insertSignIn(tx, ctx.services.clock.now(), row))
}

/** Runs the rest of a sign-in after its password was verified, and logs its refusal. */
export async function orLogRefusal<T>(
  ctx: SignInContext,
  { account }: VerifiedPassword,
  kind: Kind,
  work: () => Promise<T>,
  device?: Partial<Device>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure && !(error instanceof FactorFailure)) await logRefusal(ctx, account, kind, device)
    throw error
  }
}

/** Rejects accounts that may not have an own password: 101, 102, 103, 180. */
export function requirePasswordAccount(ctx: SignInContext, account: Account): void {
  requireUsable(account, ctx.services.env, today(ctx.services.clock))
  if (!hasFlag(account.loginType, LoginType.DEFAULT)) fail('LOGIN_TYPE_REFUSED')
}

/**
 * Rejects accounts that may not sign in with the verified password. In addition to the codes above, 104 requires a new
 * password, because this one is temporary or older than the login policy allows (with its days).
 */
export async function requireSignIn(
  ctx: SignInContext,
  db: Reader,
  account: Account,
  { usedTemporary }: VerifiedPassword,
): Promise<void> {
  requirePasswordAccount(ctx, account)
  if (isNew(account) || usedTemporary) fail('PASSWORD_CHANGE_REQUIRED')
  const maxDays = await findExceededAge(db, account.pwSetDT, ctx.services.clock.now())
  if (maxDays !== undefined) fail('PASSWORD_CHANGE_REQUIRED', { maxDays })
}

async function requireSignInCode(
  ctx: SignInContext,
  account: Account,
  kind: Kind,
  otp: string | undefined,
  device?: Partial<Device>,
): Promise<void> {
  if (account.otpSecret === null && ctx.services.env.otpMethod === 'totp')
    return failUnregistered(ctx, account, 'OTP_REQUIRED')
  const purpose = kind === 'web' ? 'login' : 'clientLogin'
  await requireCode(ctx, account, { purpose, otp }, (tx, isExceeded) => {
    const type = isExceeded ? SignInType.OTP_DISABLED : SignInType.OTP_FAILED
    return insertSignIn(tx, ctx.services.clock.now(), signInRow(account, ctx, kind, type, device))
  })
}

/**
 * Requires the second factor of an account that needs one, and returns the type of its sign-in. Fails with 105, 112 or
 * 110 without a code, 106, 107 or 109 with a bad one.
 */
export async function requireFactor(
  ctx: SignInContext,
  verified: VerifiedPassword,
  kind: Kind,
  otp: string | undefined,
  device?: Partial<Device>,
): Promise<SignInType> {
  const { account } = verified
  if (!(await isOtpNeeded(ctx.read, account))) return SignInType.LOGIN
  // A correct password without a code leaves no row. Only this line shows it.
  if (otp === undefined) ctx.services.log.info({ userIdx: account.idx, ip: ctx.ip }, 'right password, code asked for')
  await orLogRefusal(ctx, verified, kind, () => requireSignInCode(ctx, account, kind, otp, device), device)
  return SignInType.OTP_SUCCESS
}

/** Rejects a sign-in with 107 if the factor changed after its check, or is now needed and was not before. */
export async function requireUnchangedFactor(
  tx: Tx,
  { account: before }: VerifiedPassword,
  account: Account,
  type: SignInType,
): Promise<void> {
  requireSameFactor(before, account)
  if (type === SignInType.LOGIN && (await lockOtpNeed(tx, account))) fail('OTP_EXPIRED')
}

/** Signs in from a browser. */
export async function signIn(
  ctx: FreeContext<undefined> & { cookies: Cookies },
  input: Credentials & Otp,
): Promise<Empty> {
  const { cookies } = ctx
  const verified = await verifySignIn(ctx, input, 'web')
  await orLogRefusal(ctx, verified, 'web', () => requireSignIn(ctx, ctx.read, verified.account, verified))
  const type = await requireFactor(ctx, verified, 'web', input.otp)
  const token = await orLogRefusal(ctx, verified, 'web', () =>
    ctx.change(async (tx) => {
      const account = await lockVerifiedAccount(tx, verified, ctx.services)
      await requireSignIn(ctx, tx, account, verified)
      await requireUnchangedFactor(tx, verified, account, type)
      // Last, because supplier staff change a temporary password in the portal, which opens no session.
      if (account.isPartner) fail('CLIENT_REQUIRED')
      return { result: await replaceSession(tx, ctx, account, cookies.session, { type }) }
    }),
  )
  cookies.setSession(token)
  return {}
}
