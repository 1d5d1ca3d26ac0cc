// How far a file has come, read from the disk alone. What a crash or a full disk tore does not open and does not count.
import type { KeyObject } from 'node:crypto'
import type { StoredBytes } from './medium.ts'
import { openSegment, positionOf, readPreviousTag, SEALED, SEGMENT, sealedLength, segmentCount } from './segments.ts'

/** An open file with what its row says of it. */
export type OpenFile = { bytes: StoredBytes; key: KeyObject; size: number; sha256: string }

/**
 * Where the sound bytes end: after `index` full segments and the `plaintext` of one that is not full yet, `length`
 * bytes on disk of `lengthOnDisk`. Earlier segments are not opened here; an upload that was resumed reads them all
 * once, for its hash.
 */
export type Tail = {
  received: number
  index: number
  previousTag: Buffer
  plaintext: Buffer
  length: number
  lengthOnDisk: number
  isWhole: boolean
}

const NOTHING = Buffer.alloc(0)

export async function findTail(file: OpenFile): Promise<Tail> {
  const lengthOnDisk = await file.bytes.size()
  const last = segmentCount(file.size) - 1
  const index = Math.min(Math.floor(lengthOnDisk / SEALED), last)
  const previousTag = await readPreviousTag(file.bytes, index)
  const tail = { index, previousTag, lengthOnDisk }
  const whole = sealedLength(file.size)
  if (lengthOnDisk >= whole) return { ...tail, received: file.size, plaintext: NOTHING, length: whole, isWhole: true }
  const start = positionOf(index)
  const sealed = await file.bytes.readAt(Buffer.alloc(lengthOnDisk - start), start)
  const plaintext = openSegment(file.key, { index, last: index === last, previousTag }, sealed) ?? NOTHING
  const length = plaintext.length > 0 ? lengthOnDisk : start
  return { ...tail, received: index * SEGMENT + plaintext.length, plaintext, length, isWhole: false }
}

/** The same, after what is torn was cut off. */
export async function cutTornTail(file: OpenFile): Promise<Tail> {
  const tail = await findTail(file)
  if (tail.lengthOnDisk > tail.length) await file.bytes.truncate(tail.length)
  return tail
}
