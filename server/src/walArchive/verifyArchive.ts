// Proves a WAL archive: reads every base backup and all WAL, recovers the database below a temporary folder from the oldest and
// from the newest base backup, and compares what their tables hold. Nothing of it stays.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cleaningUp } from '../backup/cleanUp.ts'
import { BackupError, OtherKeyError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import { inTransaction, type Target } from '../backup/load.ts'
import { unusable } from '../backup/sealedStream.ts'
import { findTables, type Tally, tallyTable } from '../backup/tables.ts'
import { verifySeals } from '../backup/verify.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import { findUnknown } from '../db/migrate.ts'
import { findKeyNames } from '../settings/keyRing.ts'
import { type Base, findBases, findWal, openBase, readBase } from './bases.ts'
import { type Archive, readPiece } from './pieces.ts'
import { findStart, openArchive, recover, type Start } from './recover.ts'
import { type RestoredFiles, restoreArchivedFiles } from './restoredFiles.ts'

type Order = { root: string; key: BackupKey; folder: string; secretKey: SecretKey | undefined; keptSince: Date }

export type ArchiveReport = {
  /** Base backups, and those of other keys, which were left out. */
  bases: number
  others: number
  throughDT: Date
  tables: number
  rows: number
  /** Whether the database was recovered twice, and both were compared. */
  isCompared: boolean
  files: RestoredFiles
  /** Rows of the history that are as they were sealed; null without the secret key. */
  sealed: number | null
}

/** Verifies an archive with the room that `folder` has. Throws BackupError for the first thing that is not as it was. */
export async function verifyArchive(order: Order): Promise<ArchiveReport> {
  const verify = async () => {
    const place = await mkdtemp(join(order.folder, 'acc-verify-'))
    return cleaningUp(() => verifyIn(place, order), [() => rm(place, { recursive: true, force: true })])
  }
  return verify().catch((error: unknown) => {
    throw unusable(order.folder, error)
  })
}

/** The base backups that the key opens, oldest first, the newest of them, and how many others there are. */
async function findStarts({ root, key }: Order) {
  const archive = await openArchive(root, key)
  const opened: Base[] = []
  const bases = await findBases(root)
  let denied: unknown
  for (const base of bases)
    try {
      opened.push(await openBase(archive, base))
    } catch (error) {
      if (!(error instanceof OtherKeyError)) throw error
      denied = error
    }
  const newest = opened.at(-1)
  if (newest === undefined) throw denied ?? new BackupError(`${root} holds no base backup yet.`)
  const last = (await findWal(root, newest)).pieces.at(-1)
  const starts: Start[] = []
  for (const [at, base] of opened.entries()) {
    // WAL that was given up ended the moments of earlier base backups.
    const next = opened.slice(at + 1).find(({ isContinued }) => !isContinued)
    const until = next === undefined ? undefined : new Date(base.moment)
    starts.push(await findStart(archive, base, until, base.timeline === newest.timeline ? last?.number : undefined))
  }
  return { archive, starts, others: bases.length - opened.length }
}

/** Reads all base backups, and all WAL after them once. Throws BackupError for what is not as it was archived. */
async function requireSound(archive: Archive, starts: readonly Start[]): Promise<void> {
  const read = new Set<string>()
  for (const { base, pieces } of starts) {
    await readBase(archive, base)
    for (const piece of pieces)
      if (!read.has(piece.file)) {
        await readPiece(archive, base.system, piece)
        read.add(piece.file)
      }
  }
}

async function verifyIn(place: string, order: Order): Promise<ArchiveReport> {
  const { archive, starts, others } = await findStarts(order)
  await requireSound(archive, starts)
  // Both to the same end, from base backups between which no WAL is missing.
  const newest = starts.at(-1)
  const oldest = starts.find(({ pieces }) => pieces.at(-1)?.file === newest?.pieces.at(-1)?.file)
  if (newest === undefined || oldest === undefined) throw new BackupError(`${order.root} holds no base backup yet.`)
  const { tallies, ...report } = await recoverIn(place, newest, (target) => examine(target, order))
  if (oldest !== newest) {
    const { tallies: earlier } = await recoverIn(place, oldest, async (target) => ({ tallies: await tallyAll(target) }))
    requireAlike(tallies, earlier, [newest, oldest])
  }
  const rows = [...tallies.values()].reduce((sum, tally) => sum + tally.rows, 0)
  return {
    bases: starts.length,
    others,
    throughDT: newest.throughDT,
    tables: tallies.size,
    rows,
    isCompared: oldest !== newest,
    ...report,
  }
}

/** Recovers to the end of what is there, works with it, and removes it. */
async function recoverIn<T extends object>(place: string, start: Start, work: (target: Target) => Promise<T>) {
  const folder = await mkdtemp(join(place, 'recovered-'))
  const recovering = async () => {
    const recovered = await recover(start, undefined, folder)
    return cleaningUp(() => inTransaction(recovered.owner, work), [recovered.stop])
  }
  return cleaningUp(recovering, [() => rm(folder, { recursive: true, force: true })])
}

type Tallies = Map<string, Tally>

async function tallyAll({ client }: Target): Promise<Tallies> {
  const tallies: Tallies = new Map()
  for (const table of await findTables(client)) tallies.set(table.name, await tallyTable(client, table))
  return tallies
}

async function examine(target: Target, { root, secretKey, keptSince }: Order) {
  if ((await findUnknown(target.tx)).length > 0)
    throw new BackupError('A newer version wrote the archived database: install that version.')
  const { current = null } = await findKeyNames(target.tx)
  const key = secretKey?.fingerprint === current ? secretKey : undefined
  const tallies = await tallyAll(target)
  const sealed = key === undefined ? null : await verifySeals(target.tx, { key, keptSince })
  const files = await restoreArchivedFiles(target.tx, root, { secretKey: key })
  const altered = files.lost.find(({ reason }) => reason === 'altered')
  if (altered !== undefined) throw new BackupError(`${altered.fileName} of ${altered.of} was altered in the archive.`)
  return { tallies, sealed, files }
}

function requireAlike(one: Tallies, other: Tallies, [newest, oldest]: readonly [Start, Start]): void {
  const between = `recovered from ${newest.base.name} and from ${oldest.base.name}`
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [here, there] = [one.get(name), other.get(name)]
    if (here?.rows !== there?.rows || here?.content !== there?.content)
      throw new BackupError(
        `${name} has ${here?.rows ?? 'no'} and ${there?.rows ?? 'no'} rows, which differ, ${between}.`,
      )
  }
}
