// The key that seals the history: an Ed25519 pair (RFC 8032) derived from the secret key, so that all nodes share it and the
// database alone is not enough to forge a seal. Its public half is for auditors.
import { createPublicKey, sign, verify } from 'node:crypto'
import type { SecretKey } from '../../crypto/secretKey.ts'
import { publicKeyOf, publicKeyText, signingKeyFrom } from '../../crypto/signingKey.ts'

/** Nothing else that is signed begins with it. */
const PURPOSE = Buffer.from('acc history seal\n')

export type SealKey = { sign(hash: Buffer): Buffer; publicKey: string }

const signedText = (hash: Uint8Array) => Buffer.concat([PURPOSE, hash])

export function sealKeyOf(key: SecretKey): SealKey {
  const privateKey = signingKeyFrom(key.for('history seals'))
  return {
    sign: (hash) => sign(null, signedText(hash), privateKey),
    publicKey: publicKeyText(createPublicKey(privateKey)),
  }
}

export const isSigned = (hash: Uint8Array, signature: Uint8Array, publicKey: string): boolean =>
  verify(null, signedText(hash), publicKeyOf(publicKey), signature)
