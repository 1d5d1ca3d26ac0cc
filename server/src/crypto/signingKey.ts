// Ed25519 keys (RFC 8032) as operators handle them: a public key is one line of base64, a private key a PEM file.
import { createPublicKey, type KeyObject } from 'node:crypto'

const KEY_BYTES = 32

/** The form of a public key, in the operator's words. */
export const PUBLIC_KEY_FORM = `an Ed25519 public key, ${KEY_BYTES} bytes in base64 (44 characters)`

/** Whether a text has the exact form of a public key. */
export function isPublicKeyText(text: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === KEY_BYTES && bytes.toString('base64') === text
}

export const publicKeyOf = (text: string): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(text, 'base64').toString('base64url') },
    format: 'jwk',
  })

/** The public half of a key as one line. */
export function publicKeyText(key: KeyObject): string {
  const { x = '' } = key.export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}
