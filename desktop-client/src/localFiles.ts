// Local files to upload: read once for their SHA-256, and again to send them, from any offset. A file that changed in
// between is detected here.
import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileName, fileSize } from '@acc/contract/core/fields'
import { codePointOf, hiddenInFileName } from '@acc/contract/core/hidden'
import { localError } from './errors.ts'

/** Bytes read at once. */
const CHUNK = 256 * 1024

export type LocalFile = {
  path: string
  /** The name in the request, without folders. */
  name: string
  size: number
  /** Hexadecimal. */
  sha256: string
  /** Identifies the file, to detect changes. */
  mark: string
}
type OnRead = (done: number, size: number) => void

const markOf = (stat: BigIntStats) => `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}`
const changed = (path: string) => localError((texts) => texts.fileChanged(path))

/** Describes the fault of a name. Writes invisible characters as codes. */
function badName(path: string) {
  const hidden = hiddenInFileName(basename(path))
  if (hidden === undefined) return localError((texts) => texts.badFileName(path))
  const code = codePointOf(hidden)
  return localError((texts) => texts.hiddenInFileName(path.replaceAll(hidden, `<${code}>`), code))
}

/** Reads a file's size and hash. Its name must be one that the server accepts. */
export async function readLocalFile(path: string, onRead: OnRead = () => undefined): Promise<LocalFile> {
  const name = fileName.safeParse(basename(path))
  if (!name.success) throw badName(path)
  const handle = await open(path, 'r')
  try {
    const stat = await handle.stat({ bigint: true })
    if (!stat.isFile()) throw localError((texts) => texts.notAFile(path))
    const size = Number(stat.size)
    if (!fileSize.safeParse(size).success) throw localError((texts) => texts.tooLarge(path))
    const file = { path, name: name.data, size, mark: markOf(stat) }
    return { ...file, sha256: await hashOf(bytesOf(handle, file, 0), size, onRead) }
  } finally {
    await handle.close()
  }
}

async function hashOf(chunks: AsyncIterable<Uint8Array>, size: number, onRead: OnRead): Promise<string> {
  const hash = createHash('sha256')
  let done = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    done += chunk.length
    onRead(done, size)
  }
  return hash.digest('hex')
}

/** Returns the bytes from `offset` on. Fails before the last of them if the file has changed since it was hashed. */
export async function* readFrom(file: LocalFile, offset: number): AsyncGenerator<Uint8Array> {
  const handle = await open(file.path, 'r')
  try {
    await requireSame(handle, file)
    yield* bytesOf(handle, file, offset)
  } finally {
    await handle.close()
  }
}

type FileMark = Pick<LocalFile, 'path' | 'size' | 'mark'>

async function* bytesOf(handle: FileHandle, file: FileMark, offset: number): AsyncGenerator<Uint8Array> {
  for (let at = offset; at < file.size; ) {
    const wanted = Math.min(CHUNK, file.size - at)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at)
    if (bytesRead === 0) throw changed(file.path)
    at += bytesRead
    if (at === file.size) await requireSame(handle, file)
    yield buffer.subarray(0, bytesRead)
  }
}

async function requireSame(handle: FileHandle, { path, mark }: FileMark): Promise<void> {
  if (markOf(await handle.stat({ bigint: true })) !== mark) throw changed(path)
}
