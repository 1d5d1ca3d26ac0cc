// Starts the server in the background and waits until it is ready or has ended.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDataDir } from '../db/embedded/place.ts'
import { SERVER_VERSION } from '../version.ts'
import { findHolder, findRunningVersion } from './running.ts'
import { Status } from './statuses.ts'

/** Bytes of a log that a start replaces. */
const LARGE_LOG = 16 * 1024 * 1024
const BAD_SETTING = 78

export const logFile = (dataDir: string): string => join(dataDir, 'acc.log')

/** Starts `command` on the data directory. Throws StartError if that cannot be used. */
export async function start(home: string, dataDir: string, command: readonly string[]): Promise<number> {
  openDataDir(dataDir)
  const holder = findHolder(dataDir)
  if (holder?.isAlive) {
    return reportRunning(holder.pid)
  }
  const log = logFile(dataDir)
  const begin = truncateLog(log)
  const output = openSync(log, 'a', 0o600)
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: dirname(home),
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  })
  closeSync(output)
  const status = await waitForStart(child)
  const lines = linesOf(readFileSync(log).subarray(begin).toString())
  if (status === undefined) {
    console.log(lines)
    child.unref()
    return Status.OK
  }
  console.error(lines.trim() || `acc: the server ended: see ${log}`)
  return status === BAD_SETTING ? Status.NOT_CONFIGURED : Status.FAILED
}

/** Rejects a running server of another version. */
async function reportRunning(pid: number): Promise<number> {
  const version = await findRunningVersion()
  if (version === undefined || version === SERVER_VERSION) {
    console.log(`ACC runs already (process ${pid}).`)
    return Status.OK
  }
  console.error(
    `acc: ACC ${version} runs on this data directory (process ${pid}). Stop it before you start ${SERVER_VERSION}.`,
  )
  return Status.FAILED
}

/** Renames a large log, which replaces the previous one. Returns where the log continues. */
function truncateLog(log: string): number {
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if (size <= LARGE_LOG) return size
  renameSync(log, `${log}.1`)
  return 0
}

/** Waits until the server is ready or has ended. Returns its exit status if it has. */
async function waitForStart(child: ChildProcess): Promise<number | undefined> {
  const ended = once(child, 'exit').then(([status]): number => (typeof status === 'number' ? status : 1))
  return Promise.race([once(child, 'message').then(() => undefined), ended])
}

/** Returns the lines of the log that are not JSON, which are meant for people. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n')
    .trimEnd()
