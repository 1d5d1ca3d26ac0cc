// Starts PostgreSQL as a child process, waits until it accepts connections, and stops it. A watchdog process stops
// PostgreSQL when the pipe to this process breaks.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { StartError, sentenceFor } from './errors.ts'
import {
  type Account,
  changeOwner,
  findNamedAccount,
  moveDurably,
  type Place,
  postmasterPid,
  processesIn,
} from './place.ts'

export type Log = { info(message: string): void; error(message: string): void }
export const SILENT: Log = { info: () => undefined, error: () => undefined }

export type Run = {
  /** Resolves when PostgreSQL accepts connections. Rejects with a StartError if it ends before. */
  ready: Promise<void>
  /** Resolves with the reason when the process has ended. */
  gone: Promise<string>
  /** Shuts down within five seconds. Acknowledged writes are on disk in any case. */
  stop(): Promise<void>
}

/** The roles of the embedded database: its owner, who migrates the schema, and the server's. */
export type Roles = { owner: string; server: string; database: string }

/** Milliseconds. */
const POLL = 10
const FAST_SHUTDOWN = 4_000
const IMMEDIATE_SHUTDOWN = 900
// Lines that are not logged, refused connections during a recovery among them.
const ROUTINE =
  /archive command (failed|was terminated)|failed archive command|received SIGHUP|starting PostgreSQL|listening on Unix|database system was shut down at|ready to accept connections|database system is (starting up|not yet accepting connections|in recovery mode)$/
const ROUTINE_END =
  /received fast shutdown|aborting any active|logical replication launcher|shutting down|is shut down|terminating connection due to administrator command/

const environment = () => ({ PATH: process.env.PATH ?? '/usr/bin:/bin' })

/** Creates the database's files next to their place, and then moves them there. */
export async function initialize(place: Place, binaries: Binaries, { owner, server, database }: Roles) {
  const unfinished = `${place.directory}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  const account = findNamedAccount(place.account)
  changeOwner(unfinished, account)
  const name = place.account.uid === undefined ? unfinished : place.ownName
  const options = { cwd: unfinished, env: environment(), ...account }
  try {
    // pg_trgm asks the C library for letters. The plain C locale has no Korean ones, so indexes would not work.
    const letters = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'
    const names = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8']
    const locale = [...names, '--locale=C', `--lc-ctype=${letters}`]
    const access = ['--username=postgres', '--auth-local=trust', '--auth-host=reject']
    // An archive lacks at most a minute, including the time to archive a segment.
    const file = ['-c', 'max_connections=60', '-c', 'archive_timeout=50s']
    const flags = ['-D', name, ...locale, ...access, ...file]
    await promisify(execFile)(join(binaries.directory, 'bin', 'initdb'), flags, options)
    await runStatements(binaries, name, options, [
      `CREATE ROLE ${owner} LOGIN`,
      `CREATE ROLE ${server} LOGIN`,
      // The server makes base backups (server/src/walArchive). The new database copies these rights.
      `GRANT EXECUTE ON FUNCTION pg_backup_start(text, boolean), pg_backup_stop(boolean) TO ${server}`,
      `CREATE DATABASE ${database} OWNER ${owner}`,
    ])
    changeOwner(unfinished, place.account)
    moveDurably(unfinished, place.directory)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    const text = error instanceof Error ? error.message : String(error)
    const reason = sentenceFor(text, place.directory) ?? text.split('\n').filter((line) => /error|FATAL/.test(line))[0]
    throw new StartError(`The embedded database could not be made: ${reason ?? text}`)
  }
}

/** Lets the two roles connect on the socket, and not the superuser. */
export const accessOf = ({ owner, server, database }: Roles): string =>
  `local ${database} ${owner} trust\nlocal ${database} ${server} trust\n`

export const writeAccess = ({ directory }: Place, text: string): void =>
  writeFileSync(join(directory, 'pg_hba.conf'), text)

/** Runs statements in PostgreSQL's single-user mode, which reports failures in its output only. */
async function runStatements(
  binaries: Binaries,
  name: string,
  options: Account & { cwd: string },
  statements: string[],
) {
  const single = promisify(execFile)(
    join(binaries.directory, 'bin', 'postgres'),
    ['--single', '-D', name, 'template1'],
    options,
  )
  single.child.stdin?.end(`${statements.join(';\n')};\n`)
  const { stderr } = await single
  if (/ERROR|FATAL|PANIC/.test(stderr)) throw new Error(stderr)
}

/** Ends a PostgreSQL that an earlier server left running in the directory. */
export async function clearLeftovers(directory: string, log = SILENT): Promise<void> {
  let left = processesIn(directory)
  if (left.length > 0) log.info('An earlier run of PostgreSQL has not ended yet: ending it first.')
  // The first process ends the others in a fast shutdown. Without it each is signaled, since one with a long statement
  // would not notice.
  const first = left.find((pid) => pid === postmasterPid(directory))
  const signals: NodeJS.Signals[] = first === undefined ? ['SIGQUIT', 'SIGKILL'] : ['SIGINT', 'SIGQUIT', 'SIGKILL']
  for (const signal of signals) {
    for (const pid of signal === 'SIGINT' ? left.filter((one) => one === first) : left) kill(pid, signal)
    for (const end = Date.now() + FAST_SHUTDOWN; left.length > 0 && Date.now() < end; left = processesIn(directory))
      await wait(POLL)
  }
  if (left.length > 0)
    throw new StartError(`Another PostgreSQL (process ${left.join(', ')}) works in ${directory} and cannot be stopped.`)
  // Files of the ended processes. A process id in them that another program has now would prevent the start.
  for (const name of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
    rmSync(join(directory, name), { force: true })
}

/** Signals a process of PostgreSQL and the command that it waits for, which are a process group. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended.
  }
}

/** Starts PostgreSQL. */
export function launch(place: Place, binaries: Binaries, settings: Record<string, string>, log: Log): Run {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // A session of its own: Ctrl-C on the terminal reaches the server, which ends its database last.
  const child = spawn(join(binaries.directory, 'bin', 'postgres'), ['-D', place.ownName, ...flags], {
    cwd: place.directory,
    ...place.account,
    env: environment(),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const watchdog = child.pid === undefined ? undefined : watch(child.pid, place.account)
  let lastFatal = ''
  let stopping = false
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (ROUTINE.test(line) || (stopping && ROUTINE_END.test(line))) return
      const grave = /^(FATAL|PANIC)/.test(line)
      if (grave) lastFatal = line
      if (grave) log.error(`PostgreSQL: ${line}`)
      else log.info(`PostgreSQL: ${line}`)
    })
  }
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    // The last lines may still be in the pipe, which other processes may hold open.
    child.once('exit', (code, signal) =>
      setTimeout(() => resolve(lastFatal || `ended by ${signal ?? `status ${code}`}`), POLL),
    )
  }).finally(() => watchdog?.kill('SIGKILL'))
  const stop = async () => {
    stopping = true
    child.kill('SIGINT')
    if (await within(gone, FAST_SHUTDOWN)) return
    child.kill('SIGQUIT')
    if (await within(gone, IMMEDIATE_SHUTDOWN)) return
    child.kill('SIGKILL')
    await gone
  }
  const ready = waitUntilReady(place.directory, child, gone, log).then(() => {
    // After a recovery, PostgreSQL applies archive_timeout only after a signal.
    if (settings.archive_mode !== undefined) child.kill('SIGHUP')
  })
  return { ready, gone, stop }
}

/** Starts a shell whose `read` ends when our end of the pipe is closed, which then stops PostgreSQL. */
function watch(pid: number, account: Account): ChildProcess {
  const script = 'read -r _; kill -INT "$1"'
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', String(pid)], {
    cwd: '/',
    ...account,
    env: environment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a watchdog the next start ends PostgreSQL.
  watchdog.on('error', () => undefined)
  watchdog.stdin?.on('error', () => undefined)
  return watchdog
}

async function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const late = new AbortController()
  const done = await Promise.race([
    promise.then(() => true),
    wait(milliseconds, false, { signal: late.signal }).catch(() => false),
  ])
  late.abort()
  return done
}

/** Waits until PostgreSQL writes "ready" into its pid file, after a recovery of any length. */
async function waitUntilReady(directory: string, child: ChildProcess, gone: Promise<string>, log: Log): Promise<void> {
  const file = join(directory, 'postmaster.pid')
  const end: { reason?: string } = {}
  void gone.then((reason) => {
    end.reason = reason
  })
  for (let waited = 0; end.reason === undefined; waited += POLL) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return
    if (waited > 0 && waited % 10_000 === 0) log.info('PostgreSQL is still recovering what the last run left.')
    await wait(POLL)
  }
  throw new StartError(`PostgreSQL did not start in ${directory}: ${sentenceFor(end.reason, directory) ?? end.reason}`)
}
