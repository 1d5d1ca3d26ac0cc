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
import type { FilesPlace } from '../env.files.ts'
import type { Env } from '../env.ts'
import { FileStoreError } from '../files/errors.ts'
import { nameOfPlace, openMedium, type Stage } from '../files/medium.ts'
import { cleaningUp } from './cleanUp.ts'
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

type Place = Pick<Env, 'dataDir' | 'databaseUrl' | 'files'>
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
export async function restoreBackup(order: RestoreOrder): Promise<void> {
  const { dataDir } = order.place
  openDataDir(dataDir)
  const unlock = lockDataDir(dataDir)
  let stage: Stage | undefined
  const restore = async () => {
    stage = await stageFiles(order.place.files)
    await restoreWith(order, stage)
  }
  const removeStaged = () => rm(join(dataDir, RESTORING), { recursive: true, force: true })
  await cleaningUp(restore, [() => stage?.discard(), removeStaged, unlock]).catch((error: unknown) => {
    throw unusable(error instanceof FileStoreError ? nameOfPlace(order.place.files) : dataDir, error)
  })
}

async function restoreWith({ backup, place, author }: RestoreOrder, stage: Stage): Promise<void> {
  const { dataDir, databaseUrl, files } = place
  const isEmbedded = databaseUrl === undefined
  const isWithin = 'folder' in files && files.folder === join(dataDir, 'files')
  if (isEmbedded) await requireEmptyFolder(dataDir, isWithin ? [...ALLOWED, 'files'] : ALLOWED)
  await mkdir(join(dataDir, RESTORING), { recursive: true, mode: 0o700 })
  await restoreFiles(join(backup.folder, 'files'), backup.files(), stage)
  const load = (connection: Connection) =>
    inTransaction(connection, async (target) => {
      await fill(target, backup, author)
      await stage.place()
    })
  if (isEmbedded) await restoreEmbedded(dataDir, load)
  else await load({ connectionString: databaseUrl })
}

async function fill(target: Target, backup: Backup, author: Author): Promise<void> {
  await requireEmptyDatabase(target)
  await loadBackup(target, backup)
  await voidAccess(target.tx, systemClock)
  const { moment, id } = backup.manifest
  const log = settingLog(SettingManage.RESTORE_BACKUP, id, { targetName: moment })
  await insertHistory(target.tx, author, systemClock.now(), [log])
}

/** Opens a stage for the files where there are none. */
const stageFiles = async (files: FilesPlace): Promise<Stage> =>
  (await openMedium(files)).stage().catch((error: unknown) => {
    if (!(error instanceof FileStoreError && error.reason === 'occupied')) throw error
    throw new BackupError(`${error.message}: restore where there are no files yet. Nothing was changed.`)
  })

/** Fills an embedded database beside its place, and then moves it there whole. */
async function restoreEmbedded(dataDir: string, load: (connection: Connection) => Promise<void>): Promise<void> {
  const staged = join(dataDir, RESTORING)
  const embedded = await startEmbedded({ dataDir: staged, log: { info: () => undefined, error: () => undefined } })
  await cleaningUp(() => load(embedded.connection), [embedded.stop])
  await rename(join(staged, 'pg'), join(dataDir, 'pg'))
  await syncFolder(dataDir)
}
