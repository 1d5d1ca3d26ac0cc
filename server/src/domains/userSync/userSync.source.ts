// Reads the source of a setting as the rows of an import: a directory, or the newest CSV file of ACC_PEOPLE_DIR. There,
// symbolic links and other files are ignored, so that nothing outside is read.
import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes } from '@acc/contract/labels/formats'
import { ImportRefusal, ImportSource, SyncKind } from '@acc/contract/labels/userImports'
import { MAX_IMPORT_FILE } from '@acc/contract/userImports'
import { minutes, today } from '../../clock.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Env } from '../../env.ts'
import { RefusedSource, type Source } from '../userImports/source.ts'
import type { Sync } from './userSync.settings.ts'

/** A file that changed within this time may still be written. */
const QUIET = minutes(1)

type PeopleFile = { name: string; bytes: Buffer; hash: string }

const refusedFor = (reason: ImportRefusal) => (error: unknown) => {
  throw new RefusedSource({ reason, text: error instanceof Error ? error.message : String(error) })
}

/** Finds the newest CSV file of a folder; of several of one moment the last by name. */
async function findNewest(folder: string): Promise<{ name: string; path: string }> {
  const entries = await readdir(folder).catch(refusedFor(ImportRefusal.FOLDER))
  const names = entries.filter((name) => /^[^.].*\.csv$/i.test(name))
  let newest: { name: string; path: string; at: number } | undefined
  for (const name of names.sort()) {
    const path = join(folder, name)
    const found = await lstat(path).catch(() => undefined)
    if (found?.isFile() === true && found.mtimeMs >= (newest?.at ?? 0)) newest = { name, path, at: found.mtimeMs }
  }
  if (newest === undefined) throw new RefusedSource({ reason: ImportRefusal.NO_FILE, text: folder })
  return newest
}

const isSame = (one: Stats, other: Stats) => one.size === other.size && one.mtimeMs === other.mtimeMs

async function readWhole(file: FileHandle, name: string): Promise<Buffer> {
  const before = await file.stat()
  if (!before.isFile()) throw new RefusedSource({ reason: ImportRefusal.FOLDER, text: name })
  if (before.size > MAX_IMPORT_FILE) {
    const text = `${name}: ${formatBytes(before.size)} > ${formatBytes(MAX_IMPORT_FILE)}`
    throw new RefusedSource({ reason: ImportRefusal.TOO_LARGE, text })
  }
  const bytes = Buffer.alloc(before.size)
  const { bytesRead } = await file.read(bytes, 0, before.size, 0)
  // Time stamps are the file system's, so that its age is compared with the time of the system.
  const isQuiet = Math.abs(Date.now() - before.mtimeMs) >= QUIET
  if (!isQuiet || bytesRead < before.size || !isSame(before, await file.stat()))
    throw new RefusedSource({ reason: ImportRefusal.UNFINISHED, text: name })
  return bytes
}

/** Reads the newest CSV file. Throws RefusedSource, also for a file that is still being written. */
export async function readNewest(folder: string): Promise<PeopleFile> {
  const { name, path } = await findNewest(folder)
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(path, flags).catch(refusedFor(ImportRefusal.FOLDER))
  try {
    const bytes = await readWhole(file, name)
    return { name, bytes, hash: createHash('sha256').update(bytes).digest('hex') }
  } catch (error) {
    if (error instanceof RefusedSource) throw error
    return refusedFor(ImportRefusal.FOLDER)(error)
  } finally {
    await file.close()
  }
}

/** What a run calls its source: the address of the directory, or the folder. */
export const sourceOf = ({ kind, directory }: Sync, env: Pick<Env, 'peopleDir'>) =>
  kind === SyncKind.DIRECTORY
    ? { source: ImportSource.DIRECTORY, fileName: directory?.serverAddress ?? '' }
    : { source: ImportSource.FOLDER, fileName: env.peopleDir ?? '' }

export async function findFile({ peopleDir }: Pick<Env, 'peopleDir'>): Promise<PeopleFile> {
  if (peopleDir === undefined) throw new RefusedSource({ reason: ImportRefusal.FOLDER, text: 'ACC_PEOPLE_DIR' })
  return readNewest(peopleDir)
}

/** Reads all people of the source; `baseKey` is the key of its group. Throws RefusedSource. */
export async function readSource(
  sync: Sync,
  baseKey: string,
  { env, clock }: Pick<HandlerServices, 'env' | 'clock'>,
): Promise<Source> {
  const { kind, directory, bindPw } = sync
  // The libraries are loaded with the first run.
  if (kind === SyncKind.DIRECTORY && directory !== null) {
    const { readDirectory } = await import('./userSync.directory.ts')
    return readDirectory({ ...directory, bindPw }, { baseKey, today: today(clock) })
  }
  const { readFile } = await import('../userImports/userImports.file.ts')
  return readFile((await findFile(env)).bytes, true)
}
