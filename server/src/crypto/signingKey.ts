// Ed25519 keys (RFC 8032) as operators handle them: a public key is one line of base64, a private key a PEM file.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'

const KEY_BYTES = 32

/** The form of a public key, for the operator. */
export const PUBLIC_KEY_FORM = `an Ed25519 public key, ${KEY_BYTES} bytes in base64 (44 characters)`

/** Returns whether a text has the exact form of a public key. */
export function isPublicKeyText(text: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === KEY_BYTES && bytes.toString('base64') === text
}

export const publicKeyOf = (text: string): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(text, 'base64').toString('base64url') },
    format: 'jwk',
  })

/** Returns the public half of a key as one line. */
export function publicKeyText(key: KeyObject): string {
  const { x = '' } = key.export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('base64')
}

/** The head of a private key in PKCS #8 (RFC 8410, section 7), which its 32 bytes follow. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Returns the private key whose seed is a secret key of 32 bytes. */
export const signingKeyFrom = (seed: KeyObject): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed.export()]), format: 'der', type: 'pkcs8' })
