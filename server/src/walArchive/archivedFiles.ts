// Stored files in the archive: each is copied once it is complete. A file that the database no longer names is kept as
// long as the base backups from before.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { readLines } from '../backup/sealedStream.ts'
import { copy, isIntactFile, WANTED_FILES, walk } from '../backup/storedFiles.ts'
import { later, minutes } from '../clock.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import type { Reader } from '../db/open.ts'
import { codeOf, syncFolder } from '../disk.ts'
import { findNamedFiles } from '../domains/damagedFiles/damagedFiles.queries.ts'
import { orMissing } from '../files/errors.ts'
import { openBytes, openFolder } from '../files/folder.ts'
import type { Medium, Stage } from '../files/medium.ts'
import { isName, pathOf } from '../files/names.ts'
import { requireRoom } from './pieces.ts'

const [FILES, REMOVED, DRAFT] = ['files', 'removed', 'files.new']
/** A file that was copied this recently may have no row yet. */
const YOUNG = minutes(60)

export const isArchived = (root: string, name: string): boolean => existsSync(pathOf(join(root, FILES), name))

/** Copies a file that the archive does not have. Skips files that were removed from the store. */
export async function archiveFile(root: string, store: Medium, name: string): Promise<void> {
  const path = pathOf(join(root, FILES), name)
  if (isArchived(root, name)) return
  const size = await orMissing(store.size(name))
  if (size === undefined) return
  await requireRoom(root, size)
  const from = await orMissing(store.open(name, 'read'))
  if (from === undefined) return
  const draft = join(root, DRAFT)
  await rm(draft, { force: true })
  await copy(from, openBytes(draft, 'create'))
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await rename(draft, path)
  for (const folder of [dirname(path), dirname(dirname(path)), join(root, FILES), root]) await syncFolder(folder)
}

/** Lists the files that the database names, sorted. */
export async function* findWanted(client: pg.Client): AsyncGenerator<string> {
  const rows = client.query(copyTo(`copy (${WANTED_FILES}) to stdout`))
  for await (const line of readLines(rows)) yield line.split('\t')[0] ?? ''
}

/** Moves files that the database no longer names to the folder of a new base backup. `wanted` is sorted. */
export async function setAside(root: string, base: string, wanted: AsyncGenerator<string>, now: Date): Promise<void> {
  if (!existsSync(join(root, FILES))) return
  let next = await wanted.next()
  for await (const path of walk(join(root, FILES))) {
    const name = basename(path)
    while (next.done !== true && next.value < name) next = await wanted.next()
    if (!isName(name) || next.value === name || (await stat(path)).mtime > later(now, -YOUNG)) continue
    const aside = pathOf(join(root, REMOVED, base), name)
    await mkdir(dirname(aside), { recursive: true, mode: 0o700 })
    await rename(path, aside)
  }
}

const listSetAside = async (root: string): Promise<string[]> =>
  readdir(join(root, REMOVED)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })

/** Removes files that were set aside before the oldest base backup. */
export async function deleteSetAside(root: string, oldest: string): Promise<void> {
  for (const base of await listSetAside(root))
    if (base < oldest) await rm(join(root, REMOVED, base), { recursive: true, force: true })
}

/** Finds the folder that holds a file or a file that was set aside. */
export async function findArchived(root: string, name: string): Promise<string | undefined> {
  const folders = [join(root, FILES), ...(await listSetAside(root)).map((base) => join(root, REMOVED, base))]
  return folders.find((folder) => existsSync(pathOf(folder, name)))
}

/** A file of the restored database that the archive does not have, or that was altered; `of` names its row. */
export type LostFile = { of: string; fileName: string; reason: 'missing' | 'altered' }
export type RestoredFiles = { count: number; size: number; lost: LostFile[] }

/** Verifies the files that a restored database names, and copies the valid ones to the stage if there is one. */
export async function restoreArchivedFiles(
  db: Reader,
  root: string,
  { stage, secretKey }: { stage?: Stage | undefined; secretKey: SecretKey | undefined },
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
