// Receives a file (PUT /Agent/FileEximport/File). An upload may stop at any byte; received bytes remain sealed, and the
// next upload continues behind them. The last segment is written only if the SHA-256 of the file is the announced one,
// so that a complete file on disk is a verified file.
import { createHash, type Hash, type KeyObject } from 'node:crypto'
import { Readable } from 'node:stream'
import { ignoreRejection } from '../ignoreRejection.ts'
import { FileStoreError } from './errors.ts'
import type { StoredBytes } from './medium.ts'
import { NO_TAG, positionOf, readSegments, SEGMENT, sealSegment, segmentCount } from './segments.ts'
import { cutTornTail, type OpenFile, type Tail } from './tail.ts'

/**
 * Segments between two fsyncs. Each 64 MiB are synced while the next ones arrive; one fsync at the end would be slower.
 */
const SYNC_EVERY = (64 * 1024 * 1024) / SEGMENT

export type Source = AsyncIterable<Uint8Array> | Readable

/** An upload in progress: the segment that is being filled, and the write of the previous one. */
type Upload = OpenFile & {
  received: number
  index: number
  previousTag: Buffer
  plaintext: Buffer
  filled: number
  stored: number
  writing: Promise<void>
  syncing: Promise<void>
  isLost: boolean
}

/** Where an upload begins. */
type Start = Pick<Tail, 'received' | 'index' | 'previousTag' | 'plaintext'>
const EMPTY: Start = { received: 0, index: 0, previousTag: NO_TAG, plaintext: Buffer.alloc(0) }

export type Progress = { received: number; complete: boolean }

/**
 * Takes the bytes of `source` from `offset` on. A Readable is not destroyed when it is left early: the caller still has
 * to answer.
 */
export async function appendTo(file: OpenFile, offset: number, source: Source): Promise<Progress> {
  const tail = await cutTornTail(file)
  if (offset !== tail.received) throw wrongOffset(tail.received)
  const upload = startUpload(file, tail)
  try {
    return await run(upload, source, tail.isComplete)
  } catch (error) {
    // The caller receives the error that stopped the upload.
    await keepIntact(upload).catch(() => undefined)
    throw error
  }
}

async function run(upload: Upload, source: Source, isComplete: boolean): Promise<Progress> {
  const hash = upload.received === 0 && !isComplete ? createHash('sha256') : undefined
  await receive(upload, source, hash)
  await keepTail(upload)
  if (upload.received < upload.size) return { received: upload.received, complete: false }
  await verify(upload, hash, isComplete)
  if (!isComplete) await writeSegment(upload)
  await upload.writing
  await sync(upload)
  return { received: upload.size, complete: true }
}

/** Takes a file of unknown length: its size and SHA-256 are known once `source` has ended and all is on the disk. */
export async function receiveComplete(
  bytes: StoredBytes,
  key: KeyObject,
  source: Source,
): Promise<{ size: number; sha256: string }> {
  const unknown = { bytes, key, size: Number.POSITIVE_INFINITY, sha256: '' }
  const upload = startUpload(unknown, EMPTY)
  const hash = createHash('sha256')
  try {
    await receive(upload, source, hash)
    upload.size = upload.received
    await writeSegment(upload)
    await upload.writing
    await upload.syncing
    await sync(upload)
    return { size: upload.size, sha256: hash.digest('hex') }
  } catch (error) {
    await Promise.allSettled([upload.writing, upload.syncing])
    throw error
  }
}

/** After a failure, keeps the intact part for resuming and truncates the rest. */
async function keepIntact(upload: Upload): Promise<void> {
  await keepTail(upload).catch(() => undefined)
  await Promise.allSettled([upload.writing, upload.syncing])
  if (upload.isLost) await upload.bytes.truncate(0)
  else await cutTornTail(upload)
}

function startUpload(file: OpenFile, tail: Start): Upload {
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
    isLost: false,
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
  const last = Number.isFinite(upload.size) ? segmentCount(upload.size) - 1 : 0
  for (let from = 0; from < chunk.length; ) {
    // In a file of unknown length, the byte after a full segment shows that it is not the last.
    if (upload.filled === SEGMENT) await writeSegment(upload)
    const part = chunk.subarray(from, from + SEGMENT - upload.filled)
    upload.plaintext.set(part, upload.filled)
    upload.filled += part.length
    upload.received += part.length
    from += part.length
    if (upload.filled === SEGMENT && upload.index < last) await writeSegment(upload)
  }
}

/**
 * Seals the segment and lets the disk write it while the next one fills; one write at a time keeps the file without
 * holes.
 */
async function writeSegment(upload: Upload): Promise<void> {
  await upload.writing
  const sealed = sealSegment(upload.key, placeOf(upload), upload.plaintext.subarray(0, upload.filled))
  upload.writing = ignoreRejection(upload.bytes.writeAt(sealed.parts, positionOf(upload.index)))
  upload.index++
  upload.previousTag = sealed.tag
  upload.filled = 0
  upload.stored = 0
  if (upload.index % SYNC_EVERY === 0) {
    await upload.syncing
    upload.syncing = ignoreRejection(sync(upload))
  }
}

/**
 * An upload that stops inside a segment keeps what it has of it, except that a whole last segment waits for its hash.
 */
async function keepTail(upload: Upload): Promise<void> {
  await upload.writing
  await upload.syncing
  if (upload.filled === upload.stored || upload.received === upload.size) return
  const { parts } = sealSegment(upload.key, placeOf(upload), upload.plaintext.subarray(0, upload.filled))
  await upload.bytes.writeAt(parts, positionOf(upload.index))
}

/**
 * Linux reports a lost write once and then treats it as written: after a failed fsync nothing of the file can
 * be trusted.
 */
async function sync(upload: Upload): Promise<void> {
  try {
    await upload.bytes.sync()
  } catch (error) {
    upload.isLost = true
    throw error
  }
}

function placeOf({ index, size, previousTag }: Upload) {
  return { index, last: index === segmentCount(size) - 1, previousTag }
}

/**
 * Compares the SHA-256 of all bytes with the announced one; an upload that did not begin at 0 reads what came before
 * from disk.
 */
async function verify(upload: Upload, hash: Hash | undefined, isComplete: boolean): Promise<void> {
  const complete = hash ?? (await hashStored(upload, isComplete))
  if (complete.digest('hex') === upload.sha256.toLowerCase()) return
  await upload.bytes.truncate(0)
  throw new FileStoreError('hashMismatch', 'the SHA-256 of the received bytes is not the announced one')
}

async function hashStored(upload: Upload, isComplete: boolean): Promise<Hash> {
  const hash = createHash('sha256')
  const count = isComplete ? segmentCount(upload.size) : upload.index
  try {
    for await (const plaintext of readSegments(upload.bytes, upload.key, upload.size, count)) hash.update(plaintext)
  } catch (error) {
    if (!(error instanceof FileStoreError) || error.received === undefined) throw error
    // A power cut may lose unacknowledged segments: the upload continues behind the last intact one.
    await upload.bytes.truncate(positionOf(error.received / SEGMENT))
    throw wrongOffset(error.received)
  }
  return isComplete ? hash : hash.update(upload.plaintext.subarray(0, upload.filled))
}

function wrongOffset(received: number): FileStoreError {
  return new FileStoreError('wrongOffset', `the upload continues at byte ${received}`, { received })
}
