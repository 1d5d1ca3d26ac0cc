// Files of unknown length, such as a form's: written until their bytes end, and read in parts before a row knows them.
import type { KeyObject } from 'node:crypto'
import { receiveComplete, type Source } from './append.ts'
import type { StoredBytes } from './medium.ts'
import { readSegments, SEGMENT } from './segments.ts'

/** Writes a new file until `source` ends, and returns its size and SHA-256. */
export async function writeComplete(opening: Promise<StoredBytes>, key: KeyObject, source: Source) {
  const bytes = await opening
  try {
    return await receiveComplete(bytes, key, source)
  } finally {
    await bytes.close()
  }
}

type Range = { position: number; length: number }

/** Reads a part of a whole file: the segments that hold it, and no other. */
export async function readRange(
  open: () => Promise<StoredBytes>,
  key: KeyObject,
  size: number,
  { position, length }: Range,
): Promise<Buffer> {
  const end = Math.min(position + length, size)
  if (position < 0 || end <= position) return Buffer.alloc(0)
  const start = Math.floor(position / SEGMENT)
  const bytes = await open()
  try {
    const parts: Buffer[] = []
    for await (const part of readSegments(bytes, key, size, Math.ceil(end / SEGMENT), start)) parts.push(part)
    return Buffer.concat(parts).subarray(position - start * SEGMENT, end - start * SEGMENT)
  } finally {
    await bytes.close()
  }
}
