// Recovers a base backup with the WAL of the archive, to a moment or to the end.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from '../backup/errors.ts'
import { nameOf } from '../backup/folders.ts'
import type { BackupKey } from '../backup/key.ts'
import { type EmbeddedDatabase, startEmbedded } from '../db/embedded/embedded.ts'
import { StartError } from '../db/embedded/errors.ts'
import type { Restore } from '../db/embedded/walCommands.ts'
import { type Base, findBases, findWal, openBase, readBase } from './bases.ts'
import { type Archive, findPieces, isArchive, type Piece, pathOfPiece, readArchiveId, readPiece } from './pieces.ts'

export type Start = { archive: Archive; base: Base; pieces: Piece[]; throughDT: Date }

export async function openArchive(root: string, key: BackupKey): Promise<Archive> {
  if (!isArchive(root)) throw new BackupError(`${root} holds no WAL archive.`)
  return { root, id: await readArchiveId(root), key }
}

const upToText = (throughDT: Date | undefined) =>
  throughDT === undefined ? '' : ` The archive can be restored up to ${throughDT.toISOString()} (--until).`

/** Finds the WAL since a base backup. Throws BackupError if a segment is missing that the moment, or the end, needs. */
export async function findStart(archive: Archive, base: Base, until?: Date, upTo?: number): Promise<Start> {
  const { root } = archive
  const { pieces, behindGap } = await findWal(root, base, upTo)
  const last = pieces.at(-1)
  if (last === undefined || last.number < base.end)
    throw new BackupError(`WAL is missing from ${root}: base backup ${base.name} cannot be used.`)
  const { throughDT } = await readPiece(archive, base.system, last).catch(async (error: unknown) => {
    throw await describe(archive, base, pieces.slice(0, -1), error)
  })
  const isReached = until !== undefined && until <= throughDT
  if (behindGap !== undefined && !isReached)
    throw new BackupError(
      `WAL is missing from ${root} before ${pathOfPiece(root, base.system, behindGap)}.${upToText(throughDT)}`,
    )
  if (until !== undefined && !isReached)
    throw new BackupError(
      `${root} ends at ${throughDT.toISOString()}: it cannot be restored to ${until.toISOString()}.`,
    )
  return { archive, base, pieces, throughDT }
}

/** Adds to the fault of a segment until when the segments before it can be restored. */
async function describe(archive: Archive, base: Base, before: readonly Piece[], error: unknown): Promise<unknown> {
  if (!(error instanceof BackupError)) return error
  const last = before.at(-1)
  const read = last && last.number >= base.end ? await readPiece(archive, base.system, last) : undefined
  return new BackupError(`${error.message}${upToText(read?.throughDT)}`)
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

const RECOVERY = { recovery_target_timeline: 'current', recovery_target_action: 'promote', hot_standby: 'off' }
const TOO_SHORT = /recovery ended before configured recovery target was reached/

/** Recovers the database below `staged` and leaves it running. Throws BackupError for altered parts. */
export async function recover(start: Start, until: Date | undefined, staged: string): Promise<EmbeddedDatabase> {
  const { archive, base, pieces } = start
  const pgDir = join(staged, 'pg')
  await mkdir(pgDir, { mode: 0o700 })
  await readBase(archive, base, pgDir)
  await writeFile(join(pgDir, 'recovery.signal'), '')
  const timelines = (await findPieces(archive.root, base.system)).map(({ timeline }) => timeline)
  let failure: unknown
  const restore: Restore = async (name, path) => {
    // PostgreSQL begins the first timeline without a history file: one that has no WAL in the archive yet.
    const timeline = Number.parseInt(/^([0-9A-F]{8})\.history$/.exec(name)?.[1] ?? '0', 16)
    if (timeline > base.timeline && timeline <= Math.max(...timelines))
      return writeFile(path, '', { flag: 'wx', mode: 0o600 })
    const at = pieces.findIndex((piece) => piece.name === name)
    const piece = pieces[at]
    if (piece === undefined) return
    try {
      const { content } = await readPiece(archive, base.system, piece)
      await writeFile(path, content, { flag: 'wx', mode: 0o600 })
    } catch (error) {
      failure = await describe(archive, base, pieces.slice(0, at), error)
      throw failure
    }
  }
  const target: Record<string, string> =
    until === undefined ? {} : { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') }
  const begin = (settings: Record<string, string>) => startEmbedded({ dataDir: staged, restore, settings })
  try {
    return await begin({ ...RECOVERY, ...target })
  } catch (error) {
    if (failure !== undefined) throw failure
    // Nothing was committed after the moment, so the end of the WAL is the same.
    if (until === undefined || !(error instanceof StartError) || !TOO_SHORT.test(error.message)) throw error
    return begin(RECOVERY)
  }
}
