// Codes of authenticator apps (RFC 6238): SHA-1, 6 digits, 30 seconds, one step of drift either way. Every app knows these.
import { Secret, TOTP } from 'otpauth'

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

/** Returns the step that a code belongs to, or undefined for a wrong code. */
export function stepOf(secret: string, token: string, now: Date): number | undefined {
  const delta = totp(secret).validate({ token, timestamp: now.getTime(), window: DRIFT })
  return delta === null ? undefined : Math.floor(now.getTime() / STEP_MS) + delta
}
