// Recovers a base backup with the WAL of the archive, to a moment or to the end.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from '../backup/errors.ts'
import { nameOf } from '../backup/folders.ts'
import { type EmbeddedDatabase, startEmbedded } from '../db/embedded/embedded.ts'
import { StartError } from '../db/embedded/errors.ts'
import { type Base, findBases, findWal, openBase, unpackBase } from './bases.ts'
import { type Archive, findPieces, type Piece, readSegment } from './pieces.ts'

export type Start = { archive: Archive; base: Base; pieces: Piece[]; throughDT: Date }

/** Says until when a base backup can be restored without the segments after a piece. */
const upToText = ({ end }: Base, last: Piece | undefined) =>
  last === undefined || last.number < end
    ? ''
    : ` The archive can be restored up to ${last.throughDT.toISOString()} (--until).`

/** Finds the WAL since a base backup. Throws BackupError if a segment is missing that the moment, or the end, needs. */
export async function findStart(archive: Archive, base: Base, until?: Date, upTo?: number): Promise<Start> {
  const { root } = archive
  const { pieces, behindGap } = await findWal(root, base, upTo)
  const last = pieces.at(-1)
  if (last === undefined || last.number < base.end)
    throw new BackupError(`WAL is missing from ${root}: base backup ${base.name} cannot be used.`)
  const { throughDT } = last
  const isReached = until !== undefined && until <= throughDT
  if (behindGap !== undefined && !isReached)
    throw new BackupError(`WAL is missing from ${root} before ${join(root, behindGap.part)}.${upToText(base, last)}`)
  if (until !== undefined && !isReached)
    throw new BackupError(
      `${root} ends at ${throughDT.toISOString()}: it cannot be restored to ${until.toISOString()}.`,
    )
  return { archive, base, pieces, throughDT }
}

/** Finds the newest base backup, or the newest one before a moment. Throws BackupError if there is none. */
export async function chooseStart(archive: Archive, until: Date | undefined): Promise<Start> {
  const { root } = archive
  const bases = await findBases(root)
  const [oldest] = bases
  if (oldest === undefined) throw new BackupError(`${root} holds no base backup yet.`)
  // Later ones may need another key.
  const inTime = bases.filter((base) => until === undefined || base <= nameOf(until.toISOString())).reverse()
  for (const name of inTime) {
    const base = await openBase(archive, name)
    if (until === undefined || until >= new Date(base.moment)) return findStart(archive, base, until)
  }
  const { moment } = await openBase(archive, oldest)
  throw new BackupError(`${root} begins at ${moment}: it cannot be restored to ${until?.toISOString()}.`)
}

/** PostgreSQL requires a command. It finds no file, so that the WAL of pg_wal is used. */
const RECOVERY = {
  restore_command: 'false',
  recovery_target_timeline: 'current',
  recovery_target_action: 'promote',
  hot_standby: 'off',
}
const TOO_SHORT = /recovery ended before configured recovery target was reached/

/** Recovers the database below `staged` and leaves it running. Throws BackupError for altered parts. */
export async function recover(start: Start, until: Date | undefined, staged: string): Promise<EmbeddedDatabase> {
  const pgDir = join(staged, 'pg')
  await mkdir(pgDir, { mode: 0o700 })
  await unpackBase(start.archive, start.base, pgDir)
  await stageWal(start, until, join(pgDir, 'pg_wal'))
  await writeFile(join(pgDir, 'recovery.signal'), '')
  const target: Record<string, string> =
    until === undefined ? {} : { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') }
  const begin = (settings: Record<string, string>) => startEmbedded({ dataDir: staged, settings })
  try {
    return await begin({ ...RECOVERY, ...target })
  } catch (error) {
    // Nothing was committed after the moment, so the end of the WAL is the same.
    if (until === undefined || !(error instanceof StartError) || !TOO_SHORT.test(error.message)) throw error
    return begin(RECOVERY)
  }
}

/** Writes the WAL of a base backup up to a moment to where PostgreSQL looks for it. */
async function stageWal({ archive, base, pieces }: Start, until: Date | undefined, folder: string): Promise<void> {
  for (const [at, piece] of pieces.entries()) {
    await readSegment(archive, piece, join(folder, piece.name)).catch((error: unknown) => {
      if (!(error instanceof BackupError)) throw error
      throw new BackupError(`${error.message}${upToText(base, pieces[at - 1])}`)
    })
    if (until !== undefined && piece.throughDT > until) break
  }
  // PostgreSQL begins the first timeline without a history file: one that has no WAL in the archive yet.
  const newest = (await findPieces(archive.root, base.system)).at(-1)?.timeline ?? 0
  for (let timeline = base.timeline + 1; timeline <= newest; timeline++)
    await writeFile(join(folder, `${timeline.toString(16).toUpperCase().padStart(8, '0')}.history`), '')
}
