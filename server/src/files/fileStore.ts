// The store of request files and client versions: encrypted files in a folder, under names of ours, with a key each that the
// server's secret key wraps. What is known of a file (its StoredFile) lives in the caller's row; the folder alone reveals
// nothing. The form on disk is in segments.ts, the reasons in docs/decisions/0003-file-store.md.
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { seal, UnsealError, unseal } from '../crypto/seal.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import { codeOf, syncFolder } from '../disk.ts'
import { appendTo, type Progress, type Source } from './append.ts'
import { FileStoreError, onDisk } from './errors.ts'
import { readRange, writeWhole } from './receive.ts'
import { plaintextLength, readSegments, SEGMENT, sealedLength, segmentCount } from './segments.ts'
import { type FindKnownNames, isName, pathOf, sweepFolder } from './sweep.ts'
import { findTail, type OpenFile } from './tail.ts'

/**
 * What the caller's row keeps of a file. `owner` names the row and what it says of the file; `size` in bytes and `sha256` (hex)
 * are as announced. All of them are bound to the wrapped key. `earlierOwner` is what an earlier version bound keys to.
 */
export type StoredFile = {
  owner: string
  earlierOwner: string
  name: string
  wrappedKey: Uint8Array
  size: number
  sha256: string
}

/** A file of unknown length that has arrived whole. Its key is in memory only until a row keeps it. */
export type ReceivedFile = {
  name: string
  size: number
  sha256: string
  /** Up to `length` plaintext bytes from `position` on, authenticated. */
  readAt(position: number, length: number): Promise<Buffer>
  /** Binds the key to its owner and returns it for the row. */
  wrapKey(owner: string): Buffer
}

/** Every failure of the disk or of the stored bytes is a FileStoreError with its reason. */
export type FileStore = {
  /** Reserves a name and a key for a file of `size` bytes; nothing is written before the first `append`. */
  create(owner: string, size: number, sha256: string): { name: string; wrappedKey: Buffer }
  /**
   * The plaintext bytes held, and the offset at which the next `append` must begin. All of them held is not yet
   * complete.
   */
  received(file: StoredFile): Promise<number>
  /** The plaintext bytes by the length of what is stored, without opening it; after a crash it may be above `received`. */
  held(file: StoredFile): Promise<number>
  /** Bytes that may still be written to the volume. */
  free(): Promise<number>
  /**
   * Takes bytes from `offset` on until `source` ends or fails (its error is thrown on; what came stays). `complete`
   * means that all bytes are there, their SHA-256 is right, and they are on the disk (fsync). A second append to the
   * same file in this process is 'busy'; across processes the caller holds a lock of its own. After a crash between the
   * last byte and the caller's commit, an append of nothing at `received` completes the file. Must not be called for a
   * file that the row has as complete.
   */
  append(file: StoredFile, offset: number, source: Source): Promise<Progress>
  /** Stores a file of unknown length until `source` ends. If it fails, nothing stays, and its error is thrown on. */
  receive(source: Source): Promise<ReceivedFile>
  /**
   * The plaintext of a complete file from a byte on, authenticated segment by segment. Rejects before the first byte where it
   * can ('missing', 'damaged').
   */
  read(file: StoredFile, from?: number): Promise<Readable>
  /** Removes the stored bytes; one that is not there is fine. */
  remove(name: string): Promise<void>
  /**
   * Removes files last written before `before` that no row knows, and answers how many. `before` must lie hours back.
   */
  sweep(known: FindKnownNames, before: Date): Promise<number>
  /** Resolves while the folder can be written to; for readiness. */
  check(): Promise<void>
}

export async function openFileStore(options: { folder: string; secretKey: SecretKey }): Promise<FileStore> {
  const { folder, secretKey } = options
  await onDisk(mkdir(folder, { recursive: true, mode: 0o700 }))
  const uploading = new Set<string>()
  return {
    create: (owner, size, sha256) => createFile(secretKey, { owner, size, sha256 }),
    received: (file) => received(folder, secretKey, file),
    held: (file) => held(folder, file),
    free: async () => {
      const { bavail, bsize } = await onDisk(statfs(folder))
      return bavail * bsize
    },
    async append(file, offset, source) {
      if (uploading.has(file.name)) throw new FileStoreError('busy', `another upload of file ${file.name} is running`)
      uploading.add(file.name)
      try {
        return await append(folder, secretKey, file, offset, source)
      } finally {
        uploading.delete(file.name)
      }
    },
    receive: (source) => receive(folder, secretKey, source),
    read: (file, from = 0) => read(folder, secretKey, file, from),
    remove: async (name) => onDisk(rm(pathIn(folder, name), { force: true })),
    sweep: (known, before) => sweepFolder(folder, known, before),
    check: () => check(folder),
  }
}

const newName = () => randomBytes(16).toString('hex')

type NewFile = Omit<StoredFile, 'name' | 'wrappedKey' | 'earlierOwner'>

function createFile(secretKey: SecretKey, file: NewFile): { name: string; wrappedKey: Buffer } {
  const { size } = file
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`a file cannot have ${size} bytes`)
  const name = newName()
  return { name, wrappedKey: seal(secretKey, 'files', contextOf({ name, ...file }), randomBytes(32)) }
}

async function received(folder: string, secretKey: SecretKey, file: StoredFile): Promise<number> {
  const key = unwrapKey(secretKey, file)
  try {
    const tail = await withFile(folder, file, key, constants.O_RDONLY, findTail)
    return tail.received
  } catch (error) {
    if (error instanceof FileStoreError && error.reason === 'missing') return 0
    throw error
  }
}

async function held(folder: string, file: StoredFile): Promise<number> {
  try {
    const { size } = await onDisk(stat(pathIn(folder, file.name)))
    return Math.min(file.size, plaintextLength(size))
  } catch (error) {
    if (error instanceof FileStoreError && error.reason === 'missing') return 0
    throw error
  }
}

async function append(folder: string, secretKey: SecretKey, file: StoredFile, offset: number, source: Source) {
  const key = unwrapKey(secretKey, file)
  await makeHome(folder, file.name)
  const flags = constants.O_RDWR | constants.O_CREAT
  const progress = await withFile(folder, file, key, flags, (opened) => appendTo(opened, offset, source))
  if (progress.complete) await syncHome(folder, file.name)
  return progress
}

const makeHome = (folder: string, name: string) =>
  onDisk(mkdir(dirname(pathIn(folder, name)), { recursive: true, mode: 0o700 }))

/** Makes the entries of a file's folders durable. */
async function syncHome(folder: string, name: string): Promise<void> {
  const home = dirname(pathIn(folder, name))
  for (const path of [home, dirname(home), folder]) await onDisk(syncFolder(path))
}

async function receive(folder: string, secretKey: SecretKey, source: Source): Promise<ReceivedFile> {
  const name = newName()
  const secret = randomBytes(32)
  const key = createSecretKey(secret)
  const path = pathIn(folder, name)
  await makeHome(folder, name)
  try {
    const { size, sha256 } = await writeWhole(path, key, source)
    await syncHome(folder, name)
    return {
      name,
      size,
      sha256,
      readAt: (position, length) => readRange(path, key, size, { position, length }),
      wrapKey: (owner) => seal(secretKey, 'files', contextOf({ owner, name, size, sha256 }), secret),
    }
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined) // what made it fail is what the caller must hear
    throw error
  }
}

async function withFile<T>(
  folder: string,
  file: StoredFile,
  key: KeyObject,
  flags: number,
  work: (opened: OpenFile) => Promise<T>,
): Promise<T> {
  const handle = await onDisk(open(pathIn(folder, file.name), flags, 0o600))
  try {
    return await work({ handle, key, size: file.size, sha256: file.sha256 })
  } finally {
    await onDisk(handle.close()) // a network share may tell of a full disk only here
  }
}

async function read(folder: string, secretKey: SecretKey, file: StoredFile, from: number): Promise<Readable> {
  const key = unwrapKey(secretKey, file)
  const handle = await onDisk(open(pathIn(folder, file.name), constants.O_RDONLY))
  try {
    const { size } = await onDisk(handle.stat())
    if (size === sealedLength(file.size)) return plaintextOf(handle, key, file.size, from)
    throw new FileStoreError('damaged', `file ${file.name} has ${size} bytes on disk, not ${sealedLength(file.size)}`)
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * Owns the handle: however the stream ends, by its end, a fault or a reader that goes away, the descriptor is closed.
 */
function plaintextOf(handle: FileHandle, key: KeyObject, size: number, from: number): Readable {
  const start = Math.floor(from / SEGMENT)
  const segments = readSegments(handle, key, size, segmentCount(size), start)
  let skipped = from - start * SEGMENT
  return new Readable({
    highWaterMark: SEGMENT,
    read() {
      segments.next().then(
        ({ done, value }) => {
          this.push(done ? null : value.subarray(skipped))
          skipped = 0
        },
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      handle.close().then(() => done(error), done)
    },
  })
}

/** Opens the key of a file, also one that an earlier version bound to the request alone, or to no row. */
function unwrapKey(secretKey: SecretKey, file: StoredFile): KeyObject {
  let cause: unknown
  for (const context of [contextOf(file), contextOf({ ...file, owner: file.earlierOwner }), contentOf(file)])
    try {
      return createSecretKey(unseal(secretKey, 'files', context, file.wrappedKey))
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error
      cause ??= error
    }
  throw new FileStoreError('damaged', `the key of file ${file.name} does not open`, { cause })
}

type FileIdentity = Pick<StoredFile, 'name' | 'size' | 'sha256'>

const contentOf = ({ name, size, sha256 }: FileIdentity): string => `${name}:${size}:${sha256}`

/** Binds the wrapped key to its row: in another row, or in a changed one, it does not open. */
const contextOf = (file: FileIdentity & { owner: string }): string => `${file.owner}:${contentOf(file)}`

function pathIn(folder: string, name: string): string {
  if (!isName(name)) throw new FileStoreError('missing', 'not the name of a stored file')
  return pathOf(folder, name)
}

/** Writes and removes a file with a random name, so that no link can wait in its place. */
async function check(folder: string): Promise<void> {
  const probe = join(folder, `.writable-${randomBytes(8).toString('hex')}`)
  try {
    await writeFile(probe, 'yes', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new FileStoreError('unavailable', `the file store cannot be written to (${codeOf(error)})`, { cause: error })
  } finally {
    await rm(probe, { force: true }).catch(() => undefined)
  }
}
