// The key that seals the history: an Ed25519 pair (RFC 8032) derived from the first secret key. All nodes share it, and
// the database alone cannot forge a seal. Its public half is for auditors, and survives rotations of the secret key.
import { createPublicKey, createSecretKey, type KeyObject, sign, verify } from 'node:crypto'
import type { SecretKey } from '../../crypto/secretKey.ts'
import { publicKeyOf, publicKeyText, signingKeyFrom } from '../../crypto/signingKey.ts'
import type { Reader } from '../../db/open.ts'
import { findSetting } from '../../settings/settings.ts'

/** Nothing else that is signed begins with one of these. */
const PURPOSES = { seal: 'acc history seal\n', head: 'acc history head\n' } as const
type Purpose = keyof typeof PURPOSES

export type SealKey = { sign(purpose: Purpose, content: Uint8Array): Buffer; publicKey: string }

const signedText = (purpose: Purpose, content: Uint8Array) => Buffer.concat([Buffer.from(PURPOSES[purpose]), content])

export const seedOf = (key: SecretKey): KeyObject => key.for('history seals')

export const sealKeyOf = (key: SecretKey): SealKey => sealKeyFrom(seedOf(key))

/** The key of the seals: kept, sealed, since the secret key that it was derived from was rotated, else derived. */
export async function findSealKey(db: Reader, key: SecretKey): Promise<SealKey> {
  const kept = await findSetting(db, 'historySealKey', key)
  return kept === undefined ? sealKeyOf(key) : sealKeyFrom(createSecretKey(kept.seed, 'base64'))
}

function sealKeyFrom(seed: KeyObject): SealKey {
  const privateKey = signingKeyFrom(seed)
  return {
    sign: (purpose, content) => sign(null, signedText(purpose, content), privateKey),
    publicKey: publicKeyText(createPublicKey(privateKey)),
  }
}

export const isSigned = (purpose: Purpose, content: Uint8Array, signature: Uint8Array, publicKey: string): boolean =>
  verify(null, signedText(purpose, content), publicKeyOf(publicKey), signature)
