// Receiving a file (1-product.md section 6, PUT /Agent/FileEximport/File): bytes come in as they come and may stop anywhere; what was
// received rests sealed and the next upload goes on behind it. The last segment is written only once the SHA-256 of the
// whole is the announced one, so a file that is whole on disk is a file that was checked.
import { createHash, type Hash, type KeyObject } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { FileStoreError, onDisk } from './errors.ts'
import {
  openSegment,
  positionOf,
  quietly,
  readAt,
  readPreviousTag,
  readSegments,
  SEALED,
  SEGMENT,
  sealedLength,
  sealSegment,
  segmentCount,
  writeAt,
} from './segments.ts'

/** Every 64 MiB go to the disk while the next ones come in; one fsync at the end would take a third of the time of an upload. */
const SYNC_EVERY = (64 * 1024 * 1024) / SEGMENT

export type Source = AsyncIterable<Uint8Array> | Readable

/** An open file with what its row says of it. */
export type OpenFile = { handle: FileHandle; key: KeyObject; size: number; sha256: string }

/** Where the stored bytes end: after `index` full segments and the plaintext of one that is not full yet. */
type Tail = {
  received: number
  index: number
  previousTag: Buffer
  plaintext: Buffer
  length: number
  isWhole: boolean
}

/** An upload in progress: the segment that is being filled, and the write of the one before it. */
type Upload = OpenFile & {
  received: number
  index: number
  previousTag: Buffer
  plaintext: Buffer
  filled: number
  stored: number
  writing: Promise<void>
  syncing: Promise<void>
}

/** How far the file has come, without believing what a crash tore: a tail that does not open does not count. */
export async function findTail(file: OpenFile): Promise<Tail & { lengthOnDisk: number }> {
  const { size: lengthOnDisk } = await onDisk(file.handle.stat())
  const last = segmentCount(file.size) - 1
  const length = sealedLength(file.size)
  const index = Math.min(Math.floor(lengthOnDisk / SEALED), last)
  const previousTag = await readPreviousTag(file.handle, index)
  if (lengthOnDisk >= length) {
    return { received: file.size, index, previousTag, plaintext: Buffer.alloc(0), length, isWhole: true, lengthOnDisk }
  }
  const start = positionOf(index)
  const sealed = await readAt(file.handle, Buffer.alloc(lengthOnDisk - start), start)
  const plaintext = openSegment(file.key, { index, last: index === last, previousTag }, sealed) ?? Buffer.alloc(0)
  const received = index * SEGMENT + plaintext.length
  const sound = plaintext.length > 0 ? lengthOnDisk : start
  return { received, index, previousTag, plaintext, length: sound, isWhole: false, lengthOnDisk }
}

/** Takes the bytes of `source` from `offset` on. A Readable is not destroyed when it is left early: the caller still has to answer. */
export async function appendTo(
  file: OpenFile,
  offset: number,
  source: Source,
): Promise<{ received: number; complete: boolean }> {
  const tail = await findTail(file)
  if (offset !== tail.received) throw wrongOffset(tail.received)
  if (tail.lengthOnDisk > tail.length) await onDisk(file.handle.truncate(tail.length))
  const upload = startUpload(file, tail)
  const hash = offset === 0 && !tail.isWhole ? createHash('sha256') : undefined
  try {
    await receive(upload, source, hash)
  } catch (error) {
    await keepTail(upload).catch(() => undefined) // what made the upload stop is what the caller must hear
    throw error
  }
  await keepTail(upload)
  if (upload.received < file.size) return { received: upload.received, complete: false }
  await verify(upload, hash, tail.isWhole)
  if (!tail.isWhole) await writeSegment(upload)
  await upload.writing
  await onDisk(file.handle.sync())
  return { received: file.size, complete: true }
}

function startUpload(file: OpenFile, tail: Tail): Upload {
  const { received, index, previousTag } = tail
  const plaintext = Buffer.allocUnsafeSlow(Math.min(SEGMENT, file.size - index * SEGMENT))
  const filled = tail.plaintext.copy(plaintext)
  return {
    ...file,
    received,
    index,
    previousTag,
    plaintext,
    filled,
    stored: filled,
    writing: Promise.resolve(),
    syncing: Promise.resolve(),
  }
}

async function receive(upload: Upload, source: Source, hash: Hash | undefined): Promise<void> {
  const chunks = source instanceof Readable ? source.iterator({ destroyOnReturn: false }) : source
  for await (const chunk of chunks) {
    if (upload.received + chunk.length > upload.size) {
      throw new FileStoreError('tooLong', `more than the announced ${upload.size} bytes came`)
    }
    hash?.update(chunk)
    await take(upload, chunk)
  }
}

async function take(upload: Upload, chunk: Uint8Array): Promise<void> {
  const last = segmentCount(upload.size) - 1
  for (let from = 0; from < chunk.length; ) {
    const part = chunk.subarray(from, from + SEGMENT - upload.filled)
    upload.plaintext.set(part, upload.filled)
    upload.filled += part.length
    upload.received += part.length
    from += part.length
    if (upload.filled === SEGMENT && upload.index < last) await writeSegment(upload)
  }
}

/** Seals the segment and lets the disk write it while the next one fills; one write at a time keeps the file without holes. */
async function writeSegment(upload: Upload): Promise<void> {
  await upload.writing
  const sealed = sealSegment(upload.key, placeOf(upload), upload.plaintext.subarray(0, upload.filled))
  upload.writing = quietly(writeAt(upload.handle, sealed.parts, positionOf(upload.index)))
  upload.index++
  upload.previousTag = sealed.tag
  upload.filled = 0
  upload.stored = 0
  if (upload.index % SYNC_EVERY === 0) {
    await upload.syncing
    upload.syncing = quietly(onDisk(upload.handle.datasync()))
  }
}

/** An upload that stops inside a segment keeps what it has of it, except that a whole last segment waits for its hash. */
async function keepTail(upload: Upload): Promise<void> {
  await upload.writing
  await upload.syncing // Linux tells of a lost write once: an fsync that failed must not be outlived by one that did not
  if (upload.filled === upload.stored || upload.received === upload.size) return
  const { parts } = sealSegment(upload.key, placeOf(upload), upload.plaintext.subarray(0, upload.filled))
  await writeAt(upload.handle, parts, positionOf(upload.index))
}

function placeOf({ index, size, previousTag }: Upload) {
  return { index, last: index === segmentCount(size) - 1, previousTag }
}

/** Compares the SHA-256 of all bytes with the announced one; an upload that did not begin at 0 reads what came before from disk. */
async function verify(upload: Upload, hash: Hash | undefined, isWhole: boolean): Promise<void> {
  const complete = hash ?? (await hashStored(upload, isWhole))
  if (complete.digest('hex') === upload.sha256.toLowerCase()) return
  await onDisk(upload.handle.truncate(0))
  throw new FileStoreError('hashMismatch', 'the SHA-256 of the received bytes is not the announced one')
}

async function hashStored(upload: Upload, isWhole: boolean): Promise<Hash> {
  const hash = createHash('sha256')
  const count = isWhole ? segmentCount(upload.size) : upload.index
  try {
    for await (const plaintext of readSegments(upload.handle, upload.key, upload.size, count)) hash.update(plaintext)
  } catch (error) {
    if (!(error instanceof FileStoreError) || error.received === undefined) throw error
    // A power cut may lose segments that were never acknowledged: the upload goes on behind the last sound one.
    await onDisk(upload.handle.truncate(positionOf(error.received / SEGMENT)))
    throw wrongOffset(error.received)
  }
  return isWhole ? hash : hash.update(upload.plaintext.subarray(0, upload.filled))
}

function wrongOffset(received: number): FileStoreError {
  return new FileStoreError('wrongOffset', `the upload continues at byte ${received}`, { received })
}
