// The stored files of a restored database: copied from the archive, each read in full first where the secret key is at hand. One
// that is not there, or was altered, is reported by its name; the rest is restored.

import { RequestState } from '@acc/contract/labels/requests'
import { copy } from '../backup/storedFiles.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import type { Reader } from '../db/open.ts'
import { storedOf as storedVersion } from '../domains/clientVersions/clientVersions.files.ts'
import { storedOf } from '../domains/requests/requests.files.ts'
import { FileStoreError } from '../files/errors.ts'
import { openFileStore, type StoredFile } from '../files/fileStore.ts'
import { openFolder } from '../files/folder.ts'
import type { Stage } from '../files/medium.ts'
import { sealedLength } from '../files/segments.ts'
import { findArchived } from './archivedFiles.ts'

/** A file that the restored database names and the archive does not have as it was; `of` names its row. */
export type LostFile = { of: string; fileName: string; reason: 'missing' | 'altered' }
export type RestoredFiles = { count: number; size: number; lost: LostFile[] }

type NamedFile = { of: string; fileName: string; file: StoredFile }

/** Rows that are read at once. */
const BATCH = 1000

async function* findWanted(db: Reader): AsyncGenerator<NamedFile> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('requestFiles as f')
      .innerJoin('fileEximports as r', 'r.idx', 'f.fileEximportIdx')
      .selectAll('f')
      .select('r.requesterName')
      .where('f.isUploaded', '=', 1)
      .where('r.state', '<>', RequestState.CANCELED)
      .where('r.filesRemovedDT', 'is', null)
      .where('f.idx', '>', after)
      .orderBy('f.idx')
      .limit(BATCH)
      .execute()
    for (const row of rows) {
      after = row.idx
      yield {
        of: `request ${row.fileEximportIdx} of ${row.requesterName}`,
        fileName: row.fileName,
        file: storedOf(row),
      }
    }
    if (rows.length < BATCH) break
  }
  for (const row of await db.selectFrom('clientVersions').selectAll().orderBy('idx').execute())
    yield { of: `client version ${row.version}`, fileName: row.fileName, file: storedVersion(row) }
}

/** Whether the archived bytes are those of the row: by their length, and where there is a key, to the last byte. */
async function isSound(folder: string, file: StoredFile, secretKey: SecretKey | undefined): Promise<boolean> {
  const medium = await openFolder(folder)
  if (secretKey === undefined) return (await medium.size(file.name)) === sealedLength(file.size)
  try {
    for await (const _ of await openFileStore({ medium, secretKey }).read(file));
    return true
  } catch (error) {
    if (error instanceof FileStoreError && error.reason === 'damaged') return false
    throw error
  }
}

/** Copies the files that the database names to a stage; without one they are read only. */
export async function restoreArchivedFiles(
  db: Reader,
  root: string,
  { stage, secretKey }: { stage?: Stage; secretKey: SecretKey | undefined },
): Promise<RestoredFiles> {
  const restored: RestoredFiles = { count: 0, size: 0, lost: [] }
  for await (const { of, fileName, file } of findWanted(db)) {
    const folder = await findArchived(root, file.name)
    if (folder === undefined) restored.lost.push({ of, fileName, reason: 'missing' })
    else if (!(await isSound(folder, file, secretKey))) restored.lost.push({ of, fileName, reason: 'altered' })
    else {
      if (stage !== undefined)
        await copy(await (await openFolder(folder)).open(file.name, 'read'), stage.create(file.name))
      restored.count++
      restored.size += file.size
    }
  }
  return restored
}
