// Stored files in the archive: copied once, as they are, when they are complete. One that the database no longer names stays for
// as long as a base backup is kept that was made before.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { readLines } from '../backup/sealedStream.ts'
import { copy, WANTED_FILES, walk } from '../backup/storedFiles.ts'
import { later, minutes } from '../clock.ts'
import { codeOf, syncFolder } from '../disk.ts'
import { orMissing } from '../files/errors.ts'
import { openBytes } from '../files/folder.ts'
import type { Medium } from '../files/medium.ts'
import { isName, pathOf } from '../files/names.ts'
import { requireRoom } from './pieces.ts'

const [FILES, REMOVED, DRAFT] = ['files', 'removed', 'files.new']
/** A file that was copied this recently may have no row yet. */
const YOUNG = minutes(60)

export const isArchived = (root: string, name: string): boolean => existsSync(pathOf(join(root, FILES), name))

/** Copies a file unless it is there. One that the store does not have any more is passed over. */
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

/** The names of the files that the database names, in their order. */
export async function* findWanted(client: pg.Client): AsyncGenerator<string> {
  const rows = client.query(copyTo(`copy (${WANTED_FILES}) to stdout`))
  for await (const line of readLines(rows)) yield line.split('\t')[0] ?? ''
}

/** The names in the archive that are not wanted, both in their order. */
async function* findNeedless(root: string, wanted: AsyncGenerator<string>): AsyncGenerator<string> {
  let next = await wanted.next()
  for await (const path of walk(join(root, FILES))) {
    const name = basename(path)
    while (next.done !== true && next.value < name) next = await wanted.next()
    if (isName(name) && (next.done === true || next.value !== name)) yield name
  }
}

/** Sets aside, beside the base backup that was just made, what the database does not name any more. */
export async function setAside(root: string, base: string, wanted: AsyncGenerator<string>, now: Date): Promise<void> {
  if (!existsSync(join(root, FILES))) return
  for await (const name of findNeedless(root, wanted)) {
    const [path, aside] = [pathOf(join(root, FILES), name), pathOf(join(root, REMOVED, base), name)]
    if ((await stat(path)).mtime > later(now, -YOUNG)) continue
    await mkdir(dirname(aside), { recursive: true, mode: 0o700 })
    await rename(path, aside)
  }
}

const asideOf = async (root: string): Promise<string[]> =>
  readdir(join(root, REMOVED)).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })

/** Removes what was set aside before the oldest base backup that is kept was made. */
export async function dropAside(root: string, oldest: string): Promise<void> {
  for (const base of await asideOf(root))
    if (base < oldest) await rm(join(root, REMOVED, base), { recursive: true, force: true })
}

/** Finds the folder that holds a file, also one that was set aside; undefined without it. */
export async function findArchived(root: string, name: string): Promise<string | undefined> {
  const folders = [join(root, FILES), ...(await asideOf(root)).map((base) => join(root, REMOVED, base))]
  return folders.find((folder) => existsSync(pathOf(folder, name)))
}
