// Keeps the WAL archive of the embedded database: follows its WAL, makes a base backup every day, and copies stored files. What
// fails is tried again, and shown on the system status; the server goes on without its archive.
import { access, constants } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { BackupKey } from '../backup/key.ts'
import { unusable } from '../backup/sealedStream.ts'
import { openClient } from '../backup/tables.ts'
import { type Clock, days, later } from '../clock.ts'
import type { WalArchive } from '../core/walArchive.ts'
import { isDatabaseGone } from '../db/constraints.ts'
import type { Database } from '../db/open.ts'
import type { Medium } from '../files/medium.ts'
import { archiveFile, findWanted, isArchived, setAside } from './archivedFiles.ts'
import { makeBase } from './baseBackup.ts'
import { findPlaceInArchive } from './place.ts'
import { type Receiving, receiveWal } from './receiver.ts'
import { type Address, cutOff, openReplication } from './replication.ts'
import { dropOldBases } from './retention.ts'
import { findBases, openBase, type Series } from './series.ts'

/** Milliseconds until what failed is tried again, and between looks for what is due. */
const PAUSE = 2_000
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
  current: { series: Series; receiving: Receiving } | undefined
}

/** Starts the archive beside the server. */
export function startWalArchive(order: ArchiveOrder): WalArchive {
  const stopped = new AbortController()
  const state: State = { through: 0, base: null, failures: new Map(), files: new Map(), current: undefined }
  const startDT = order.clock.now()
  const parts = [repeat('wal', follow), repeat('base', keepBases), repeat('files', copyFiles(order, state))]

  async function repeat(part: string, work: (order: ArchiveOrder, state: State) => Promise<void>): Promise<void> {
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
      await wait(PAUSE, undefined, { signal: stopped.signal }).catch(() => undefined)
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
      state.current?.receiving.stop()
      await Promise.race([Promise.all(parts), wait(LAST_WRITE, undefined, { ref: false })])
    },
  }
}

function reasonOf(root: string, error: unknown): string {
  if (isDatabaseGone(error)) return 'the database cannot be reached'
  const reason = unusable(root, error)
  return reason instanceof Error ? reason.message : String(reason)
}

async function newestBase(series: Series): Promise<Date | null> {
  const newest = (await findBases(series)).at(-1)
  return newest === undefined ? null : new Date((await openBase(series, newest)).manifest.moment)
}

/** Archives the WAL until the connection or the disk fails. */
async function follow({ root, findKey, address, db, clock, log }: ArchiveOrder, state: State): Promise<void> {
  await access(root, constants.W_OK | constants.X_OK)
  const key = await findKey()
  const client = await openReplication(address)
  try {
    const now = () => clock.now()
    const tell = (reason: string) => log.warn({ reason }, 'the WAL archive begins anew')
    const { series, ...from } = await findPlaceInArchive(client, { root, key, db: db.read, now, tell })
    state.base = await newestBase(series)
    state.through = from.through
    const receiving = receiveWal(client, series, from, (through) => {
      state.through = through
      state.failures.delete('wal')
    })
    state.current = { series, receiving }
    await receiving.ended
  } finally {
    state.current?.receiving.stop()
    state.current = undefined
    cutOff(client)
  }
}

/** Makes the base backup of the day, and removes what is no longer kept. */
async function keepBases({ root, findKey, keep, address, db, clock }: ArchiveOrder, state: State): Promise<void> {
  if (state.current === undefined) return
  const { series, receiving } = state.current
  if ((await findKey()).fingerprint !== series.key.fingerprint) return receiving.stop()
  const now = clock.now()
  if (state.base !== null && state.base > later(now, -BASE_INTERVAL)) return
  const base = await makeBase({ address, series, now: () => clock.now(), archived: receiving.archived })
  state.base = await newestBase(series)
  const client = await openClient(db.connection)
  try {
    await setAside(root, base, findWanted(client), now)
  } finally {
    cutOff(client)
  }
  await dropOldBases(root, series, keep)
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

/** Copies all files that the database names, and from then on those that are complete. */
function copyFiles(order: ArchiveOrder, state: State): () => Promise<void> {
  const { root, store } = order
  let isScanned = false
  return async () => {
    // Before that, the folder may be that of a disk which is not mounted.
    if (state.current === undefined) return
    if (!isScanned) isScanned = await findFiles(order, state)
    for (const name of state.files.keys()) {
      await archiveFile(root, store, name)
      state.files.delete(name)
    }
  }
}
