// The format of stored files: segments of 256 KiB without a header, each sealed with AES-256-GCM under the file's key
// as nonce (12 bytes, random) | ciphertext | tag (16). Each authenticates its number, whether it is the last, and the
// previous tag, so that cuts, swaps and older segments are detected (docs/decisions/10-files.md).
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { ignoreRejection } from '../ignoreRejection.ts'
import { FileStoreError } from './errors.ts'
import type { StoredBytes } from './medium.ts'

/** Plaintext bytes of a segment; only the last may hold less. Part of the format: stored files depend on it. */
export const SEGMENT = 256 * 1024
const NONCE = 12
const TAG = 16
const OVERHEAD = NONCE + TAG
/** Bytes on disk of a full segment. */
export const SEALED = SEGMENT + OVERHEAD

/** Place of a segment: its number from 0, whether the file ends with it, and the previous tag. */
export type Place = { index: number; last: boolean; previousTag: Buffer }

/** The tag "before" segment 0. */
export const NO_TAG: Buffer = Buffer.alloc(TAG)

/** At least one: an empty file is one sealed segment without content, so that it too can be complete or not. */
export function segmentCount(size: number): number {
  return Math.max(1, Math.ceil(size / SEGMENT))
}

/** Bytes on disk of a complete file of `size` plaintext bytes. */
export function sealedLength(size: number): number {
  return size + segmentCount(size) * OVERHEAD
}

/** Returns the plaintext bytes that `length` bytes on disk hold. */
export function plaintextLength(length: number): number {
  return Math.floor(length / SEALED) * SEGMENT + Math.max(0, (length % SEALED) - OVERHEAD)
}

/** Where segment `index` begins on disk. */
export function positionOf(index: number): number {
  return index * SEALED
}

type SealedSegment = { parts: Buffer[]; tag: Buffer }

/**
 * Seals one segment, as parts to be written in this order; a nonce is never used twice, even when bytes are sent again.
 */
export function sealSegment(key: KeyObject, place: Place, plaintext: Uint8Array): SealedSegment {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(contextOf(place))
  const body = cipher.update(plaintext)
  cipher.final()
  const tag = cipher.getAuthTag()
  return { parts: [nonce, body, tag], tag }
}

/** The plaintext, or nothing where the bytes are not those sealed for this place. */
export function openSegment(key: KeyObject, place: Place, sealed: Buffer): Buffer | undefined {
  if (sealed.length < OVERHEAD) return undefined
  const nonce = sealed.subarray(0, NONCE)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG })
  decipher.setAAD(contextOf(place)).setAuthTag(tagOf(sealed))
  const plaintext = decipher.update(sealed.subarray(NONCE, -TAG))
  try {
    decipher.final()
    return plaintext
  } catch {
    return undefined
  }
}

function contextOf(place: Place): Buffer {
  const context = Buffer.alloc(9 + TAG)
  context.writeBigUInt64BE(BigInt(place.index), 0)
  context.writeUInt8(place.last ? 1 : 0, 8)
  place.previousTag.copy(context, 9)
  return context
}

function tagOf(sealed: Buffer): Buffer {
  return sealed.subarray(-TAG)
}

/** The tag of the stored segment before `index`, to which the next one is chained. */
export async function readPreviousTag(bytes: StoredBytes, index: number): Promise<Buffer> {
  if (index === 0) return NO_TAG
  return bytes.readAt(Buffer.alloc(TAG), positionOf(index) - TAG)
}

/**
 * Yields the plaintext of the segments from `start` up to `end`, each once it is authenticated, and reads the next one
 * concurrently, in two buffers. A segment that does not open ends it with 'damaged' and the number of intact bytes in
 * `received`.
 */
export async function* readSegments(
  bytes: StoredBytes,
  key: KeyObject,
  size: number,
  end: number,
  start = 0,
): AsyncGenerator<Buffer, void, undefined> {
  if (end <= start) return
  const total = segmentCount(size)
  const buffers = [Buffer.allocUnsafeSlow(sealedAt(0, size)), Buffer.allocUnsafeSlow(sealedAt(1, size))] as const
  const read = (index: number) =>
    ignoreRejection(
      bytes.readAt(buffers[index % 2 === 0 ? 0 : 1].subarray(0, sealedAt(index, size)), positionOf(index)),
    )
  let previousTag = await readPreviousTag(bytes, start)
  let coming = read(start)
  for (let index = start; index < end; index++) {
    const sealed = await coming
    const plaintext = openSegment(key, { index, last: index === total - 1, previousTag }, sealed)
    if (!plaintext) {
      throw new FileStoreError('damaged', `segment ${index} of a stored file does not open`, {
        received: index * SEGMENT,
      })
    }
    previousTag = Buffer.from(tagOf(sealed))
    if (index + 1 < end) coming = read(index + 1)
    if (plaintext.length > 0) yield plaintext
  }
}

/** Bytes on disk of segment `index` in a complete file of `size`; 0 past its end. */
function sealedAt(index: number, size: number): number {
  if (index >= segmentCount(size)) return 0
  return Math.min(SEGMENT, size - index * SEGMENT) + OVERHEAD
}
