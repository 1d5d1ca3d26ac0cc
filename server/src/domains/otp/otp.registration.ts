// Registering an authenticator: a new key waits sealed for 10 minutes until one of its codes proves that it was stored
// (spec S1 §2, §4). Each new key voids the one before, so that a key which somebody else saw is never the registered one.
import type { OtpRegistration } from '@acc/contract/account'
import { later, minutes } from '../../clock.ts'
import { fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Tx } from '../../db/open.ts'
import type { Account } from '../credentials/credentials.queries.ts'
import { enqueueChangeMail } from '../mails/mails.service.ts'
import { failFactor } from './otp.codes.ts'
import { type Factor, lockFactor, updateFactor } from './otp.queries.ts'
import { judgeCode, judgeTotp, type OnWrongOtp, type OtpContext } from './otp.service.ts'
import { newSecret, openSecret, otpauthUri, sealSecret } from './totp.ts'

const PENDING_FOR = minutes(10)

/** Stores a new key of an account that has no authenticator; undefined where it has one. */
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
 * Ends the call of an account that needs an authenticator and has none: 110 with a key to register. `meanwhile` is the error
 * where one was registered since the account was read.
 */
export async function failUnregistered(
  ctx: OtpContext,
  account: Account,
  meanwhile: 'OTP_REQUIRED' | 'OTP_ALREADY_REGISTERED',
): Promise<never> {
  const registration = await startRegistration(ctx, account)
  if (registration === undefined) return failFactor(meanwhile)
  const { otpSecret, qrCodeBase64 } = registration
  return failFactor('OTP_NOT_REGISTERED', { otpSecret, qrCodeBase64 } satisfies OtpRegistration)
}

const isWaiting = ({ otpPendingExpireDT }: Factor, now: Date) => otpPendingExpireDT !== null && otpPendingExpireDT > now

/**
 * Judges a code of the waiting key, and returns that key as it is sealed. 111 where an authenticator is registered, 110 with
 * another key where none waits any more.
 */
export async function requirePendingCode(
  ctx: OtpContext,
  account: Account,
  otp: string,
  onWrong: OnWrongOtp,
): Promise<Buffer> {
  const { key, clock } = ctx.services
  const judged: { pending?: Buffer } = {}
  const judge = async (tx: Tx, factor: Factor) => {
    if (factor.otpSecret !== null) fail('OTP_ALREADY_REGISTERED')
    if (factor.otpPending === null || !isWaiting(factor, clock.now())) return 'void'
    judged.pending = factor.otpPending
    const secret = openSecret(key, account.idx, 'otpPending', factor.otpPending)
    // A step that was used belongs to an earlier authenticator.
    return judgeTotp(tx, ctx.services, account.idx, { ...factor, otpStep: null }, secret, otp)
  }
  const refusal = await judgeCode(ctx, account, judge, onWrong)
  if (refusal !== undefined && refusal !== 'OTP_EXPIRED') fail(refusal)
  return judged.pending ?? failUnregistered(ctx, account, 'OTP_ALREADY_REGISTERED')
}

/** Makes the waiting key the account's authenticator; its owner gets a mail. */
export async function registerPending(
  tx: Tx,
  services: HandlerServices,
  { idx, name, email }: Account,
  judged: Buffer,
): Promise<void> {
  const { key, clock } = services
  const { otpSecret, otpPending } = (await lockFactor(tx, idx)) ?? {}
  if (otpSecret !== null) fail('OTP_ALREADY_REGISTERED')
  // Another call made another key meanwhile.
  if (otpPending?.equals(judged) !== true) fail('OTP_EXPIRED')
  const secret = openSecret(key, idx, 'otpPending', judged)
  await updateFactor(tx, idx, {
    otpSecret: sealSecret(key, idx, 'otpSecret', secret),
    otpPending: null,
    otpPendingExpireDT: null,
  })
  const mail = { to: email, name, when: clock.now(), change: 'registered' } as const
  await enqueueChangeMail(tx, services, 'secondFactorChanged', mail)
}
