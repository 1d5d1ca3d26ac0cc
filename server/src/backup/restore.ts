// Restores a backup where nothing is yet: into the embedded database of an empty data directory, or into an empty outside
// database. Until all of it was read and found sound, nothing lies where a server would find it.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingManage } from '@acc/contract/labels/history'
import { systemClock } from '../clock.ts'
import { type Author, insertHistory } from '../core/change.ts'
import { settingLog } from '../core/settingLog.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { lockDataDir } from '../db/embedded/lock.ts'
import { openDataDir } from '../db/embedded/place.ts'
import type { Connection } from '../db/open.ts'
import { syncFolder } from '../disk.ts'
import type { Env } from '../env.ts'
import { BackupError } from './errors.ts'
import { inTransaction, loadBackup, requireEmptyDatabase, type Target } from './load.ts'
import type { Backup } from './read.ts'
import { unusable } from './sealedStream.ts'
import { restoreFiles } from './storedFiles.ts'
import { voidAccess } from './voidAccess.ts'

/** What may lie in a data directory that counts as empty: the key that was put back, and the lock of a server. */
const ALLOWED = ['secret.key', 'server.lock', 'server.pid']
/** Where the restored data are until they are complete. */
const RESTORING = '.restoring'

type Place = Pick<Env, 'dataDir' | 'databaseUrl' | 'filesDir'>
export type RestoreOrder = { backup: Backup; place: Place; author: Author }

const listOf = async (folder: string) => (existsSync(folder) ? readdir(folder) : [])

/** Removes what an earlier restore left unfinished, and rejects a folder that holds more than `allowed`. */
async function requireEmptyFolder(folder: string, allowed: readonly string[]): Promise<void> {
  const [entry] = (await listOf(folder)).filter((name) => name !== RESTORING && !allowed.includes(name))
  if (entry !== undefined)
    throw new BackupError(
      `${folder} is not empty (${entry}): restore into an empty directory only. Nothing was changed.`,
    )
  await rm(join(folder, RESTORING), { recursive: true, force: true })
}

/** Restores a backup. Throws BackupError, and leaves everything as it was. */
export async function restoreBackup({ backup, place, author }: RestoreOrder): Promise<void> {
  const { dataDir, databaseUrl, filesDir } = place
  const isEmbedded = databaseUrl === undefined
  openDataDir(dataDir)
  const unlock = lockDataDir(dataDir)
  const isBeside = filesDir !== join(dataDir, 'files')
  const staged = [join(dataDir, RESTORING), join(filesDir, RESTORING)]
  try {
    await requireEmptyFolder(filesDir, [])
    if (isEmbedded) await requireEmptyFolder(dataDir, isBeside ? ALLOWED : [...ALLOWED, 'files'])
    for (const folder of staged) await mkdir(folder, { recursive: true, mode: 0o700 })
    await restoreFiles(join(backup.folder, 'files'), backup.files(), join(filesDir, RESTORING))
    const load = (connection: Connection, place: () => Promise<void>) =>
      inTransaction(connection, async (target) => {
        await fill(target, backup, author)
        await place()
      })
    if (isEmbedded) await restoreEmbedded(dataDir, (connection) => load(connection, () => placeFiles(filesDir)))
    else await load({ connectionString: databaseUrl }, () => placeFiles(filesDir))
  } catch (error) {
    throw unusable(dataDir, error)
  } finally {
    for (const folder of staged) await rm(folder, { recursive: true, force: true })
    unlock()
  }
}

async function fill(target: Target, backup: Backup, author: Author): Promise<void> {
  await requireEmptyDatabase(target)
  await loadBackup(target, backup)
  await voidAccess(target.tx, systemClock)
  const { moment, id } = backup.manifest
  const log = settingLog(SettingManage.RESTORE_BACKUP, id, { targetName: moment })
  await insertHistory(target.tx, author, systemClock.now(), [log])
}

/** Moves the restored files to their places; they are whole by then. */
async function placeFiles(filesDir: string): Promise<void> {
  const staged = join(filesDir, RESTORING)
  for (const name of await readdir(staged)) await rename(join(staged, name), join(filesDir, name))
  await syncFolder(filesDir)
}

/** Fills an embedded database beside its place, and then moves it there whole. */
async function restoreEmbedded(dataDir: string, load: (connection: Connection) => Promise<void>): Promise<void> {
  const staged = join(dataDir, RESTORING)
  const embedded = await startEmbedded({ dataDir: staged, log: { info: () => undefined, error: () => undefined } })
  try {
    await load(embedded.connection)
  } finally {
    await embedded.stop()
  }
  await rename(join(staged, 'pg'), join(dataDir, 'pg'))
  await syncFolder(dataDir)
}
