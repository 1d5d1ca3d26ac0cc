// How much of a file is stored, read from the disk alone. A segment torn by a crash or a full disk does not count.
import type { KeyObject } from 'node:crypto'
import type { StoredBytes } from './medium.ts'
import { openSegment, positionOf, readPreviousTag, SEALED, SEGMENT, sealedLength, segmentCount } from './segments.ts'

/** An open file with what its row says of it. */
export type OpenFile = { bytes: StoredBytes; key: KeyObject; size: number; sha256: string }

/**
 * The end of the intact bytes: after `index` full segments and the `plaintext` of an incomplete one, `length` bytes on
 * disk of `lengthOnDisk`. Earlier segments are not opened here; a resumed upload reads them all for its hash.
 */
export type Tail = {
  received: number
  index: number
  previousTag: Buffer
  plaintext: Buffer
  length: number
  lengthOnDisk: number
  isComplete: boolean
}

const NOTHING = Buffer.alloc(0)

export async function findTail(file: OpenFile): Promise<Tail> {
  const lengthOnDisk = await file.bytes.size()
  const last = segmentCount(file.size) - 1
  const index = Math.min(Math.floor(lengthOnDisk / SEALED), last)
  const previousTag = await readPreviousTag(file.bytes, index)
  const tail = { index, previousTag, lengthOnDisk }
  const whole = sealedLength(file.size)
  if (lengthOnDisk >= whole)
    return { ...tail, received: file.size, plaintext: NOTHING, length: whole, isComplete: true }
  const start = positionOf(index)
  const sealed = await file.bytes.readAt(Buffer.alloc(lengthOnDisk - start), start)
  const plaintext = openSegment(file.key, { index, last: index === last, previousTag }, sealed) ?? NOTHING
  const length = plaintext.length > 0 ? lengthOnDisk : start
  return { ...tail, received: index * SEGMENT + plaintext.length, plaintext, length, isComplete: false }
}

/** Returns the tail after cutting off the torn part. */
export async function cutTornTail(file: OpenFile): Promise<Tail> {
  const tail = await findTail(file)
  if (tail.lengthOnDisk > tail.length) await file.bytes.truncate(tail.length)
  return tail
}
