// The key of a backup: the operator's own (--with-key), else the server's secret key. Every part is encrypted under a key of
// its own, derived from it and the backup's id, so that no part passes for another; the manifest is signed with Ed25519.
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { findSecretKey, type KeySource, type SecretKey } from '../crypto/secretKey.ts'
import { signingKeyFrom } from '../crypto/signingKey.ts'
import { BackupError } from './errors.ts'

export type BackupKey = {
  fingerprint: string
  /** The key of one part of one backup. */
  forPart(id: string, part: string): KeyObject
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
}

export function backupKeyOf(key: SecretKey): BackupKey {
  const privateKey = signingKeyFrom(key.for('backup signature'))
  const publicKey = createPublicKey(privateKey)
  return {
    fingerprint: key.fingerprint,
    forPart: (id, part) => key.for(`backup ${id} ${part}`),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
    isSigned: (text, signature) => verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64')),
  }
}

/** Reads the operator's own key, else the server's. Throws BackupError, or SecretKeyError where the file does not hold one. */
export async function findBackupKey(file: string | undefined, server: KeySource): Promise<BackupKey> {
  const key = await findSecretKey(file === undefined ? server : { file })
  if (key !== undefined) return backupKeyOf(key)
  throw new BackupError(
    file === undefined
      ? `There is no secret key: put it back as ${server.file}, set ACC_SECRET_KEY, or name the backup's own key by --with-key.`
      : `${file}: there is no such file`,
  )
}
