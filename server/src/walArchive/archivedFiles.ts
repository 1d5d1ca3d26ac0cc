// Stored files in the archive: each is copied once it is complete. A file that the database no longer names is kept as
// long as the base backups from before.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copy, isIntactFile } from '../backup/storedFiles.ts'
import { later, minutes } from '../clock.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import type { Reader } from '../db/open.ts'
import { findNamedFiles } from '../domains/damagedFiles/damagedFiles.queries.ts'
import { findKnownFiles } from '../domains/requests/requests.jobs.ts'
import { orMissing } from '../files/errors.ts'
import { openFolder } from '../files/folder.ts'
import type { Medium, Stage } from '../files/medium.ts'
import { pathOf } from '../files/names.ts'
import { sweepMedium } from '../files/sweep.ts'
import { listFolder, requireRoom } from './pieces.ts'

const filesFolder = (root: string): string => join(root, 'files')
const removedFolder = (root: string): string => join(root, 'removed')
/** A file that was copied this recently may have no row yet. */
const YOUNG = minutes(60)

export const isArchived = (root: string, name: string): boolean => existsSync(pathOf(filesFolder(root), name))

/** Copies a file that the archive does not have. Skips files that were removed from the store. */
export async function archiveFile(root: string, store: Medium, name: string): Promise<void> {
  if (isArchived(root, name)) return
  const size = await orMissing(store.size(name))
  if (size === undefined) return
  await requireRoom(root, size)
  const from = await orMissing(store.open(name, 'read'))
  if (from !== undefined) await copy(from, (await openFolder(filesFolder(root))).open(name, 'replace'))
}

/** Moves files that the database no longer names to the folder of a new base backup. */
export async function setAside(root: string, base: string, db: Reader, now: Date): Promise<void> {
  if (!existsSync(filesFolder(root))) return
  const remove = async (name: string) => {
    const aside = pathOf(join(removedFolder(root), base), name)
    await mkdir(dirname(aside), { recursive: true, mode: 0o700 })
    await rename(pathOf(filesFolder(root), name), aside)
  }
  const files = { ...(await openFolder(filesFolder(root))), remove }
  await sweepMedium(files, (names) => findKnownFiles(db, names), later(now, -YOUNG))
}

/** Removes files that were set aside before the oldest base backup. */
export async function deleteSetAside(root: string, oldest: string): Promise<void> {
  for (const base of await listFolder(removedFolder(root)))
    if (base < oldest) await rm(join(removedFolder(root), base), { recursive: true, force: true })
}

/** Finds the folder that holds a file or a file that was set aside. */
export async function findArchived(root: string, name: string): Promise<string | undefined> {
  const bases = await listFolder(removedFolder(root))
  const folders = [filesFolder(root), ...bases.map((base) => join(removedFolder(root), base))]
  return folders.find((folder) => existsSync(pathOf(folder, name)))
}

/** A file of the restored database that the archive does not have, or that was altered; `of` names its row. */
export type LostFile = { of: string; fileName: string; reason: 'missing' | 'altered' }
export type RestoredFiles = { count: number; size: number; lost: LostFile[] }

/** Verifies the files that a restored database names, and copies the valid ones to the stage if there is one. */
export async function restoreArchivedFiles(
  db: Reader,
  root: string,
  secretKey: SecretKey | undefined,
  stage: Stage | undefined,
): Promise<RestoredFiles> {
  const restored: RestoredFiles = { count: 0, size: 0, lost: [] }
  for await (const { of, fileName, file } of findNamedFiles(db)) {
    const folder = await findArchived(root, file.name)
    if (folder === undefined) restored.lost.push({ of, fileName, reason: 'missing' })
    else if (!(await isIntactFile(folder, file, secretKey))) restored.lost.push({ of, fileName, reason: 'altered' })
    else {
      if (stage !== undefined)
        await copy(await (await openFolder(folder)).open(file.name, 'read'), stage.create(file.name))
      restored.count++
      restored.size += file.size
    }
  }
  return restored
}
