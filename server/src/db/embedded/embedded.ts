// The embedded PostgreSQL: without ACC_DATABASE_URL the server brings its own database, as a child process with its data
// in ACC_DATA_DIR/pg, on a Unix socket and no TCP port, fully durable (docs/decisions/22-database.md).
// Only the owner of that directory can connect. A database that dies is started again.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { requireRestored } from '../restoring.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { DataDirInUse, StartError, sentenceFor } from './errors.ts'
import { type Archive, archiveSettings, endArchive, openArchiving, openRestoring, type Restore } from './handOver.ts'
import { lockDataDir } from './lock.ts'
import { choosePlace, openDataDir, type Place, SOCKET_PORT, socketHost } from './place.ts'
import { accessOf, clearLeftovers, initialise, type Log, launch, type Run, writeAccess } from './process.ts'

type EmbeddedConnection = { host: string; port: number; user: string; database: string }

export type EmbeddedDatabase = {
  /** How the server reaches it: as a role that only reads and writes rows. */
  connection: EmbeddedConnection
  /** How a migration reaches it: as the role that owns the database and is no superuser. */
  owner: EmbeddedConnection
  /** Calls the listener with the reason whenever PostgreSQL ended unasked. It is started again all the same. */
  onExit(listener: (reason: string) => void): void
  /** Shuts PostgreSQL down and gives the data directory back; at most five seconds. */
  stop(): Promise<void>
}

type Options = {
  dataDir: string
  log: Log
  settings?: Record<string, string>
  /** Archives the WAL; 'none' ends a former archive. Without it, PostgreSQL keeps the WAL of an archive. */
  archive?: Archive | 'none'
  /** Restores the WAL of a recovery. */
  restore?: Restore
  /** Lets the superuser connect as well: for tests, which make databases. */
  isForTests?: true
}

const ROLES = { owner: 'acc', server: 'acc_server', database: 'acc' }
/** Lets everybody connect who reaches the socket, as any role. */
const ACCESS_FOR_TESTS = 'local all all trust\n'
/** Where programs are copied to when PostgreSQL's own account cannot reach the packages. */
const COPIES_FOR_ROOT = '/var/cache/acc'
/** Milliseconds between attempts to start a database that died. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 10_000

/** For a server and its database on one machine, which may be a laptop. */
const SETTINGS = {
  listen_addresses: '',
  // The data directory, which is where PostgreSQL works: its path may be longer than a socket's address.
  unix_socket_directories: '.',
  port: String(SOCKET_PORT),
  max_connections: '60',
  shared_buffers: '128MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Statements that fail are the caller's to report; what they hold must not reach a log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

/** Who may connect, as PostgreSQL reads it. */
const accessTo = ({ isForTests }: Options): string => (isForTests ? ACCESS_FOR_TESTS : accessOf(ROLES))

/** Opens what PostgreSQL's commands for the WAL ask. */
function openHandOver(place: Place, { archive, restore }: Options) {
  if (restore !== undefined) return openRestoring(place, restore)
  if (archive === 'none') endArchive(place)
  else if (archive !== undefined) return openArchiving(place, archive)
  return { settings: archiveSettings(place), close: () => undefined }
}

/** Starts the database of a data directory, creating it if it is missing. Throws StartError. */
export async function startEmbedded(options: Options): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new StartError(
      'There is no embedded database on Windows, where Node cannot open its socket: set ACC_DATABASE_URL.',
    )
  }
  const dataDir = resolve(options.dataDir)
  openDataDir(dataDir)
  const unlock = lockDataDir(dataDir)
  let handOver: ReturnType<typeof openHandOver> | undefined
  try {
    const place = choosePlace(dataDir)
    const asOther = place.account.uid !== undefined
    const binaries = findBinaries({ forOthers: asOther, copies: asOther ? COPIES_FOR_ROOT : dataDir })
    const isNew = isEmpty(place.directory)
    requireRestored(dataDir, !isNew)
    if (isNew) await initialise(place, binaries, ROLES)
    else checkVersion(place, binaries)
    await clearLeftovers(place.directory, options.log)
    writeAccess(place, accessTo(options))
    handOver = openHandOver(place, options)
    const settings = { ...SETTINGS, ...handOver.settings, ...options.settings }
    const supervisor = supervise(place, binaries, settings, options.log)
    await supervisor.start()
    const socket = socketHost(place.directory)
    const end = async () => {
      await supervisor.stop()
      handOver?.close()
      socket.close()
      unlock()
    }
    let stopped: Promise<void> | undefined
    return {
      ...connectionsOf(socket.host),
      onExit: supervisor.onExit,
      stop: () => {
        stopped ??= end()
        return stopped
      },
    }
  } catch (error) {
    handOver?.close()
    unlock()
    if (error instanceof StartError) throw error
    throw new StartError(sentenceFor(error, dataDir) ?? `The embedded database did not start: ${String(error)}`)
  }
}

const connectionsOf = (host: string): Pick<EmbeddedDatabase, 'connection' | 'owner'> => ({
  connection: { host, port: SOCKET_PORT, user: ROLES.server, database: ROLES.database },
  owner: { host, port: SOCKET_PORT, user: ROLES.owner, database: ROLES.database },
})

/** The database of a data directory as a second process uses it: the one that a server runs, else started for as long as needed. */
export async function attachEmbedded(
  options: Options,
): Promise<Pick<EmbeddedDatabase, 'connection' | 'owner' | 'stop'>> {
  try {
    return await startEmbedded(options)
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error
    const socket = socketHost(choosePlace(resolve(options.dataDir)).directory)
    const stop = async () => socket.close()
    return { ...connectionsOf(socket.host), stop }
  }
}

const isEmpty = (directory: string) => !existsSync(directory) || readdirSync(directory).length === 0

function checkVersion(place: Place, binaries: Binaries): void {
  const file = join(place.directory, 'PG_VERSION')
  const version = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  if (version === undefined)
    throw new StartError(`${place.directory} holds no database: remove it, or choose another ACC_DATA_DIR.`)
  if (version === binaries.major) return
  throw new StartError(
    `${place.directory} was written by PostgreSQL ${version}, and this is PostgreSQL ${binaries.major}.`,
  )
}

/** Keeps one PostgreSQL running until it is stopped. */
function supervise(place: Place, binaries: Binaries, settings: Record<string, string>, log: Log) {
  const listeners: ((reason: string) => void)[] = []
  const stopped = new AbortController()
  let run: Run | undefined
  let recovery: Promise<void> = Promise.resolve()

  const start = async () => {
    await clearLeftovers(place.directory, log)
    stopped.signal.throwIfAborted()
    const started = launch(place, binaries, settings, log)
    run = started
    await started.ready
    void started.gone.then((reason) => {
      if (stopped.signal.aborted) return
      log.error(`PostgreSQL ended (${reason}). Starting it again.`)
      for (const listener of listeners) listener(reason)
      recovery = startAgain()
    })
  }

  const startAgain = async () => {
    for (let pause = FIRST_PAUSE; !stopped.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        await wait(pause, undefined, { signal: stopped.signal })
        await start()
        log.info('PostgreSQL runs again.')
        return
      } catch (error) {
        if (!stopped.signal.aborted) log.error(error instanceof Error ? error.message : String(error))
      }
    }
  }

  const stop = async () => {
    stopped.abort()
    await run?.stop()
    await recovery
  }

  return { start, stop, onExit: (listener: (reason: string) => void) => void listeners.push(listener) }
}
