// WAL as the archive holds it: the bytes from one position to another, compressed and encrypted under a key of their name, behind
// the moment up to which all that was acknowledged is in the archive with them.
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { damaged, readPart, writePart } from '../backup/sealedStream.ts'
import { syncFolder } from '../disk.ts'
import { plaintextLength } from '../files/segments.ts'
import type { Lsn } from './lsn.ts'
import { type Chunk, chunkName, type Series, walFolder } from './series.ts'

const [compress, decompress] = [promisify(gzip), promisify(gunzip)]
/** Fast: what is left of the WAL are rows, which compress well at any level. */
const LEVEL = 1
const HEAD = 8
/** Of a file that is being written; a crash leaves it, and the next one replaces it. */
const DRAFT = 'next'

const keyOf = ({ key, manifest }: Series, name: string) => key.forPart(manifest.id, `wal/${name}`)

/** Writes WAL durably. */
export async function writeChunk(series: Series, start: Lsn, wal: Buffer, through: number): Promise<void> {
  const folder = walFolder(series)
  const [draft, name] = [join(folder, DRAFT), chunkName(start, start + BigInt(wal.length))]
  const head = Buffer.alloc(HEAD)
  head.writeBigInt64BE(BigInt(through))
  const content = await compress(wal, { level: LEVEL })
  await rm(draft, { force: true })
  await writePart(
    draft,
    keyOf(series, name),
    (async function* () {
      yield head
      yield content
    })(),
  )
  await rename(draft, join(folder, name))
  await syncFolder(folder)
}

/** Reads WAL. Throws BackupError where it is not as it was written. */
export async function readChunk(series: Series, chunk: Chunk): Promise<{ wal: Buffer; through: number }> {
  const path = join(walFolder(series), chunk.name)
  const size = plaintextLength((await stat(path)).size)
  const parts: Buffer[] = []
  for await (const part of readPart(path, keyOf(series, chunk.name), size)) parts.push(part)
  const content = Buffer.concat(parts)
  if (content.length <= HEAD) throw damaged(path)
  const wal = await decompress(content.subarray(HEAD))
  if (BigInt(wal.length) !== chunk.end - chunk.start) throw damaged(path)
  return { wal, through: Number(content.readBigInt64BE()) }
}
