// The empty places that a restore fills: a data directory, and where stored files are kept. Until all of it was read and found
// sound, nothing lies where a server would find it.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { lockDataDir } from '../db/embedded/lock.ts'
import { openDataDir } from '../db/embedded/place.ts'
import { syncFolder } from '../disk.ts'
import type { FilesPlace } from '../env.files.ts'
import type { Env } from '../env.ts'
import { FileStoreError } from '../files/errors.ts'
import { nameOfPlace, openMedium, type Stage } from '../files/medium.ts'
import { cleaningUp } from './cleanUp.ts'
import { BackupError } from './errors.ts'
import { unusable } from './sealedStream.ts'

/** What may lie in a data directory that counts as empty: the key that was put back, and the lock of a server. */
const ALLOWED = ['secret.key', 'server.lock', 'server.pid']
/** Where the restored data are until they are complete. */
const RESTORING = '.restoring'

export type Place = Pick<Env, 'dataDir' | 'databaseUrl' | 'files'> & Partial<Pick<Env, 'databaseOwnerUrl'>>
/** `staged` is a folder beside the place of the embedded database. */
export type EmptyPlace = { stage: Stage; staged: string }

const listOf = async (folder: string) => (existsSync(folder) ? readdir(folder) : [])

/** Removes what an earlier restore left unfinished, and rejects a data directory that holds anything. */
async function requireEmptyDataDir({ dataDir, files }: Place): Promise<void> {
  const isWithin = 'folder' in files && files.folder === join(dataDir, 'files')
  const allowed = [RESTORING, ...ALLOWED, ...(isWithin ? ['files'] : [])]
  const [entry] = (await listOf(dataDir)).filter((name) => !allowed.includes(name))
  if (entry !== undefined)
    throw new BackupError(
      `${dataDir} is not empty (${entry}): restore into an empty directory only. Nothing was changed.`,
    )
  await rm(join(dataDir, RESTORING), { recursive: true, force: true })
}

/** Opens a stage for the files where there are none. */
const stageFiles = async (files: FilesPlace): Promise<Stage> =>
  (await openMedium(files)).stage().catch((error: unknown) => {
    if (!(error instanceof FileStoreError && error.reason === 'occupied')) throw error
    throw new BackupError(`${error.message}: restore where there are no files yet. Nothing was changed.`)
  })

/** Does work on a place that is empty, and that no server has meanwhile. Throws BackupError, and leaves everything as it was. */
export async function fillEmptyPlace<T>(place: Place, work: (empty: EmptyPlace) => Promise<T>): Promise<T> {
  const { dataDir, files } = place
  openDataDir(dataDir)
  const unlock = lockDataDir(dataDir)
  const staged = join(dataDir, RESTORING)
  let stage: Stage | undefined
  const fill = async () => {
    stage = await stageFiles(files)
    if (place.databaseUrl === undefined) await requireEmptyDataDir(place)
    await mkdir(staged, { recursive: true, mode: 0o700 })
    return work({ stage, staged })
  }
  const removeStaged = () => rm(staged, { recursive: true, force: true })
  return cleaningUp(fill, [() => stage?.discard(), removeStaged, unlock]).catch((error: unknown) => {
    throw unusable(error instanceof FileStoreError ? nameOfPlace(files) : dataDir, error)
  })
}

/** Moves an embedded database that is complete, and does not run, to its place. */
export async function placeDatabase(dataDir: string, staged: string): Promise<void> {
  await rename(join(staged, 'pg'), join(dataDir, 'pg'))
  await syncFolder(dataDir)
}
