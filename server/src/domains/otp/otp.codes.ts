// Codes sent by mail: 6 digits, valid for 5 minutes and one purpose of one account, stored as keyed hashes.
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { ErrorName } from '@acc/contract/core/errors'
import { hours, later, minutes } from '../../clock.ts'
import { Failure, fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { SecretKey } from '../../crypto/secretKey.ts'
import type { Tx } from '../../db/open.ts'
import type { Account } from '../credentials/credentials.queries.ts'
import { requireCount } from '../credentials/throttles.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import { deleteCode, findCode, lockFactor, type OtpPurpose, replaceCode, updateCodeTried } from './otp.queries.ts'

/** An error of the second factor, which is no refusal: the sign-in continues with the next code. */
export class FactorFailure extends Failure {}

/** Ends the call with an error of the second factor. */
export function failFactor(error: ErrorName, data?: unknown): never {
  throw new FactorFailure(error, data)
}

const VALID_MINUTES = 5
/** Milliseconds between two codes. */
const COOL_DOWN = minutes(1)
/** Codes of one account and purpose within an hour. This protects mailboxes and the mail server. */
const MAX_PER_HOUR = 10

/** Returns a keyed hash, since six digits have too few values for a bare one. */
const hashOf = (key: SecretKey, userIdx: number, purpose: OtpPurpose, code: string): Buffer =>
  createHmac('sha256', key.for('otpCode')).update(`${userIdx}:${purpose}:${code}`).digest()

/**
 * Mails a code that replaces the previous one. Fails with 114 within a minute of it, 113 above the hourly limit, 116
 * without an address.
 */
export async function sendCode(
  tx: Tx,
  services: HandlerServices,
  account: Account,
  purpose: OtpPurpose,
): Promise<void> {
  const { clock, key } = services
  if (account.email === '') fail('NO_EMAIL')
  // Of two calls at once, the second one finds the code of the first one. Deleted accounts have no code.
  if ((await lockFactor(tx, account.idx)) === undefined) fail('WRONG_CREDENTIALS')
  const now = clock.now()
  const former = await findCode(tx, account.idx, purpose)
  if (former !== undefined && later(former.sendDT, COOL_DOWN) > now) failFactor('OTP_ALREADY_SENT')
  const limit = { key: `otp:mail:${account.idx}:${purpose}`, max: MAX_PER_HOUR, window: hours(1) }
  await requireCount(tx, limit, now)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await replaceCode(tx, {
    userIdx: account.idx,
    purpose,
    codeHash: hashOf(key, account.idx, purpose, code),
    sendDT: now,
    expireDT: later(now, minutes(VALID_MINUTES)),
  })
  const { email, name } = account
  await enqueueMail(tx, services, 'otpCode', { to: email, name, code, validMinutes: VALID_MINUTES })
}

/** Uses a code, or counts a try. Returns `void` if none is valid. */
export async function checkMailedCode(
  tx: Tx,
  { env, key, clock }: HandlerServices,
  userIdx: number,
  purpose: OtpPurpose,
  otp: string,
): Promise<'right' | 'wrong' | 'void'> {
  const code = await findCode(tx, userIdx, purpose)
  if (code === undefined || code.expireDT <= clock.now() || code.tries >= env.maxLoginFails) return 'void'
  // Codes from before a rotation of the secret key are hashed with the previous key.
  if (key.opening().some((one) => timingSafeEqual(code.codeHash, hashOf(one, userIdx, purpose, otp)))) {
    await deleteCode(tx, userIdx, purpose)
    return 'right'
  }
  await updateCodeTried(tx, code)
  return 'wrong'
}
