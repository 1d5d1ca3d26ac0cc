// Authenticator apps (RFC 6238): SHA-1, 6 digits, 30 seconds, one step of drift either way. Stored keys are sealed for
// their account and column, so that a copy in another row does not open.
import { Secret, TOTP } from 'otpauth'
import { fail } from '../../core/errors.ts'
import { sealedRows } from '../../core/sealedRows.ts'
import { seal, UnsealError, unseal } from '../../crypto/seal.ts'
import type { SecretKey } from '../../crypto/secretKey.ts'

const STEP_MS = 30_000
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20
const DRIFT = 1

const totp = (secret: string) =>
  new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(secret) })

/** Returns a new random key in base32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** Returns the address that an authenticator app scans. */
export function otpauthUri(secret: string, issuer: string, label: string): string {
  const key = totp(secret)
  key.issuer = issuer
  key.label = label
  return key.toString()
}

/** Returns the step that a code belongs to; undefined for a wrong code. */
export function stepOf(secret: string, token: string, now: Date): number | undefined {
  const delta = totp(secret).validate({ token, timestamp: now.getTime(), window: DRIFT })
  return delta === null ? undefined : Math.floor(now.getTime() / STEP_MS) + delta
}

const PURPOSE = 'otp'
type Column = 'otpSecret' | 'otpPending'
const rowOf = (userIdx: number, column: Column) => `users:${userIdx}:${column}`

export const sealSecret = (key: SecretKey, userIdx: number, column: Column, secret: string): Buffer =>
  seal(key, PURPOSE, rowOf(userIdx, column), secret)

/** Opens a key. Fails with 115 if it was altered, belongs to another row, or another secret key sealed it. */
export function openSecret(key: SecretKey, userIdx: number, column: Column, sealed: Buffer): string {
  try {
    return unseal(key, PURPOSE, rowOf(userIdx, column), sealed).toString('utf8')
  } catch (error) {
    if (error instanceof UnsealError) fail('OTP_FAILED')
    throw error
  }
}

const sealedColumn = (column: Column) =>
  sealedRows({ table: 'users', key: 'idx', column, purpose: PURPOSE, contextOf: ({ idx }) => rowOf(idx, column) })
export const sealedSecrets = [sealedColumn('otpSecret'), sealedColumn('otpPending')]
