// Files of unknown length, such as a form's: written until their bytes end, and read in parts before a row knows them.
import type { KeyObject } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { receiveWhole, type Source } from './append.ts'
import { onDisk } from './errors.ts'
import { readSegments, SEGMENT } from './segments.ts'

/** Writes a new file until `source` ends, and returns its size and SHA-256. */
export async function writeWhole(path: string, key: KeyObject, source: Source) {
  const handle = await onDisk(open(path, 'wx', 0o600))
  try {
    return await receiveWhole(handle, key, source)
  } finally {
    await onDisk(handle.close())
  }
}

type Range = { position: number; length: number }

/** Reads a part of a whole file: the segments that hold it, and no other. */
export async function readRange(
  path: string,
  key: KeyObject,
  size: number,
  { position, length }: Range,
): Promise<Buffer> {
  const end = Math.min(position + length, size)
  if (position < 0 || end <= position) return Buffer.alloc(0)
  const start = Math.floor(position / SEGMENT)
  const handle = await onDisk(open(path, constants.O_RDONLY))
  try {
    const parts: Buffer[] = []
    for await (const part of readSegments(handle, key, size, Math.ceil(end / SEGMENT), start)) parts.push(part)
    return Buffer.concat(parts).subarray(position - start * SEGMENT, end - start * SEGMENT)
  } finally {
    await handle.close()
  }
}
