// A file store that records files whose bytes were altered or are missing. A recorded file is read in full before its
// first byte is sent, so that the caller receives an error and not a connection that breaks off.
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import { asSystem } from '../../core/job.ts'
import type { Database } from '../../db/open.ts'
import { FileStoreError } from '../../files/errors.ts'
import type { FileStore, StoredFile } from '../../files/fileStore.ts'
import { type DamageReason, deleteDamaged, findDamaged, insertDamaged, isDamaged } from './damagedFiles.queries.ts'

type Parts = { db: Database; clock: Clock; log: Logger }

/** What a failed read says about the stored bytes; undefined where the store itself failed. */
export const damageOf = (error: unknown): DamageReason | undefined =>
  error instanceof FileStoreError && (error.reason === 'damaged' || error.reason === 'missing')
    ? error.reason
    : undefined

/** Stores and logs that a file is damaged, once for each file. Never rejects: the caller has an error of its own. */
export async function recordDamage(parts: Parts, name: string, reason: DamageReason): Promise<void> {
  const { db, clock, log } = parts
  try {
    const isNew = await asSystem(parts, async (tx) => ({
      result: await insertDamaged(tx, name, reason, clock.now()),
      log: 'unchanged',
    }))
    if (!isNew) return
    const [found] = await findDamaged(db.read, 1, name)
    const { fileEximportIdx, version, fileName } = found ?? {}
    log.error({ reason, storeName: name, fileEximportIdx, version, fileName }, 'a stored file is damaged')
  } catch (failure) {
    log.error({ reason, storeName: name, cause: String(failure) }, 'a damaged file could not be recorded')
  }
}

/** Reads a file to its end. Throws FileStoreError. */
export async function readThrough(files: Pick<FileStore, 'read'>, file: StoredFile): Promise<void> {
  for await (const _ of await files.read(file));
}

/** Reads a recorded file in full; one that is intact is no longer recorded. */
async function verifyRecorded(files: FileStore, parts: Parts, file: StoredFile): Promise<void> {
  if (!(await isDamaged(parts.db.read, file.name))) return
  await readThrough(files, file)
  await asSystem(parts, (tx) => deleteDamaged(tx, file.name))
  parts.log.info({ storeName: file.name }, 'a stored file is intact again')
}

export const recordingDamage = (files: FileStore, parts: Parts): FileStore => ({
  ...files,
  async read(file, from) {
    const recordFailure = async (error: unknown) => {
      const reason = damageOf(error)
      if (reason !== undefined) await recordDamage(parts, file.name, reason)
    }
    try {
      await verifyRecorded(files, parts, file)
      const stream = await files.read(file, from)
      stream.on('error', (error) => void recordFailure(error))
      return stream
    } catch (error) {
      await recordFailure(error)
      throw error
    }
  },
})
