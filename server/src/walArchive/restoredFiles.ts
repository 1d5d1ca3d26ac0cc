// The stored files of a restored database: copied from the archive, each read in full first where the secret key is at hand. One
// that is not there, or was altered, is reported by its name; the rest is restored.

import { copy, isSound } from '../backup/storedFiles.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import type { Reader } from '../db/open.ts'
import { findNamedFiles } from '../domains/damagedFiles/damagedFiles.queries.ts'
import { openFolder } from '../files/folder.ts'
import type { Stage } from '../files/medium.ts'
import { findArchived } from './archivedFiles.ts'

/** A file that the restored database names and the archive does not have as it was; `of` names its row. */
export type LostFile = { of: string; fileName: string; reason: 'missing' | 'altered' }
export type RestoredFiles = { count: number; size: number; lost: LostFile[] }

/** Copies the files that the database names to a stage; without one they are read only. */
export async function restoreArchivedFiles(
  db: Reader,
  root: string,
  { stage, secretKey }: { stage?: Stage; secretKey: SecretKey | undefined },
): Promise<RestoredFiles> {
  const restored: RestoredFiles = { count: 0, size: 0, lost: [] }
  for await (const { of, fileName, file } of findNamedFiles(db)) {
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
