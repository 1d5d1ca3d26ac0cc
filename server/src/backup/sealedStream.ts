// Encrypted parts of a backup, in the format of stored files (files/segments.ts): chained segments of AES-256-GCM. A
// part that was cut, altered or exchanged does not open.
import type { KeyObject } from 'node:crypto'
import { codeOf } from '../disk.ts'
import type { Source } from '../files/append.ts'
import { FileStoreError } from '../files/errors.ts'
import { openBytes } from '../files/folder.ts'
import { writeComplete } from '../files/receive.ts'
import { readSegments, segmentCount } from '../files/segments.ts'
import { BackupError } from './errors.ts'

/** Writes a new part durably, and returns its length before it was encrypted. */
export const writePart = async (path: string, key: KeyObject, source: Source): Promise<number> =>
  (await writeComplete(openBytes(path, 'create'), key, source)).size

export const damaged = (path: string): BackupError =>
  new BackupError(`${path}: this part of the backup was altered, cut, or belongs to another backup.`)

/** Reads a part of the length in the manifest. Returns authenticated bytes only. */
export async function* readPart(path: string, key: KeyObject, size: number): AsyncGenerator<Buffer, void, undefined> {
  const bytes = await openBytes(path, 'read')
  try {
    yield* readSegments(bytes, key, size, segmentCount(size))
  } catch (error) {
    if (error instanceof FileStoreError && error.reason === 'damaged') throw damaged(path)
    throw error
  } finally {
    await bytes.close()
  }
}

/** Returns the lines of a part. */
export async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const chunk of source) {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Returns a BackupError for a folder that cannot be used, and other errors unchanged. */
export function unusable(path: string, error: unknown): unknown {
  const cause = error instanceof FileStoreError ? error.cause : error
  const isOfSystem = cause instanceof Error && 'syscall' in cause
  return isOfSystem ? new BackupError(`${path} cannot be used (${codeOf(cause)})`) : error
}
