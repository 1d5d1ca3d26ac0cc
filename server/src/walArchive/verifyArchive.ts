// Verifies a WAL archive: reads all base backups and WAL, recovers the database from the newest and the oldest base
// backup in a temporary folder, and compares their tables.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withCleanUp } from '../backup/cleanUp.ts'
import { BackupError, OtherKeyError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import { inTransaction, type Target } from '../backup/load.ts'
import { unusable } from '../backup/sealedStream.ts'
import { findTables, type Tally, tallyTable } from '../backup/tables.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import { type Base, findBases, findWal, openBase, readBase } from './bases.ts'
import { type Archive, readPiece } from './pieces.ts'
import { findStart, openArchive, recover, type Start } from './recover.ts'
import { type Content, examine } from './restoreArchive.ts'

type Order = { root: string; key: BackupKey; folder: string; secretKey: SecretKey | undefined; keptSince: Date }

export type ArchiveReport = Omit<Content, 'secretKeyFingerprint'> & {
  /** Verified base backups, and those of other keys, which were left out. */
  bases: number
  others: number
  throughDT: Date
  tables: number
  rows: number
  /** Whether the database was recovered twice, and both were compared. */
  isCompared: boolean
}

/** Verifies an archive below `folder`, and removes everything afterwards. Throws BackupError for the first fault. */
export async function verifyArchive(order: Order): Promise<ArchiveReport> {
  const verify = async () => {
    const place = await mkdtemp(join(order.folder, 'acc-verify-'))
    return withCleanUp(() => verifyIn(place, order), [() => rm(place, { recursive: true, force: true })])
  }
  return verify().catch((error: unknown) => {
    throw unusable(order.folder, error)
  })
}

/** Opens the base backups of the key, newest first. */
async function openBases(archive: Archive): Promise<{ bases: Base[]; others: number }> {
  const names = await findBases(archive.root)
  const bases: Base[] = []
  let refusal = new BackupError(`${archive.root} holds no base backup yet.`)
  for (const name of names.toReversed())
    try {
      bases.push(await openBase(archive, name))
    } catch (error) {
      if (!(error instanceof OtherKeyError)) throw error
      refusal = error
    }
  if (bases.length === 0) throw refusal
  return { bases, others: names.length - bases.length }
}

/** Finds the WAL of the base backups, newest first. Ignores WAL that a server adds later. */
async function findStarts(archive: Archive, bases: readonly Base[]): Promise<Start[]> {
  const starts: Start[] = []
  let last: number | undefined
  let isContinued = true
  for (const base of bases) {
    last ??= (await findWal(archive.root, base)).pieces.at(-1)?.number
    const upTo = base.timeline === bases[0]?.timeline ? last : undefined
    // If WAL was given up since, only the base backup itself can be restored.
    starts.push(await findStart(archive, base, isContinued ? undefined : new Date(base.moment), upTo))
    isContinued &&= base.isContinued
  }
  return starts
}

/** Reads all base backups, and each segment of their WAL once. */
async function readAll(archive: Archive, starts: readonly Start[]): Promise<void> {
  const read = new Set<string>()
  for (const { base, pieces } of starts) {
    await readBase(archive, base)
    for (const piece of pieces.filter(({ file }) => !read.has(file))) {
      await readPiece(archive, base.system, piece)
      read.add(piece.file)
    }
  }
}

async function verifyIn(place: string, order: Order): Promise<ArchiveReport> {
  const archive = await openArchive(order.root, order.key)
  const { bases, others } = await openBases(archive)
  const starts = await findStarts(archive, bases)
  await readAll(archive, starts)
  const [newest] = starts
  // The oldest one whose WAL has the same end.
  const oldest = starts.findLast(({ pieces }) => pieces.at(-1)?.file === newest?.pieces.at(-1)?.file)
  if (newest === undefined || oldest === undefined) throw new BackupError(`${order.root} holds no base backup yet.`)
  const { tallies, sealed, files } = await recoverIn(place, newest, async (target) => {
    const tallies = await tallyAll(target)
    return { tallies, ...(await examine(target, order)) }
  })
  const altered = files.lost.find(({ reason }) => reason === 'altered')
  if (altered !== undefined) throw new BackupError(`${altered.fileName} of ${altered.of} was altered in the archive.`)
  if (oldest !== newest) requireEqual(tallies, await recoverIn(place, oldest, tallyAll), [newest, oldest])
  const rows = [...tallies.values()].reduce((sum, tally) => sum + tally.rows, 0)
  const { throughDT } = newest
  return {
    ...{ bases: starts.length, others, throughDT, tables: tallies.size, rows },
    ...{ isCompared: oldest !== newest, sealed, files },
  }
}

/** Recovers to the end, works with the database, and removes it. */
async function recoverIn<T extends object>(place: string, start: Start, work: (target: Target) => Promise<T>) {
  const folder = await mkdtemp(join(place, 'recovered-'))
  const recovering = async () => {
    const recovered = await recover(start, undefined, folder)
    return withCleanUp(() => inTransaction(recovered.owner, work), [recovered.stop])
  }
  return withCleanUp(recovering, [() => rm(folder, { recursive: true, force: true })])
}

type Tallies = Map<string, Tally>

async function tallyAll({ client }: Target): Promise<Tallies> {
  const tallies: Tallies = new Map()
  for (const table of await findTables(client)) tallies.set(table.name, await tallyTable(client, table))
  return tallies
}

function requireEqual(one: Tallies, other: Tallies, [newest, oldest]: readonly [Start, Start]): void {
  const between = `recovered from ${newest.base.name} and from ${oldest.base.name}`
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [here, there] = [one.get(name), other.get(name)]
    if (here?.rows !== there?.rows || here?.content !== there?.content)
      throw new BackupError(
        `${name} has ${here?.rows ?? 'no'} and ${there?.rows ?? 'no'} rows, which differ, ${between}.`,
      )
  }
}
