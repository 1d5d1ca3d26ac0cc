// Stored files in a folder: `4f/a0/4fa0...`, each written in place, so that there are no temporary files.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, syncFolder } from '../disk.ts'
import { FileStoreError, onDisk } from './errors.ts'
import type { Medium, OpenMode, Stage, StoredBytes } from './medium.ts'
import { isName, pathOf } from './names.ts'

type FileMode = Exclude<OpenMode, 'replace'>
const FLAGS: Record<FileMode, number | string> = {
  read: constants.O_RDONLY,
  append: constants.O_RDWR | constants.O_CREAT,
  create: 'wx+',
}

/** The folder of a restore's files until all are complete. */
const STAGE = '.restoring'
/** The files that a restore moves together: those whose names begin alike. */
const PLACED = /^[0-9a-f]{2}$/

/** Opens a folder and creates it if it is missing. */
export async function openFolder(folder: string): Promise<Medium> {
  await onDisk(mkdir(folder, { recursive: true, mode: 0o700 }))
  return {
    open: (name, mode) => openIn(folder, name, mode),
    size: async (name) => (await onDisk(stat(pathOf(folder, name)))).size,
    remove: (name) => onDisk(rm(pathOf(folder, name), { force: true })),
    names: () => namesIn(folder),
    writtenDT: async (name) => (await onDisk(stat(pathOf(folder, name)).catch(orNothing)))?.mtime,
    free: async () => {
      const { bavail, bsize } = await onDisk(statfs(folder))
      return bavail * bsize
    },
    check: () => check(folder),
    stage: (again) => stageIn(folder, again),
  }
}

async function openIn(folder: string, name: string, mode: OpenMode): Promise<StoredBytes> {
  const path = pathOf(folder, name)
  const home = dirname(path)
  if (mode !== 'read') await onDisk(mkdir(home, { recursive: true, mode: 0o700 }))
  const bytes = mode === 'replace' ? await openDraft(path) : await openBytes(path, mode)
  const sync = async () => {
    await bytes.sync()
    for (const entries of [home, dirname(home), folder]) await onDisk(syncFolder(entries))
  }
  return { ...bytes, sync }
}

/** Opens a draft that takes the file's place when it is synced. A draft that is closed before is removed. */
async function openDraft(path: string): Promise<StoredBytes> {
  const draft = `${path}.new`
  await onDisk(rm(draft, { force: true }))
  const bytes = await openBytes(draft, 'create')
  return {
    ...bytes,
    sync: async () => {
      await bytes.sync()
      await onDisk(rename(draft, path))
    },
    close: async () => {
      await bytes.close()
      await onDisk(rm(draft, { force: true }))
    },
  }
}

/** Opens one file by its path. */
export async function openBytes(path: string, mode: FileMode): Promise<StoredBytes> {
  const handle = await onDisk(open(path, FLAGS[mode], 0o600))
  return {
    size: async () => (await onDisk(handle.stat())).size,
    readAt: (buffer, position) => readAt(handle, buffer, position),
    writeAt: (parts, position) => writeAt(handle, parts, position),
    truncate: (length) => onDisk(handle.truncate(length)),
    sync: () => onDisk(handle.sync()),
    close: () => onDisk(handle.close()), // a network share may report a full disk only here
  }
}

async function readAt(handle: FileHandle, buffer: Buffer, position: number): Promise<Buffer> {
  let filled = 0
  while (filled < buffer.length) {
    const read = handle.read(buffer, filled, buffer.length - filled, position + filled)
    const { bytesRead } = await onDisk(read)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** Writes all parts, also if the system accepts only a piece. */
async function writeAt(handle: FileHandle, parts: readonly Buffer[], position: number): Promise<void> {
  const { bytesWritten } = await onDisk(handle.writev(parts, position))
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (bytesWritten === length) return
  // The system wrote less than asked: the disk is nearly full, and the rest either fits or fails with the reason.
  let rest = Buffer.concat(parts).subarray(bytesWritten)
  let at = position + bytesWritten
  while (rest.length > 0) {
    const { bytesWritten: more } = await onDisk(handle.write(rest, 0, rest.length, at))
    rest = rest.subarray(more)
    at += more
  }
}

async function* namesIn(folder: string): AsyncGenerator<readonly string[]> {
  for (const first of await list(folder)) {
    const names: string[] = []
    for (const second of await list(join(folder, first)))
      for (const name of await list(join(folder, first, second)))
        if (isName(name) && name.startsWith(first + second)) names.push(name)
    if (names.length > 0) yield names
  }
}

const list = async (folder: string): Promise<string[]> => (await onDisk(readdir(folder).catch(orNothing))) ?? []

/** Another node may sweep at the same time, and the folder may hold files of others. */
function orNothing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
  throw error
}

/** Writes and removes a file with a random name, so that no link can wait in its place. */
async function check(folder: string): Promise<void> {
  const probe = join(folder, `.writable-${randomBytes(8).toString('hex')}`)
  try {
    await writeFile(probe, 'yes', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const reason = ['ENOSPC', 'EDQUOT'].includes(codeOf(error)) ? 'noSpace' : 'unavailable'
    throw new FileStoreError(reason, `the file store cannot be written to (${codeOf(error)})`, { cause: error })
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}

/** Stages files next to their places, after deleting those of an interrupted restore. */
async function stageIn(folder: string, again = false): Promise<Stage> {
  const staged = join(folder, STAGE)
  await onDisk(rm(staged, { recursive: true, force: true }))
  for (const name of again ? await list(folder) : [])
    if (PLACED.test(name)) await onDisk(rm(join(folder, name), { recursive: true, force: true }))
  const [found] = await list(folder)
  if (found !== undefined) throw new FileStoreError('occupied', `${folder} is not empty (${found})`)
  await onDisk(mkdir(staged, { mode: 0o700 }))
  return {
    create: (name) => openIn(staged, name, 'create'),
    place: async () => {
      for (const name of await list(staged)) await onDisk(rename(join(staged, name), join(folder, name)))
      await onDisk(syncFolder(folder))
    },
    discard: () => onDisk(rm(staged, { recursive: true, force: true })),
  }
}
