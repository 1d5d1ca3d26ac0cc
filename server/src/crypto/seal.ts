// Encrypted secrets in database columns: mail passwords, authenticator seeds, file keys. AES-256-GCM under
// the key of one purpose; the row it belongs to is authenticated with it, so that a ciphertext copied into another row
// does not open. Sealed form: version (1 byte, 1) | nonce (12, random) | ciphertext | tag (16).
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SecretKey } from './secretKey.ts'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES

/** The sealed value was altered, belongs to another row or purpose, or was sealed with another secret key. */
export class UnsealError extends Error {
  override name = 'UnsealError'
}

/**
 * @param purpose one word for each kind of secret; it picks the key
 * @param rowContext ties the secret to its row and column, for example `users:17:totpSecret`; opening needs the same
 */
export function seal(key: SecretKey, purpose: string, rowContext: string, plaintext: Uint8Array | string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key.for(purpose), nonce).setAAD(contextOf(rowContext))
  const body = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext)
  return Buffer.concat([Buffer.of(VERSION), nonce, body, cipher.final(), cipher.getAuthTag()])
}

/** Opens a value sealed with the same purpose, row and a key of this ring. Throws UnsealError otherwise. */
export function unseal(key: SecretKey, purpose: string, rowContext: string, sealed: Uint8Array): Buffer {
  for (const one of key.opening()) {
    const plaintext = unsealWith(one, purpose, rowContext, sealed)
    if (plaintext !== undefined) return plaintext
  }
  throw new UnsealError(
    `a sealed value of purpose '${purpose}' does not open: altered, of another row, or of another key`,
  )
}

/**
 * Seals a value of `from` again with `to`. Returns 'current' if `to` has sealed it already, and 'lost' if neither key
 * opens it.
 */
export function reseal(
  { from, to }: { from: SecretKey; to: SecretKey },
  purpose: string,
  rowContext: string,
  sealed: Uint8Array,
): Buffer | 'current' | 'lost' {
  if (unsealWith(to, purpose, rowContext, sealed) !== undefined) return 'current'
  const plaintext = unsealWith(from, purpose, rowContext, sealed)
  return plaintext === undefined ? 'lost' : seal(to, purpose, rowContext, plaintext)
}

function unsealWith(key: SecretKey, purpose: string, rowContext: string, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] !== VERSION) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key.for(purpose), sealed.subarray(1, HEAD_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(contextOf(rowContext)).setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

function contextOf(rowContext: string): Buffer {
  return Buffer.from(`${VERSION}:${rowContext}`)
}
