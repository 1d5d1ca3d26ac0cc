// Folders of backups, named by their moments. A folder gets its name once it is complete, so that an incomplete one is
// never used.

import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../disk.ts'
import { BackupError } from './errors.ts'
import { MANIFEST } from './manifest.ts'

const COMPLETE = /^\d{8}T\d{9}Z$/
const UNFINISHED = '.unfinished'

/** `20261122T103000123Z`. */
export const nameOf = (moment: string) => moment.replace(/[-:.]/g, '')

/** Lists the complete backups of a folder, oldest first. */
export const findBackups = async (root: string): Promise<string[]> =>
  (await readdir(root)).filter((name) => COMPLETE.test(name)).sort()

/** Finds the backup of a path: the folder itself, or the newest backup in it. */
export async function findBackup(from: string): Promise<string> {
  if (existsSync(join(from, MANIFEST))) return from
  const newest = existsSync(from) ? (await findBackups(from)).at(-1) : undefined
  if (newest === undefined) throw new BackupError(`${from} holds no backup.`)
  return join(from, newest)
}

/** Removes unfinished backups, and creates an empty folder for a new one. */
export async function openUnfinished(root: string, moment: string): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const name of await readdir(root))
    if (name.endsWith(UNFINISHED) && COMPLETE.test(name.slice(0, -UNFINISHED.length)))
      await rm(join(root, name), { recursive: true, force: true })
  const folder = join(root, `${nameOf(moment)}${UNFINISHED}`)
  await mkdir(folder, { mode: 0o700 })
  return folder
}

/** Gives a complete backup its name. */
export async function finish(root: string, unfinished: string): Promise<string> {
  const folder = unfinished.slice(0, -UNFINISHED.length)
  await syncFolder(unfinished)
  await rename(unfinished, folder)
  await syncFolder(root)
  return folder
}

/** Removes all but the newest backups, and returns how many. */
export async function dropOld(root: string, keep: number): Promise<number> {
  const old = (await findBackups(root)).slice(0, -keep)
  for (const name of old) {
    // Renamed first, so that an incomplete backup is never used.
    const folder = join(root, `${name}${UNFINISHED}`)
    await rename(join(root, name), folder)
    await rm(folder, { recursive: true, force: true })
  }
  return old.length
}
