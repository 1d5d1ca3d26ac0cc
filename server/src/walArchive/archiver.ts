// Keeps the WAL archive of the embedded database: follows its WAL, makes a base backup every day, and copies stored files. What
// fails is tried again, and shown on the system status; the server goes on without its archive.
import { access, constants } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
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
import type { Database } from '../db/open.ts'
import type { Medium } from '../files/medium.ts'
import { archiveFile, findWanted, isArchived, setAside } from './archivedFiles.ts'
import { makeBase } from './baseBackup.ts'
import { findPlaceInArchive } from './place.ts'
import { receiveWal, type WalReceiver } from './receiver.ts'
import { type Address, cutOff, openReplication } from './replication.ts'
import { dropOldBases } from './retention.ts'
import { requireRoom, sizeOfNewestBase } from './room.ts'
import { findBases, openBase, type Series } from './series.ts'

/** Milliseconds between looks for what is due, and until the WAL is tried again. */
const PAUSE = 2_000
/** Milliseconds until base backups and stored files are tried again, which may take the room of the WAL meanwhile. */
const LONG_PAUSE = 30_000
/** Milliseconds that the last WAL may take to be written when the server ends. */
const LAST_WRITE = 2_000
const BASE_INTERVAL = days(1)
/** Names of files that are looked for at once. */
const MANY = 10_000

type ArchiveOrder = {
  root: string
  /** The key of a new series, which a rotation of the secret key changes. */
  findKey(): Promise<BackupKey>
  /** Base backups that are kept. */
  keep: number
  address: Address
  db: Database
  store: Medium
  clock: Clock
  log: Pick<Logger, 'warn'>
}

type State = {
  through: number
  base: Date | null
  failures: Map<string, string>
  /** Complete files that are not copied yet, and since when. */
  files: Map<string, Date>
  /** Whether all files that the database names were looked for since the last base backup. */
  isScanned: boolean
  /** A base backup after which nothing was removed yet. */
  made: string | undefined
  current: { series: Series; receiving: WalReceiver } | undefined
}

/** Starts the archive beside the server. */
export function startWalArchive(order: ArchiveOrder): WalArchive {
  const stopped = new AbortController()
  const state: State = {
    through: 0,
    base: null,
    failures: new Map(),
    files: new Map(),
    isScanned: false,
    made: undefined,
    current: undefined,
  }
  const startDT = order.clock.now()
  const parts = [
    repeat('wal', follow, PAUSE),
    repeat('base', keepBases, LONG_PAUSE),
    repeat('files', copyFiles, LONG_PAUSE),
  ]

  type Work = (order: ArchiveOrder, state: State) => Promise<void>
  async function repeat(part: string, work: Work, afterFailure: number): Promise<void> {
    while (!stopped.signal.aborted) {
      const failure = await work(order, state).then(
        () => undefined,
        (error: unknown) => reasonOf(order.root, error),
      )
      if (stopped.signal.aborted) return
      if (failure === undefined) state.failures.delete(part)
      else if (state.failures.get(part) !== failure) {
        state.failures.set(part, failure)
        order.log.warn({ part, reason: failure }, 'the WAL archive failed and is tried again')
      }
      const pause = failure === undefined ? PAUSE : afterFailure
      await wait(pause, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  }

  return {
    status: () => ({
      throughDT: state.base === null ? null : new Date(state.through),
      baseDT: state.base,
      waitingFiles: state.files.size,
      fileWaitDT: [...state.files.values()].at(0) ?? null,
      failure: [...state.failures.values()].at(0) ?? null,
      startDT,
    }),
    addFile: (name) => state.files.set(name, order.clock.now()),
    stop: async () => {
      stopped.abort()
      const last = state.current?.receiving.flush()
      await Promise.race([last, wait(LAST_WRITE, undefined, { ref: false })])
      void state.current?.receiving.stop()
      await Promise.race([Promise.all(parts), wait(LAST_WRITE, undefined, { ref: false })])
    },
  }
}

function reasonOf(root: string, error: unknown): string {
  if (isDatabaseGone(error)) return 'the database cannot be reached'
  const reason = unusable(root, error)
  return reason instanceof Error ? reason.message : String(reason)
}

/** When the newest base backup was complete; null where there is none, or it was altered: another one is due. */
async function newestBase(series: Series): Promise<Date | null> {
  const newest = (await findBases(series)).at(-1)
  if (newest === undefined) return null
  const base = await openBase(series, newest).catch((error: unknown) => {
    if (error instanceof BackupError) return undefined
    throw error
  })
  return base === undefined ? null : new Date(base.manifest.moment)
}

/** Archives the WAL until the connection or the disk fails. */
async function follow({ root, findKey, address, db, clock, log }: ArchiveOrder, state: State): Promise<void> {
  await access(root, constants.W_OK | constants.X_OK)
  const key = await findKey()
  const client = await openReplication(address)
  let release: (() => void) | undefined
  try {
    const claim = () => {
      release ??= lockArchive(root)
    }
    const now = () => clock.now()
    const tell = (reason: string) => log.warn({ reason }, 'the WAL archive begins anew')
    const { series, ...from } = await findPlaceInArchive(client, { root, key, db: db.read, now, tell, claim })
    state.base = await newestBase(series)
    state.through = from.through
    const receiving = receiveWal(client, series, from, (through) => {
      state.through = through
      state.failures.delete('wal')
    })
    state.current = { series, receiving }
    await receiving.ended
  } finally {
    cutOff(client)
    // What is being written has to be there, or not, before the next attempt looks where to go on.
    await state.current?.receiving.stop()
    state.current = undefined
    release?.()
  }
}

function lockArchive(root: string): () => void {
  try {
    return lockDataDir(root, 'archive')
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error
    throw new BackupError(`Another server archives into ${root}: give each server a directory of its own.`)
  }
}

/** Makes the base backup of the day, and removes what is no longer kept. */
async function keepBases({ root, findKey, keep, address, db, clock }: ArchiveOrder, state: State): Promise<void> {
  if (state.current === undefined) return
  const { series, receiving } = state.current
  if ((await findKey()).fingerprint !== series.key.fingerprint) return receiving.stop()
  const now = clock.now()
  if (state.base === null || state.base <= later(now, -BASE_INTERVAL)) {
    await requireRoom(root, await sizeOfNewestBase(root))
    state.made = await makeBase({ address, series, now: () => clock.now(), archived: receiving.archived })
    state.base = await newestBase(series)
    state.isScanned = false
  }
  if (state.made === undefined) return
  const client = await openClient(db.connection)
  try {
    await setAside(root, state.made, findWanted(client), now)
  } finally {
    cutOff(client)
  }
  await dropOldBases(root, series, keep)
  state.made = undefined
}

/** Notes files that the database names and the archive does not have. False where there may be more. */
async function findFiles({ root, db, clock }: ArchiveOrder, { files }: State): Promise<boolean> {
  const client = await openClient(db.connection)
  try {
    for await (const name of findWanted(client)) {
      if (!isArchived(root, name) && !files.has(name)) files.set(name, clock.now())
      if (files.size >= MANY) return false
    }
    return true
  } finally {
    cutOff(client)
  }
}

/** Copies all files that the database names, and from then on those that are complete. One that fails holds up no other. */
async function copyFiles(order: ArchiveOrder, state: State): Promise<void> {
  const { root, store } = order
  // Before that, the folder may be that of a disk which is not mounted.
  if (state.current === undefined) return
  if (!state.isScanned) state.isScanned = await findFiles(order, state)
  const failures: unknown[] = []
  for (const name of state.files.keys())
    await archiveFile(root, store, name).then(
      () => state.files.delete(name),
      (error: unknown) => failures.push(error),
    )
  if (failures.length > 0) throw failures[0]
}
