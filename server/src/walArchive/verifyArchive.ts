// Verifies a WAL archive: reads all base backups and WAL, recovers the database from the newest and the oldest base
// backup in a temporary folder, and compares their tables.
import { inTemporaryFolder, withCleanUp } from '../backup/cleanUp.ts'
import { BackupError, OtherKeyError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import { inTransaction, type Target } from '../backup/load.ts'
import { findTables, type Tally, tallyTable } from '../backup/tables.ts'
import type { SecretKey } from '../crypto/secretKey.ts'
import { type Base, findBases, findWal, openBase, readBase } from './bases.ts'
import { type Archive, openArchive, readPacked } from './pieces.ts'
import { findStart, recover, type Start } from './recover.ts'
import { examine } from './restoreArchive.ts'

type Order = { root: string; key: BackupKey; folder: string; secretKey: SecretKey | undefined; keptSince: Date }

/** Opens the base backups of the key, newest first, and collects the refusals of those of other keys. */
async function openBases(archive: Archive): Promise<{ bases: Base[]; others: OtherKeyError[] }> {
  const bases: Base[] = []
  const others: OtherKeyError[] = []
  for (const name of (await findBases(archive.root)).reverse())
    try {
      bases.push(await openBase(archive, name))
    } catch (error) {
      if (!(error instanceof OtherKeyError)) throw error
      others.push(error)
    }
  return { bases, others }
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
  for (const { base } of starts) await readBase(archive, base)
  for (const part of new Set(starts.flatMap(({ pieces }) => pieces.map(({ part }) => part))))
    await readPacked(archive, part)
}

/**
 * Verifies an archive below `folder`, and removes everything afterwards. Throws BackupError for the first fault.
 * `others` are base backups of other keys, which are left out. `isCompared`: two recoveries were compared.
 */
export async function verifyArchive(order: Order) {
  const { root, key, folder } = order
  const archive = await openArchive(root, key)
  const { bases, others } = await openBases(archive)
  const starts = await findStarts(archive, bases)
  const [newest] = starts
  // The oldest one whose WAL has the same end.
  const oldest = starts.findLast(({ pieces }) => pieces.at(-1)?.part === newest?.pieces.at(-1)?.part)
  if (newest === undefined || oldest === undefined)
    throw others[0] ?? new BackupError(`${root} holds no base backup yet.`)
  await readAll(archive, starts)
  const { tallies, sealed, files } = await recoverIn(folder, newest, async (target) => {
    const tallies = await tallyAll(target)
    return { tallies, ...(await examine(target, order)) }
  })
  const altered = files.lost.find(({ reason }) => reason === 'altered')
  if (altered !== undefined) throw new BackupError(`${altered.fileName} of ${altered.of} was altered in the archive.`)
  const isCompared = oldest !== newest
  if (isCompared) requireEqual(tallies, await recoverIn(folder, oldest, tallyAll), [newest, oldest])
  const rows = [...tallies.values()].reduce((sum, tally) => sum + tally.rows, 0)
  const { throughDT } = newest
  const counts = { bases: starts.length, others: others.length, tables: tallies.size, rows }
  return { ...counts, throughDT, isCompared, sealed, files }
}

/** Recovers to the end below `folder`, works with the database, and removes it. */
const recoverIn = <T>(folder: string, start: Start, work: (target: Target) => Promise<T>): Promise<T> =>
  inTemporaryFolder(folder, async (place) => {
    const { owner, stop } = await recover(start, undefined, place)
    return withCleanUp(() => inTransaction(owner, work), [stop])
  })

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
