// The key of a backup: the operator's own (--with-key), or the server's secret key. Each part has a derived key of its
// own, so that parts cannot be exchanged. The manifest is signed with Ed25519.
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

/** Reads the operator's own key, or the server's. Throws BackupError or SecretKeyError without a valid key. */
export async function findBackupKey(file: string | undefined, server: KeySource): Promise<BackupKey> {
  const key = await findSecretKey(file === undefined ? server : { file })
  if (key !== undefined) return backupKeyOf(key)
  throw new BackupError(
    file === undefined
      ? `There is no secret key: put it back as ${server.file}, set ACC_SECRET_KEY, or name the backup's own key by --with-key.`
      : `${file}: there is no such file`,
  )
}
