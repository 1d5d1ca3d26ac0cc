// Which base backup leads to a moment, and the WAL that leads from it there.
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from '../backup/errors.ts'
import { nameOf } from '../backup/folders.ts'
import type { BackupKey } from '../backup/key.ts'
import { readPart } from '../backup/sealedStream.ts'
import { readChunk } from './chunks.ts'
import { type Lsn, parseLsn, SEGMENT_SIZE, segmentName, segmentStart } from './lsn.ts'
import { type Base, basePart, type Chunk, findChunks, listBases, openBase, openSeries, type Series } from './series.ts'

export type Start = {
  series: Series
  base: Base
  /** Where the WAL ends, since a server may add to it meanwhile; undefined for the end of what there is. */
  upTo?: Lsn | undefined
}

/** The WAL from a position on. */
const findNeeded = async ({ series, upTo }: Start, from: Lsn): Promise<Chunk[]> =>
  (await findChunks(series)).filter(({ end }) => end > from && (upTo === undefined || end <= upTo))

/** The newest base backup that was complete by a moment, or the newest one. Throws BackupError. */
export async function findStart(root: string, until: Date | undefined, key: BackupKey): Promise<Start> {
  let earliest: string | undefined
  // Later ones may be under another key.
  const isInTime = ({ base }: { base: string }) => until === undefined || base <= nameOf(until.toISOString())
  const bases = await listBases(root)
  const [oldest] = bases
  for (const found of [...bases.filter(isInTime).reverse(), ...(oldest === undefined ? [] : [oldest])]) {
    const series = await openSeries(root, found.series, key)
    if (series === undefined) continue
    const base = await openBase(series, found.base)
    earliest = base.manifest.moment
    if (until === undefined || until >= new Date(earliest)) return { series, base }
  }
  throw new BackupError(
    earliest === undefined
      ? `${root} holds no base backup yet.`
      : `${root} begins at ${earliest}: it cannot be restored to ${until?.toISOString()}.`,
  )
}

/** Writes bytes to their places in the segments of the WAL. The end of the last segment stays empty. */
async function writeWal(folder: string, timeline: number, start: Lsn, wal: Buffer): Promise<void> {
  for (let at = 0; at < wal.length; ) {
    const position = start + BigInt(at)
    const offset = Number(position - segmentStart(position))
    const part = wal.subarray(at, at + SEGMENT_SIZE - offset)
    const handle = await open(join(folder, segmentName(timeline, position)), offset === 0 ? 'w' : 'r+', 0o600)
    try {
      await handle.write(part, 0, part.length, offset)
      await handle.truncate(SEGMENT_SIZE)
    } finally {
      await handle.close()
    }
    at += part.length
  }
}

const endMissing = ({ series, base }: Start) =>
  new BackupError(`WAL is missing from the end of ${series.folder}: base backup ${base.name} cannot be used.`)

const momentText = (through: number) => new Date(through).toISOString()

/** Reads the WAL in order; ends with the moment up to which it holds all that was acknowledged. */
async function* readWal(
  series: Series,
  chunks: readonly Chunk[],
  start: Lsn,
): AsyncGenerator<{ start: Lsn; wal: Buffer; through: number }> {
  let [position, through] = [start, 0]
  const interrupted = (reason: string) =>
    new BackupError(
      `${reason}${through === 0 ? '' : ` The archive can be restored up to ${momentText(through)} (--until).`}`,
    )
  for (const chunk of chunks) {
    // WAL that was written twice is the same.
    if (chunk.end <= position) continue
    if (chunk.start > position) throw interrupted(`WAL is missing from ${series.folder} before ${chunk.name}.`)
    const read = await readChunk(series, chunk).catch((error: unknown) => {
      throw error instanceof BackupError ? interrupted(error.message) : error
    })
    through = Math.max(through, read.through)
    const wal = read.wal.subarray(Number(position - chunk.start))
    yield { start: position, wal, through }
    position += BigInt(wal.length)
  }
}

/** Reads a base backup in full, and all WAL that leads on from it. Throws BackupError for what is not as it was archived. */
export async function requireSound(one: Start): Promise<void> {
  const { series, base } = one
  const { id, size, start, end } = base.manifest
  for await (const _ of readPart(join(base.folder, 'base'), series.key.forPart(id, basePart(base.name)), size));
  const from = segmentStart(parseLsn(start))
  let position = from
  for await (const part of readWal(series, await findNeeded(one, from), from))
    position = part.start + BigInt(part.wal.length)
  if (position < parseLsn(end)) throw endMissing(one)
}

/**
 * Writes the WAL that leads from the base backup to the moment, or to the end, into the folder of a database. Returns up to
 * which moment it holds all that was acknowledged. Throws BackupError where WAL was altered, cut or removed.
 */
export async function layWal(one: Start, until: Date | undefined, pgDir: string): Promise<Date> {
  const { series, base } = one
  const start = segmentStart(parseLsn(base.manifest.start))
  const needed = await findNeeded(one, start)
  const folder = join(pgDir, 'pg_wal')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let [position, through] = [start, 0]
  const [first] = needed
  if (first === undefined || first.start > start)
    throw new BackupError(
      `WAL is missing from the beginning of ${series.folder}: base backup ${base.name} cannot be used.`,
    )
  for await (const part of readWal(series, needed, start)) {
    await writeWal(folder, series.manifest.timeline, part.start, part.wal)
    position = part.start + BigInt(part.wal.length)
    through = part.through
    if (until !== undefined && through >= until.getTime() && position >= parseLsn(base.manifest.end)) return until
  }
  if (position < parseLsn(base.manifest.end)) throw endMissing(one)
  if (until !== undefined)
    throw new BackupError(
      `${series.folder} ends at ${momentText(through)}: it cannot be restored to ${until.toISOString()}.`,
    )
  return new Date(through)
}
