// Keeps the archive of the embedded database: archives its WAL, makes a base backup every day, and copies stored files.
// Failures are shown on the system status and retried; the server continues without its archive.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, constants, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { BackupError } from '../backup/errors.ts'
import type { BackupKey } from '../backup/key.ts'
import { unusable } from '../backup/sealedStream.ts'
import { openClient } from '../backup/tables.ts'
import { type Clock, days, later } from '../clock.ts'
import type { WalArchive } from '../core/walArchive.ts'
import { isDatabaseGone } from '../db/constraints.ts'
import { ARCHIVE } from '../db/embedded/archiveCommand.ts'
import { DataDirInUse } from '../db/embedded/errors.ts'
import { lockDataDir } from '../db/embedded/lock.ts'
import type { Database } from '../db/open.ts'
import { createFile, replaceFile } from '../disk.ts'
import { findNamedFiles } from '../domains/damagedFiles/damagedFiles.queries.ts'
import type { Medium } from '../files/medium.ts'
import { archiveFile, isArchived, setAside } from './archivedFiles.ts'
import { type Base, dropOldBases, makeBase } from './bases.ts'
import {
  ARCHIVE_ID,
  type Archive,
  listFolder,
  openArchive,
  requireRoom,
  SEGMENT_SIZE,
  type Segment,
  segmentOf,
  systemOf,
  writePiece,
} from './pieces.ts'
import { chooseStart, type Start } from './recover.ts'

/** Milliseconds between two copies of files and after a failure, and between checks for base backups. */
const [PAUSE, LONG_PAUSE] = [2_000, 10_000]
/** Milliseconds that running work may take when the server ends. */
const LAST_WORK = 2_000
const BASE_INTERVAL = days(1)
/** Bytes of waiting WAL at which it is given up, before it fills the database's disk. */
const MAX_WAITING_WAL = 4 * 2 ** 30
/** Names of files that wait at once. */
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
  /** The base backup since which all files that the database names were looked for. */
  scannedBase?: string
  started: PromiseWithResolvers<Parts>
  /** Unlocks the folder. */
  release?: () => void
  throughDT?: Date
  /** The newest base backup, if no WAL is missing since. */
  base?: Base
}

/** Opens the archive before its database starts. It archives the last WAL after all other work has ended. */
export function openArchiver(place: Place) {
  const started = Promise.withResolvers<Parts>()
  started.promise.catch(() => undefined)
  const [pgDir, stopped, startDT] = [join(place.dataDir, 'pg'), new AbortController(), place.clock.now()]
  const state: State = { ...place, pgDir, stopped, started, failures: new Map(), files: new Map() }
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

/** Does work. Shows and logs its failure, and returns whether it succeeded. */
async function attempt(
  { root, failures, stopped, log }: State,
  part: string,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work()
    failures.delete(part)
    return true
  } catch (error) {
    const failure = reasonOf(root, error)
    if (failures.get(part) === failure || stopped.signal.aborted) return false
    failures.set(part, failure)
    log.warn({ part, reason: failure }, 'the WAL archive failed and is tried again')
    return false
  }
}

const pauseFor = ({ stopped: { signal } }: State, pause: number) =>
  wait(pause, undefined, { signal }).catch(() => undefined)

async function repeat(state: State, part: string, work: () => Promise<void>, pause: number): Promise<void> {
  while (!state.stopped.signal.aborted) await pauseFor(state, (await attempt(state, part, work)) ? pause : PAUSE)
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
  return openArchive(root, key)
}

/**
 * Archives a file of the WAL. PostgreSQL waits for it, since it pauses for a minute after three failures. Rejects when
 * the server ends.
 */
async function take(state: State, name: string, path: string): Promise<void> {
  const { pgDir, log, stopped } = state
  // Other files describe base backups and timelines.
  if (segmentOf(name) === undefined) return
  const parts = await state.started.promise
  const archive = async () => {
    state.throughDT = await writePiece(await open(state, parts), await systemOf(pgDir), name, path)
  }
  while (!(await attempt(state, 'wal', archive))) {
    if ((await listWal(pgDir)).length * SEGMENT_SIZE > MAX_WAITING_WAL) {
      state.base = undefined
      log.warn({ segment: name }, 'too much WAL waits for the archive: it is given up, and a new base backup follows')
      return
    }
    stopped.signal.throwIfAborted()
    await pauseFor(state, PAUSE)
  }
}

/** Makes a base backup if the newest one is a day old or cannot be used, and removes old ones. */
async function keepBases(state: State, parts: Parts): Promise<void> {
  const { root, pgDir, keep, clock } = state
  const { db } = parts
  const archive = await open(state, parts)
  const system = await systemOf(pgDir)
  const usable = await findUsable(archive, pgDir, system)
  state.base = usable?.base
  state.throughDT ??= usable?.throughDT
  const now = clock.now()
  if (state.base !== undefined && new Date(state.base.moment) > later(now, -BASE_INTERVAL)) return
  await requireRoom(root, state.base?.size ?? 0)
  const client = await openClient(db.connection)
  try {
    const order = { client, pgDir, system, now: () => clock.now(), isContinued: state.base !== undefined }
    state.base = await makeBase(archive, order)
  } finally {
    await client.end()
  }
  await setAside(root, state.base.name, db.read, now)
  await dropOldBases(root, `${system} ${state.base.timeline}`, keep)
}

/** Copies waiting files, and after each base backup all that the archive lacks. */
async function copyFiles(state: State, parts: Parts): Promise<void> {
  const { root, files, clock } = state
  const { db, store } = parts
  await open(state, parts)
  const base = state.base?.name ?? ''
  if (base !== state.scannedBase)
    for await (const { file } of findNamedFiles(db.read)) {
      if (!isArchived(root, file.name) && !files.has(file.name)) files.set(file.name, clock.now())
      if (files.size >= MAX_NAMES) await copyWaiting(state, store)
    }
  state.scannedBase = base
  await copyWaiting(state, store)
}

/** Copies waiting files. A failure delays no other file. */
async function copyWaiting({ root, files }: State, store: Medium): Promise<void> {
  const failed: unknown[] = []
  for (const name of files.keys())
    await archiveFile(root, store, name).then(
      () => files.delete(name),
      (error: unknown) => failed.push(error),
    )
  if (failed.length > 0) throw failed[0]
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

/** Lists the segments that the database has, in order. */
const listWal = async (pgDir: string): Promise<Segment[]> =>
  (await listFolder(join(pgDir, 'pg_wal'))).flatMap((name) => segmentOf(name) ?? [])

/** Finds the newest base backup with its WAL; undefined if WAL is missing up to the present. */
async function findUsable(archive: Archive, pgDir: string, system: string): Promise<Start | undefined> {
  try {
    const start = await chooseStart(archive, undefined)
    return start.base.system === system && (await isFollowed(pgDir, start)) ? start : undefined
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
  }
}

/** Whether the database still has the segment after the archived ones, or has written none since. */
async function isFollowed(pgDir: string, { base: { timeline }, pieces }: Start): Promise<boolean> {
  const [own, last] = [await listWal(pgDir), pieces.at(-1)?.number ?? 0]
  const newest = own.at(-1)
  if (newest?.timeline !== timeline) return false
  return newest.number <= last || own.some((one) => one.timeline === timeline && one.number === last + 1)
}
