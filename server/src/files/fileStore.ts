// The store of request files and client versions: encrypted files in a folder or a bucket, each with a key that the
// server's secret key wraps. The caller's row keeps the StoredFile; the folder alone reveals nothing.
// Format: segments.ts. Reasons: docs/decisions/10-files.md.
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { seal, UnsealError, unseal } from '../crypto/seal.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import { appendTo, type Progress, type Source } from './append.ts'
import { FileStoreError, orMissing } from './errors.ts'
import type { Medium, OpenMode, StoredBytes } from './medium.ts'
import { isName, newName } from './names.ts'
import { readRange, writeComplete } from './receive.ts'
import { plaintextLength, readSegments, SEGMENT, sealedLength, segmentCount } from './segments.ts'
import { type FindKnownNames, sweepMedium } from './sweep.ts'
import { findTail, type OpenFile } from './tail.ts'

/**
 * A file as the caller's row stores it. `owner` names the row and its data about the file; `size` in bytes and `sha256`
 * (hex) are as announced. All of them are bound to the wrapped key.
 */
export type StoredFile = {
  owner: string
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

/** Every failure of the medium or of the stored bytes is a FileStoreError with its reason. */
export type FileStore = {
  /** Reserves a name and a key for a file of `size` bytes; nothing is written before the first `append`. */
  create(owner: string, size: number, sha256: string): { name: string; wrappedKey: Buffer }
  /**
   * The plaintext bytes held, and the offset at which the next `append` must begin. All of them held is not yet
   * complete.
   */
  received(file: StoredFile): Promise<number>
  /** Returns the plaintext bytes by the stored length, without opening it. After a crash they may exceed `received`. */
  held(file: StoredFile): Promise<number>
  /** Bytes that may still be written; undefined where there is no known limit. */
  free(): Promise<number | undefined>
  /**
   * Takes bytes from `offset` on until `source` ends or fails (its error is thrown on; what came stays). `complete`
   * means that all bytes are there, their SHA-256 is right, and they are durable. A second append to the
   * same file in this process is 'busy'; across processes the caller holds a lock of its own. After a crash between the
   * last byte and the caller's commit, an append of nothing at `received` completes the file. Must not be called for a
   * file that the row has as complete.
   */
  append(file: StoredFile, offset: number, source: Source): Promise<Progress>
  /** Stores a file of unknown length until `source` ends. If it fails, nothing remains, and its error is thrown. */
  receive(source: Source): Promise<ReceivedFile>
  /**
   * Returns the plaintext of a complete file from a byte on, authenticated by segment. Rejects before the first byte if
   * it can ('missing', 'damaged').
   */
  read(file: StoredFile, from?: number): Promise<Readable>
  /** Deletes the stored bytes. A missing file is accepted. */
  remove(name: string): Promise<void>
  /** Deletes files last written before `before` that no row knows; returns their number. `before` must be hours ago. */
  sweep(known: FindKnownNames, before: Date): Promise<number>
  /** Resolves while files can be written; for readiness. */
  check(): Promise<void>
}

export function openFileStore({ medium, secretKey }: { medium: Medium; secretKey: SecretKey }): FileStore {
  const uploading = new Set<string>()
  return {
    create: (owner, size, sha256) => createFile(secretKey, { owner, size, sha256 }),
    received: (file) => received(medium, secretKey, file),
    held: (file) => held(medium, file),
    free: () => medium.free(),
    async append(file, offset, source) {
      if (uploading.has(file.name)) throw new FileStoreError('busy', `another upload of file ${file.name} is running`)
      uploading.add(file.name)
      try {
        return await withFile(medium, secretKey, file, 'append', (opened) => appendTo(opened, offset, source))
      } finally {
        uploading.delete(file.name)
      }
    },
    receive: (source) => receive(medium, secretKey, source),
    read: (file, from = 0) => read(medium, secretKey, file, from),
    remove: async (name) => medium.remove(requireName(name)),
    sweep: (known, before) => sweepMedium(medium, known, before),
    check: () => medium.check(),
  }
}

type NewFile = Omit<StoredFile, 'name' | 'wrappedKey'>

function createFile(secretKey: SecretKey, file: NewFile): { name: string; wrappedKey: Buffer } {
  const { size } = file
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`a file cannot have ${size} bytes`)
  const name = newName()
  return { name, wrappedKey: seal(secretKey, KEY_PURPOSE, keyContext({ name, ...file }), randomBytes(32)) }
}

async function received(medium: Medium, secretKey: SecretKey, file: StoredFile): Promise<number> {
  const tail = await orMissing(withFile(medium, secretKey, file, 'read', findTail))
  return tail?.received ?? 0
}

async function held(medium: Medium, file: StoredFile): Promise<number> {
  const length = await orMissing(medium.size(requireName(file.name)))
  return length === undefined ? 0 : Math.min(file.size, plaintextLength(length))
}

async function receive(medium: Medium, secretKey: SecretKey, source: Source): Promise<ReceivedFile> {
  const name = newName()
  const secret = randomBytes(32)
  const key = createSecretKey(secret)
  try {
    const { size, sha256 } = await writeComplete(medium.open(name, 'create'), key, source)
    return {
      name,
      size,
      sha256,
      readAt: (position, length) => readRange(() => medium.open(name, 'read'), key, size, { position, length }),
      wrapKey: (owner) => seal(secretKey, KEY_PURPOSE, keyContext({ owner, name, size, sha256 }), secret),
    }
  } catch (error) {
    await medium.remove(name).catch(() => undefined) // what made it fail is what the caller must hear
    throw error
  }
}

async function withFile<T>(
  medium: Medium,
  secretKey: SecretKey,
  file: StoredFile,
  mode: OpenMode,
  work: (opened: OpenFile) => Promise<T>,
): Promise<T> {
  const key = unwrapKey(secretKey, file)
  const bytes = await medium.open(requireName(file.name), mode)
  try {
    return await work({ bytes, key, size: file.size, sha256: file.sha256 })
  } finally {
    await bytes.close()
  }
}

async function read(medium: Medium, secretKey: SecretKey, file: StoredFile, from: number): Promise<Readable> {
  const key = unwrapKey(secretKey, file)
  const bytes = await medium.open(requireName(file.name), 'read')
  try {
    const size = await bytes.size()
    if (size === sealedLength(file.size)) return plaintextOf(bytes, key, file.size, from)
    throw new FileStoreError('damaged', `file ${file.name} has ${size} stored bytes, not ${sealedLength(file.size)}`)
  } catch (error) {
    await bytes.close()
    throw error
  }
}

/** Streams the bytes and closes them at the end, after a fault, or when the reader disconnects. */
function plaintextOf(bytes: StoredBytes, key: KeyObject, size: number, from: number): Readable {
  const start = Math.floor(from / SEGMENT)
  const segments = readSegments(bytes, key, size, segmentCount(size), start)
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
      bytes.close().then(() => done(error), done)
    },
  })
}

/** Opens the key of a file. */
function unwrapKey(secretKey: SecretKey, file: StoredFile): KeyObject {
  try {
    return createSecretKey(unseal(secretKey, KEY_PURPOSE, keyContext(file), file.wrappedKey))
  } catch (cause) {
    if (!(cause instanceof UnsealError)) throw cause
    throw new FileStoreError('damaged', `the key of file ${file.name} does not open`, { cause })
  }
}

/** The purpose of the keys of files. */
export const KEY_PURPOSE = 'files'

/** Returns the text that binds a file's key to its row: it does not open in another row or a changed one. */
export const keyContext = ({ owner, name, size, sha256 }: Omit<StoredFile, 'wrappedKey'>): string =>
  `${owner}:${name}:${size}:${sha256}`

function requireName(name: string): string {
  if (!isName(name)) throw new FileStoreError('missing', 'not the name of a stored file')
  return name
}
