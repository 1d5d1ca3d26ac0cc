// The embedded PostgreSQL (docs/decisions/22-database.md): without ACC_DATABASE_URL, a child process with its data in
// ACC_DATA_DIR/pg, durable, on a Unix socket without a TCP port. Only the owner of that directory can connect.
// A database that ends is started again.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { requireRestored } from '../restoring.ts'
import { type Archive, archiveSettings, endArchive, serveArchive } from './archiveCommand.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { DataDirInUse, StartError, sentenceFor } from './errors.ts'
import { lockDataDir } from './lock.ts'
import { choosePlace, openDataDir, type Place, SOCKET_PORT, socketHost } from './place.ts'
import { accessOf, clearLeftovers, initialize, type Log, launch, type Run, SILENT, writeAccess } from './process.ts'

type EmbeddedConnection = { host: string; port: number; user: string; database: string }

export type EmbeddedDatabase = {
  /** The server's connection, as a role that only reads and writes rows. */
  connection: EmbeddedConnection
  /** The connection of migrations, as the role that owns the database and is no superuser. */
  owner: EmbeddedConnection
  /** Shuts PostgreSQL down in at most five seconds, and unlocks the data directory. */
  stop(): Promise<void>
}

type Options = {
  dataDir: string
  /** Nothing is logged without it. */
  log?: Log
  settings?: Record<string, string>
  /** Archives the WAL; 'none' ends a former archive. Without it, PostgreSQL keeps WAL for an existing archive. */
  archive?: Archive | 'none'
  /** Lets the superuser connect, for tests, which create databases. */
  isForTests?: true
}

const ROLES = { owner: 'acc', server: 'acc_server', database: 'acc' }
/** Lets any account that reaches the socket connect as any role. */
const ACCESS_FOR_TESTS = 'local all all trust\n'
/** The folder for copies of the programs, if PostgreSQL's own account cannot read the packages. */
const COPIES_FOR_ROOT = '/var/cache/acc'
/** Milliseconds between attempts to restart a database. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 10_000

/** For a server and its database on one machine, which may be a laptop. */
const SETTINGS = {
  listen_addresses: '',
  // Relative to the data directory, since its path may be longer than a socket's address.
  unix_socket_directories: '.',
  port: String(SOCKET_PORT),
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
  // Callers report failed statements. Their values must not be logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

/** Returns the lines of pg_hba.conf. */
const accessTo = ({ isForTests }: Options): string => (isForTests ? ACCESS_FOR_TESTS : accessOf(ROLES))

/** Starts the database of a data directory, and creates it if it is missing. Throws StartError. */
export async function startEmbedded(options: Options): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new StartError(
      'There is no embedded database on Windows, where Node cannot open its socket: set ACC_DATABASE_URL.',
    )
  }
  const { log = SILENT } = options
  const dataDir = resolve(options.dataDir)
  openDataDir(dataDir)
  const unlock = lockDataDir(dataDir)
  let endServing: (() => void) | undefined
  try {
    const place = choosePlace(dataDir)
    const asOther = place.account.uid !== undefined
    const binaries = findBinaries({ forOthers: asOther, copies: asOther ? COPIES_FOR_ROOT : dataDir })
    const isNew = isEmpty(place.directory)
    requireRestored(dataDir, !isNew)
    if (isNew) await initialize(place, binaries, ROLES)
    else checkVersion(place, binaries)
    await clearLeftovers(place.directory, log)
    writeAccess(place, accessTo(options))
    if (options.archive === 'none') endArchive(place)
    else if (options.archive !== undefined) endServing = serveArchive(place, options.archive)
    const settings = { ...SETTINGS, ...archiveSettings(place), ...options.settings }
    const supervisor = supervise(place, binaries, settings, log)
    await supervisor.start()
    const socket = socketHost(place.directory)
    const end = async () => {
      await supervisor.stop()
      endServing?.()
      socket.close()
      unlock()
    }
    let stopped: Promise<void> | undefined
    return {
      ...connectionsOf(socket.host),
      stop: () => {
        stopped ??= end()
        return stopped
      },
    }
  } catch (error) {
    endServing?.()
    unlock()
    if (error instanceof StartError) throw error
    throw new StartError(sentenceFor(error, dataDir) ?? `The embedded database did not start: ${String(error)}`)
  }
}

const connectionsOf = (host: string): Pick<EmbeddedDatabase, 'connection' | 'owner'> => ({
  connection: { host, port: SOCKET_PORT, user: ROLES.server, database: ROLES.database },
  owner: { host, port: SOCKET_PORT, user: ROLES.owner, database: ROLES.database },
})

/** Connects to the running database of a data directory, or starts it. */
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

/** Restarts PostgreSQL until it is stopped. */
function supervise(place: Place, binaries: Binaries, settings: Record<string, string>, log: Log) {
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

  return { start, stop }
}
