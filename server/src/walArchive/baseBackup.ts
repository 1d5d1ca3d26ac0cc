// A base backup: a copy of the database's files while it runs, from which the WAL leads to any later moment.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'
import { finish, nameOf, openUnfinished } from '../backup/folders.ts'
import { writePart } from '../backup/sealedStream.ts'
import { SERVER_VERSION } from '../version.ts'
import { type Lsn, lsnText } from './lsn.ts'
import { type Address, BaseBackup, cutOff, openReplication } from './replication.ts'
import { basePart, basesFolder, type Series, writeBase } from './series.ts'

type Order = {
  address: Address
  series: Series
  now: () => Date
  /** Resolves when the archive holds the WAL up to a position. */
  archived(position: Lsn): Promise<void>
}

/** Compresses pieces that nothing else keeps, and frees each one when it is taken. */
function compressing(): Gzip {
  const gzip = createGzip({ level: 1 })
  const compress = gzip._transform.bind(gzip)
  gzip._transform = (piece: Buffer, encoding, taken) =>
    compress(piece, encoding, (error) => {
      taken(error)
    })
  return gzip
}

/** Makes a base backup and returns its name. PostgreSQL compares the checksums of all pages meanwhile, and fails where one is wrong. */
export async function makeBase({ address, series, now, archived }: Order): Promise<string> {
  const { key, manifest } = series
  const { id } = manifest
  const client = await openReplication(address)
  let folder: string | undefined
  try {
    const begun = now().toISOString()
    folder = await openUnfinished(basesFolder(series), begun)
    const source = client.query(new BaseBackup())
    let size = 0
    await pipeline(source, compressing(), async (compressed: AsyncIterable<Buffer>) => {
      size = await writePart(join(folder ?? '', 'base'), key.forPart(id, basePart(nameOf(begun))), compressed)
    })
    const { start, end } = source.range
    await archived(end)
    const moment = now().toISOString()
    const range = { start: lsnText(start), end: lsnText(end) }
    await writeBase(
      { version: SERVER_VERSION, id, keyFingerprint: key.fingerprint, begun, moment, ...range, size },
      key,
      folder,
    )
    await finish(basesFolder(series), folder)
    return nameOf(begun)
  } catch (error) {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    throw error
  } finally {
    cutOff(client)
  }
}
