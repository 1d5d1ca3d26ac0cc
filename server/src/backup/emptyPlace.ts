// The empty data directory and file store that a restore fills. Until everything is verified, nothing is at a place
// that a server reads.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lockDataDir } from '../db/embedded/lock.ts'
import { openDataDir } from '../db/embedded/place.ts'
import { clearLeftovers } from '../db/embedded/process.ts'
import { RESTORING } from '../db/restoring.ts'
import { replaceFile, syncFolder } from '../disk.ts'
import type { FilesPlace } from '../env.files.ts'
import type { Env } from '../env.ts'
import { FileStoreError } from '../files/errors.ts'
import { nameOfPlace, openMedium, type Stage } from '../files/medium.ts'
import { withCleanUp } from './cleanUp.ts'
import { BackupError } from './errors.ts'
import { unusable } from './sealedStream.ts'

/** Entries of an empty data directory: the secret key, backups, and the lock of a server. */
const ALLOWED = ['secret.key', 'backups', 'server.lock', 'server.pid']
/** Holds where a restore puts its files, so that the next restore removes them after an interruption. */
const FILES_NOTE = 'files.place'

export type Place = Pick<Env, 'dataDir' | 'databaseUrl' | 'files'> & Partial<Pick<Env, 'databaseOwnerUrl'>>
/** `staged` is a folder next to the embedded database. */
export type EmptyPlace = { stage: Stage; staged: string }

const listOf = async (folder: string) => (existsSync(folder) ? readdir(folder) : [])

/** Rejects a data directory that is not empty. Ignores the remains of an interrupted restore. */
async function requireEmptyDataDir({ dataDir, files }: Place): Promise<void> {
  const isWithin = 'folder' in files && files.folder === join(dataDir, 'files')
  const allowed = [RESTORING, ...ALLOWED, ...(isWithin ? ['files'] : [])]
  const [entry] = (await listOf(dataDir)).filter((name) => !allowed.includes(name))
  if (entry !== undefined)
    throw new BackupError(
      `${dataDir} is not empty (${entry}): restore into an empty directory only. Nothing was changed.`,
    )
}

/** Opens a stage for the files. Rejects a store with other files than those of an interrupted restore. */
async function stageFiles({ dataDir, files }: Place): Promise<Stage> {
  const note = await readFile(join(dataDir, RESTORING, FILES_NOTE), 'utf8').catch(() => undefined)
  return (await openMedium(files)).stage(note === nameOfPlace(files)).catch((error: unknown) => {
    if (!(error instanceof FileStoreError && error.reason === 'occupied')) throw error
    throw new BackupError(`${error.message}: restore where there are no files yet. Nothing was changed.`)
  })
}

/** Empties the folder. Ends the database of an interrupted restore first. */
async function openStaged(folder: string, files: FilesPlace): Promise<void> {
  const database = join(folder, 'pg')
  if (existsSync(database)) await clearLeftovers(database)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  await replaceFile(join(folder, FILES_NOTE), nameOfPlace(files))
  await syncFolder(dirname(folder))
}

/** Does work on an empty place while no server can start there. Throws BackupError, and then restores the place. */
export async function fillEmptyPlace<T>(place: Place, work: (empty: EmptyPlace) => Promise<T>): Promise<T> {
  const { dataDir, files } = place
  openDataDir(dataDir)
  const unlock = lockDataDir(dataDir)
  const staged = join(dataDir, RESTORING)
  let stage: Stage | undefined
  // While files may have no database yet, a failure keeps the folder for the next restore.
  let isPlacing = false
  const fill = async () => {
    if (place.databaseUrl === undefined) await requireEmptyDataDir(place)
    const opened = await stageFiles(place)
    stage = opened
    await openStaged(staged, files)
    const placeFiles = () => {
      isPlacing = true
      return opened.place()
    }
    const result = await work({ stage: { ...opened, place: placeFiles }, staged })
    isPlacing = false
    return result
  }
  const removeStaged = async () => {
    if (stage !== undefined && !isPlacing) await rm(staged, { recursive: true, force: true })
  }
  return withCleanUp(fill, [() => stage?.discard(), removeStaged, unlock]).catch((error: unknown) => {
    throw unusable(error instanceof FileStoreError ? nameOfPlace(files) : dataDir, error)
  })
}

/** Moves the files, and then the complete and stopped embedded database, to their places. */
export async function placeAll(dataDir: string, { stage, staged }: EmptyPlace): Promise<void> {
  await stage.place()
  await rename(join(staged, 'pg'), join(dataDir, 'pg'))
  await syncFolder(dataDir)
}
