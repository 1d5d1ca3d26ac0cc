// Keeps the archive of the embedded database: archives its WAL, makes a base backup every day, and copies stored files.
// Failures are shown on the system status and retried; the server continues without its archive.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { BackupError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import { unusable } from '../backup/sealedStream.ts'
import { openClient } from '../backup/tables.ts'
import { type Clock, days, later } from '../clock.ts'
import type { WalArchive } from '../core/walArchive.ts'
import { isDatabaseGone } from '../db/constraints.ts'
import { DataDirInUse } from '../db/embedded/errors.ts'
import { lockDataDir } from '../db/embedded/lock.ts'
import { ARCHIVE } from '../db/embedded/walCommands.ts'
import type { Database } from '../db/open.ts'
import { createFile, replaceFile } from '../disk.ts'
import type { Medium } from '../files/medium.ts'
import { archiveFile, findWanted, isArchived, setAside } from './archivedFiles.ts'
import { type Base, dropOldBases, findBases, findWal, makeBase, openBase } from './bases.ts'
import {
  ARCHIVE_ID,
  type Archive,
  type Piece,
  readArchiveId,
  readPiece,
  requireRoom,
  SEGMENT_SIZE,
  type Segment,
  segmentOf,
  systemOf,
  writePiece,
} from './pieces.ts'

/** Milliseconds between two copies of files; and between checks for base backups, and after a failure. */
const [PAUSE, LONG_PAUSE] = [2_000, 10_000]
/** Milliseconds that running work may take when the server ends. */
const LAST_WORK = 2_000
const BASE_INTERVAL = days(1)
/** Bytes of waiting WAL at which it is given up, before it fills the database's disk. */
const MAX_WAITING_WAL = 4 * 2 ** 30
/** Names of files that are looked up at once. */
const MAX_NAMES = 10_000

type Place = { root: string; dataDir: string; keep: number; clock: Clock; log: Pick<Logger, 'warn'> }
type Parts = {
  db: Database
  store: Medium
  /** Returns the key that encrypts. A rotation of the secret key changes it. */
  findKey(): Promise<BackupKey>
}

type State = Place & {
  pgDir: string
  stopped: AbortController
  failures: Map<string, string>
  /** Complete files that wait to be copied, and since when. */
  files: Map<string, Date>
  /** Whether all files that the database names were looked for since the last base backup. */
  isScanned: boolean
  started: PromiseWithResolvers<Parts>
  /** Unlocks the folder. */
  release: (() => void) | undefined
  throughDT: Date | undefined
  /** The newest base backup, if no WAL is missing since. */
  base: Base | undefined
}

/** Opens the archive before its database starts. It archives the last WAL after all other work has ended. */
export function openArchiver(place: Place) {
  const started = Promise.withResolvers<Parts>()
  started.promise.catch(() => undefined)
  const empty = { release: undefined, throughDT: undefined, base: undefined, isScanned: false, failures: new Map() }
  const [pgDir, stopped] = [join(place.dataDir, 'pg'), new AbortController()]
  const state: State = { ...place, ...empty, pgDir, stopped, started, files: new Map() }
  const startDT = place.clock.now()
  let working: Promise<unknown> = Promise.resolve()
  return {
    take: (name: string, path: string) => take(state, name, path),
    start(parts: Parts): WalArchive {
      started.resolve(parts)
      working = Promise.all([
        repeat(state, 'base', () => keepBases(state, parts), LONG_PAUSE),
        repeat(state, 'files', () => copyFiles(state, parts), PAUSE),
      ])
      return {
        status: () => ({
          throughDT: (state.base && state.throughDT) ?? null,
          baseDT: state.base === undefined ? null : new Date(state.base.moment),
          waitingFiles: state.files.size,
          fileWaitDT: [...state.files.values()].at(0) ?? null,
          failure: [...state.failures.values()].at(0) ?? null,
          startDT,
        }),
        addFile: (name) => state.files.set(name, place.clock.now()),
      }
    },
    /** Ends all work but the archiving of WAL, which continues until PostgreSQL ends. */
    stop: async () => {
      started.reject(new Error('the server has not started'))
      stopped.abort()
      await Promise.race([working, wait(LAST_WORK, undefined, { ref: false })])
    },
    close: () => state.release?.(),
  }
}

function fail({ root, failures, stopped, log }: State, part: string, error: unknown): void {
  const failure = reasonOf(root, error)
  if (failures.get(part) === failure || stopped.signal.aborted) return
  failures.set(part, failure)
  log.warn({ part, reason: failure }, 'the WAL archive failed and is tried again')
}

async function repeat(state: State, part: string, work: () => Promise<void>, pause: number): Promise<void> {
  const { signal } = state.stopped
  while (!signal.aborted) {
    const isDone = await work().then(
      () => true,
      (error: unknown) => fail(state, part, error),
    )
    if (isDone) state.failures.delete(part)
    await wait(isDone ? pause : LONG_PAUSE, undefined, { signal }).catch(() => undefined)
  }
}

/** Opens the folder. Throws BackupError if it is not the one of this database. */
async function open(state: State, { findKey }: Parts): Promise<Archive> {
  const { root, pgDir } = state
  const key = await findKey()
  await access(root, constants.W_OK | constants.X_OK)
  const [own, file] = [join(pgDir, ARCHIVE, ARCHIVE_ID), join(root, ARCHIVE_ID)]
  const known = existsSync(own) ? await readFile(own, 'utf8') : undefined
  if (known !== undefined && (!existsSync(file) || (await readFile(file, 'utf8')) !== known))
    throw new BackupError(
      `${root} does not hold the archive that this database continues: mount its disk, or start the server once without ACC_WAL_ARCHIVE_DIR to begin a new one`,
    )
  state.release ??= lockArchive(root)
  if (known === undefined) {
    await createFile(file, `${randomBytes(16).toString('hex')}\n`)
    await replaceFile(own, await readFile(file, 'utf8'))
  }
  return { root, id: await readArchiveId(root), key }
}

async function take(state: State, name: string, path: string): Promise<void> {
  const { pgDir, failures, log } = state
  // Other files describe base backups and timelines.
  if (segmentOf(name) === undefined) return
  const parts = await state.started.promise
  try {
    state.throughDT = await writePiece(await open(state, parts), await systemOf(pgDir), name, path)
    failures.delete('wal')
  } catch (error) {
    fail(state, 'wal', error)
    if ((await listWal(pgDir)).length * SEGMENT_SIZE <= MAX_WAITING_WAL) throw error
    state.base = undefined
    log.warn({ segment: name }, 'too much WAL waits for the archive: it is given up, and a new base backup follows')
  }
}

/** Makes a base backup if the newest one is a day old or cannot be used, and removes old ones. */
async function keepBases(state: State, parts: Parts): Promise<void> {
  const { root, pgDir, keep, clock } = state
  const { db } = parts
  const archive = await open(state, parts)
  const usable = await findUsable(archive, db, pgDir, state.base)
  state.base = usable?.base
  if (usable !== undefined) state.throughDT ??= (await readPiece(archive, usable.base.system, usable.last)).throughDT
  const now = clock.now()
  if (state.base !== undefined && new Date(state.base.moment) > later(now, -BASE_INTERVAL)) return
  await requireRoom(root, state.base?.files.reduce((sum, [, size]) => sum + size, 0) ?? 0)
  const client = await openClient(db.connection)
  try {
    const system = await systemOf(pgDir)
    const order = { ...archive, client, pgDir, system, now: () => clock.now(), isContinued: state.base !== undefined }
    const base = await openBase(archive, await makeBase(order))
    state.base = base
    state.isScanned = false
    await setAside(root, base.name, findWanted(client), now)
    await dropOldBases(root, `${system} ${base.timeline}`, keep)
  } finally {
    client.connection.stream.destroy()
  }
}

/** Copies waiting files, and after each base backup all that the archive lacks. A failure delays no other file. */
async function copyFiles(state: State, parts: Parts): Promise<void> {
  const { root, files, clock } = state
  await open(state, parts)
  if (!state.isScanned) state.isScanned = await findFiles(root, parts.db, files, clock)
  const failed: unknown[] = []
  for (const name of files.keys())
    await archiveFile(root, parts.store, name).then(
      () => files.delete(name),
      (error: unknown) => failed.push(error),
    )
  if (failed.length > 0) throw failed[0]
}

/** Adds files that the archive lacks to those that wait. Returns false if there may be more. */
async function findFiles(root: string, db: Database, files: Map<string, Date>, clock: Clock): Promise<boolean> {
  const client = await openClient(db.connection)
  try {
    for await (const name of findWanted(client)) {
      if (!isArchived(root, name) && !files.has(name)) files.set(name, clock.now())
      if (files.size >= MAX_NAMES) return false
    }
    return true
  } finally {
    client.connection.stream.destroy()
  }
}

function reasonOf(root: string, error: unknown): string {
  if (isDatabaseGone(error)) return 'the database cannot be reached'
  const reason = unusable(root, error)
  return reason instanceof Error ? reason.message : String(reason)
}

function lockArchive(root: string): () => void {
  try {
    return lockDataDir(root, 'archive')
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error
    throw new BackupError(`Another server archives into ${root}: give each server a directory of its own.`)
  }
}

/** Lists the segments that the database has. */
const listWal = async (pgDir: string): Promise<Segment[]> =>
  (await readdir(join(pgDir, 'pg_wal'))).map(segmentOf).filter((segment) => segment !== undefined)

/** Returns the newest base backup and the last segment since; undefined if WAL is missing up to the present. */
async function findUsable(archive: Archive, db: Database, pgDir: string, known: Base | undefined) {
  const { root } = archive
  const newest = (await findBases(root)).at(-1)
  if (newest === undefined) return undefined
  const isKnown = known?.name === newest && known.keyFingerprint === archive.key.fingerprint
  const base = isKnown ? known : await openBase(archive, newest).catch(ignoreBackupError)
  if (base === undefined || base.system !== (await systemOf(pgDir))) return undefined
  const { pieces, behindGap } = await findWal(root, base)
  const last = pieces.at(-1)
  if (last === undefined || last.number < base.end || behindGap !== undefined) return undefined
  return (await isFollowed(db, pgDir, last)) ? { base, last } : undefined
}

function ignoreBackupError(error: unknown): undefined {
  if (!(error instanceof BackupError)) throw error
}

/** Whether the database writes the next segment now, or still has it. */
async function isFollowed(db: Database, pgDir: string, { timeline, number }: Piece): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select pg_walfile_name(pg_current_wal_lsn()) as name`.execute(db.read)
  const current = segmentOf(rows[0]?.name ?? '')
  if (current === undefined || current.timeline !== timeline) return false
  if (current.number <= number + 1) return true
  const kept = await listWal(pgDir)
  return kept.some((segment) => segment.timeline === timeline && segment.number === number + 1)
}
