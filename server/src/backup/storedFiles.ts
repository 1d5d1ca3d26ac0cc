// The stored files of a backup: copied in their encrypted form. A complete file never changes, so a later backup in the
// same folder links the existing copy.
import { createHash, type KeyObject } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { RequestState } from '@acc/contract/labels/requests'
import type { SecretKey } from '../crypto/secretKey.ts'
import { codeOf } from '../disk.ts'
import { FileStoreError, orMissing } from '../files/errors.ts'
import { openFileStore, type StoredFile } from '../files/fileStore.ts'
import { openBytes, openFolder } from '../files/folder.ts'
import type { Medium, Stage, StoredBytes } from '../files/medium.ts'
import { pathOf } from '../files/names.ts'
import { sealedLength } from '../files/segments.ts'
import { BackupError } from './errors.ts'
import { damaged, readLines, readPart } from './sealedStream.ts'

/** Selects the names of complete files: of client versions, and of requests that were not canceled or cleared. */
export const WANTED_FILES = `
  select "storeName", sha256 from (select f."storeName", f.sha256 from "requestFiles" f join "fileEximports" r on r.idx = f."fileEximportIdx"
  where f."isUploaded" = 1 and r.state <> ${RequestState.CANCELED} and r."filesRemovedDT" is null
  union all select "storeName", sha256 from "clientVersions") as wanted
  order by "storeName" collate "C"`

/** A file in its row. */
export type WantedFile = { name: string; sha256: string }
/** A file in a backup: `digest` is the SHA-256 of the `size` stored bytes. */
export type BackedUpFile = WantedFile & { size: number; digest: string }

export const writeLine = ({ name, sha256, size, digest }: BackedUpFile) => `${name} ${sha256} ${size} ${digest}\n`

/** The list of a backup's files, which is authenticated. */
export async function* readFileList(path: string, key: KeyObject, size: number): AsyncGenerator<BackedUpFile> {
  for await (const line of readLines(readPart(path, key, size))) {
    const [name = '', sha256 = '', length = '', digest = ''] = line.split(' ')
    yield { name, sha256, size: Number(length), digest }
  }
}

/** Bytes that are read at once. */
const PIECE = 1024 * 1024

/** Copies a file durably, closes both, and returns the size and digest. */
export async function copy(
  from: StoredBytes,
  opening: Promise<StoredBytes>,
): Promise<{ size: number; digest: string }> {
  const hash = createHash('sha256')
  let size = 0
  try {
    const to = await opening
    try {
      for (;;) {
        const piece = await from.readAt(Buffer.allocUnsafe(PIECE), size)
        if (piece.length === 0) break
        hash.update(piece)
        await to.writeAt([piece], size)
        size += piece.length
      }
      await to.sync()
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
  return { size, digest: hash.digest('hex') }
}

const create = async (path: string): Promise<StoredBytes> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return openBytes(path, 'create')
}

const sizeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch((error: unknown) => (codeOf(error) === 'ENOENT' ? undefined : Promise.reject(error))))?.size

/** Links the copy of an earlier backup. Returns false if it differs from the list, or the file system has no links. */
async function linkTo(earlier: string, size: number, to: string): Promise<boolean> {
  if ((await sizeOf(earlier)) !== size) return false
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  return link(earlier, to).then(
    () => true,
    () => false,
  )
}

/** An earlier backup in the same folder, whose manifest was authenticated. */
export type EarlierFiles = { folder: string; list: AsyncGenerator<BackedUpFile> }
export type FileCounts = { count: number; size: number; copied: number; missing: number }

/** Finds files of an earlier list. Names must be asked in the order of the list. */
function findIn(list: AsyncGenerator<BackedUpFile>) {
  let current: BackedUpFile | undefined
  let isDone = false
  return async ({ name, sha256 }: WantedFile): Promise<BackedUpFile | undefined> => {
    while (!isDone && (current === undefined || current.name < name)) {
      const next = await list.next()
      isDone = next.done === true
      current = next.done === true ? undefined : next.value
    }
    return current?.name === name && current.sha256 === sha256 ? current : undefined
  }
}

/** Copies or links each file, yields it, and counts. Files that the store has lost count as missing. */
export async function* backUpFiles(
  wanted: AsyncIterable<WantedFile>,
  { store, folder, earlier }: { store: Medium; folder: string; earlier: EarlierFiles | undefined },
  counts: FileCounts,
): AsyncGenerator<BackedUpFile> {
  const findEarlier = earlier === undefined ? async () => undefined : findIn(earlier.list)
  try {
    for await (const file of wanted) {
      const known = await findEarlier(file)
      const to = pathOf(folder, file.name)
      const linked =
        known !== undefined &&
        earlier !== undefined &&
        (await linkTo(pathOf(earlier.folder, file.name), known.size, to))
      const held = linked ? known : await copyIfThere(file, store, to)
      if (held === undefined) counts.missing++
      else {
        counts.count++
        counts.size += held.size
        if (!linked) counts.copied++
        yield held
      }
    }
  } finally {
    // The list may have files that are no longer wanted.
    await earlier?.list.return(undefined)
  }
}

async function copyIfThere(file: WantedFile, store: Medium, to: string): Promise<BackedUpFile | undefined> {
  const from = await orMissing(store.open(file.name, 'read'))
  return from && { ...file, ...(await copy(from, create(to))) }
}

/** Lists all files below a folder in the order of their names, one of its 65,536 folders at a time. */
export async function* walk(folder: string): AsyncGenerator<string> {
  const list = async (path: string) =>
    (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of await list(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(path)
    else yield path
  }
}

/** Rejects unless exactly the listed files exist with their lengths. */
export async function requireFiles(folder: string, list: AsyncGenerator<BackedUpFile>): Promise<void> {
  const found = walk(folder)
  for await (const { name, size } of list) {
    const path = pathOf(folder, name)
    const next = await found.next()
    if (next.done === true || next.value > path) throw new BackupError(`${path} is missing from the backup.`)
    if (next.value !== path) throw notOfBackup(next.value)
    if ((await stat(path)).size !== size) throw damaged(path)
  }
  const extra = await found.next()
  if (extra.done !== true) throw notOfBackup(extra.value)
}

export const notOfBackup = (path: string) => new BackupError(`${path} does not belong to this backup.`)

/** Copies the listed files to a stage. Rejects if one was altered. */
export async function restoreFiles(folder: string, list: AsyncGenerator<BackedUpFile>, stage: Stage): Promise<void> {
  for await (const { name, digest } of list) {
    const copied = await copy(await openBytes(pathOf(folder, name), 'read'), stage.create(name))
    if (copied.digest !== digest) throw damaged(pathOf(folder, name))
  }
}

/** Reads all listed files. Rejects if one was altered. */
export async function verifyFiles(folder: string, list: AsyncGenerator<BackedUpFile>): Promise<void> {
  for await (const { name, digest } of list) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(pathOf(folder, name)), hash)
    if (hash.digest('hex') !== digest) throw damaged(pathOf(folder, name))
  }
}

/** Whether the file below a folder is that of the row: compares its length and, with a key, decrypts it. */
export async function isIntactFile(
  folder: string,
  file: StoredFile,
  secretKey: SecretKey | undefined,
): Promise<boolean> {
  const medium = await openFolder(folder)
  if (secretKey === undefined) return (await medium.size(file.name)) === sealedLength(file.size)
  try {
    for await (const _ of await openFileStore({ medium, secretKey }).read(file));
    return true
  } catch (error) {
    if (error instanceof FileStoreError && error.reason === 'damaged') return false
    throw error
  }
}
