// Registering an authenticator: a new key is pending for 10 minutes until one of its codes confirms it (spec S1 §2,
// §4). Each new key voids the previous one, so that a key which others saw is never registered.
import type { OtpRegistration } from '@acc/contract/account'
import { later, minutes } from '../../clock.ts'
import { fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import type { Account } from '../credentials/credentials.queries.ts'
import { enqueueChangeMail } from '../mails/mails.service.ts'
import { failFactor } from './otp.codes.ts'
import { type Factor, lockFactor, updateFactor } from './otp.queries.ts'
import { checkCode, checkTotp, type OnWrongOtp, type OtpContext } from './otp.service.ts'
import { newSecret, openSecret, otpauthUri, sealSecret } from './totp.ts'

const PENDING_FOR = minutes(10)

/** Stores a pending key of an account without an authenticator. Returns undefined if it has one. */
export async function startRegistration(
  ctx: OtpContext,
  { idx, id }: Pick<Account, 'idx' | 'id'>,
): Promise<(OtpRegistration & { qrCodeString: string }) | undefined> {
  const { key, clock, env } = ctx.services
  const otpSecret = newSecret()
  const isStored = await ctx.record(async (tx) => {
    const factor = await lockFactor(tx, idx)
    if (factor?.otpSecret !== null) return false
    await updateFactor(tx, idx, {
      otpPending: sealSecret(key, idx, 'otpPending', otpSecret),
      otpPendingExpireDT: later(clock.now(), PENDING_FOR),
    })
    return true
  })
  if (!isStored) return undefined
  const { qrPng } = await import('./qrCode.ts')
  const qrCodeString = otpauthUri(otpSecret, env.runtime.product.serverName, id)
  return { otpSecret, qrCodeString, qrCodeBase64: qrPng(qrCodeString).toString('base64') }
}

/**
 * Rejects an account that needs an authenticator and has none: 110 with a key to register. Uses `registered` as the
 * error if an authenticator was registered since the account was read.
 */
export async function failUnregistered(
  ctx: OtpContext,
  account: Account,
  registered: 'OTP_REQUIRED' | 'OTP_ALREADY_REGISTERED',
): Promise<never> {
  const registration = await startRegistration(ctx, account)
  if (registration === undefined) return failFactor(registered)
  const { otpSecret, qrCodeBase64 } = registration
  return failFactor('OTP_NOT_REGISTERED', { otpSecret, qrCodeBase64 } satisfies OtpRegistration)
}

const isWaiting = ({ otpPendingExpireDT }: Factor, now: Date) => otpPendingExpireDT !== null && otpPendingExpireDT > now

/**
 * Checks a code of the pending key and returns the sealed key. Fails with 111 if an authenticator is registered, with
 * 110 and another key if none is pending.
 */
export async function requirePendingCode(
  ctx: OtpContext,
  account: Account,
  otp: string,
  onWrong: OnWrongOtp,
): Promise<Buffer> {
  const { key, clock } = ctx.services
  const found: { pending?: Buffer } = {}
  const check = async (tx: Tx, factor: Factor) => {
    if (factor.otpSecret !== null) fail('OTP_ALREADY_REGISTERED')
    if (factor.otpPending === null || !isWaiting(factor, clock.now())) return 'void'
    found.pending = factor.otpPending
    const secret = openSecret(key, account.idx, 'otpPending', factor.otpPending)
    // A used step belongs to an earlier authenticator.
    return checkTotp(tx, ctx.services, account.idx, { ...factor, otpStep: null }, secret, otp)
  }
  const refusal = await checkCode(ctx, account, check, onWrong)
  if (refusal !== undefined && refusal !== 'OTP_EXPIRED') fail(refusal)
  return found.pending ?? failUnregistered(ctx, account, 'OTP_ALREADY_REGISTERED')
}

/** Turns the pending key into the account's authenticator and mails its owner. */
export async function registerPending(
  tx: Tx,
  services: HandlerServices,
  { idx, name, email }: Account,
  sealed: Buffer,
): Promise<void> {
  const { key, clock } = services
  const { otpSecret, otpPending } = (await lockFactor(tx, idx)) ?? {}
  if (otpSecret !== null) fail('OTP_ALREADY_REGISTERED')
  // Another call created another key in between.
  if (otpPending?.equals(sealed) !== true) fail('OTP_EXPIRED')
  const secret = openSecret(key, idx, 'otpPending', sealed)
  await updateFactor(tx, idx, {
    otpSecret: sealSecret(key, idx, 'otpSecret', secret),
    otpPending: null,
    otpPendingExpireDT: null,
  })
  const mail = { to: email, name, when: clock.now(), change: 'registered' } as const
  await enqueueChangeMail(tx, services, 'secondFactorChanged', mail)
}
