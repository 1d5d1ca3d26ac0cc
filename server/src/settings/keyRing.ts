// The secret keys of a running server. There are two only while secrets are rotated to the next key: then the database
// names both, and each can open secrets that either has sealed (docs/decisions/16-settings.md).
import { findGivenKeys, type KeyRing, type KeySource, type SecretKey } from '../crypto/secretKey.ts'
import type { Reader } from '../db/open.ts'
import { findSetting } from './settings.ts'

/** The fingerprints of the key that the data is sealed with, and of the one that it is being rotated to. */
export async function findKeyNames(db: Reader): Promise<{ current: string | undefined; next: string | undefined }> {
  const [current, next] = [await findSetting(db, 'secretKeyFingerprint'), await findSetting(db, 'nextKeyFingerprint')]
  return { current, next }
}

/** Puts the key that is to seal first; a key that is given twice is there once. */
export function inOrder(first: SecretKey, others: readonly SecretKey[]): [SecretKey, ...SecretKey[]] {
  const known = new Map([first, ...others].map((key) => [key.fingerprint, key]))
  known.delete(first.fingerprint)
  return [first, ...known.values()]
}

/** Reloads the key files, and seals with the key that the database names. */
export async function refreshKeys(db: Reader, source: KeySource, ring: KeyRing): Promise<void> {
  // A file that is being written is read next time.
  const given = await findGivenKeys(source).catch(() => ring.opening())
  const { current, next } = await findKeyNames(db)
  const held = [...ring.opening().slice(0, 1), ...given]
  const sealing = held.find(({ fingerprint }) => fingerprint === (next ?? current))
  const [first] = ring.opening()
  if (first !== undefined) ring.use(inOrder(sealing ?? first, held))
}
