// The processes and the folder of a drill. Output goes to files; at the end every process is stopped by its ID.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Debian's account without rights, where the drill itself runs as root: PostgreSQL refuses root. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }
export const ACCOUNT: { uid?: number; gid?: number } = process.getuid?.() === 0 ? UNPRIVILEGED : {}

/** Makes that account the owner of a folder. */
export function chownToAccount(folder: string): void {
  if (process.getuid?.() === 0) chownSync(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
}

/** Returns the folders of the PATH, and those of Debian's HAProxy and newest PostgreSQL. */
function foldersOf(): string[] {
  const versions = '/usr/lib/postgresql'
  const postgres = existsSync(versions) ? readdirSync(versions).toSorted((a, b) => Number(b) - Number(a)) : []
  const onPath = (process.env.PATH ?? '').split(delimiter)
  return [...postgres.map((version) => join(versions, version, 'bin')), ...onPath, '/usr/sbin']
}
const PACKAGES: Record<string, string> = {
  haproxy: 'haproxy',
  patroni: 'patroni',
  etcd: 'etcd-server',
  pg_ctl: 'postgresql (15 or later)',
}

/** Finds programs, or ends the process with the names of the missing packages. */
export function findPrograms<T extends string>(...names: T[]): Record<T, string> {
  const found = names.map((name) => {
    const folder = foldersOf().find((one) => existsSync(join(one, name)))
    return [name, folder === undefined ? undefined : join(folder, name)] as const
  })
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => PACKAGES[name] ?? name)
  if (missing.length > 0) {
    console.error(`This drill needs Debian's packages, which are missing here: ${missing.join(', ')}`)
    process.exit(1)
  }
  return Object.fromEntries(found) as Record<T, string>
}

export type DrillProcess = { pid: number; name: string; kill(signal: NodeJS.Signals): Promise<void> }
export type Drill = {
  root: string
  /** Starts a program, whose output goes to NAME.log in the folder. */
  run(name: string, program: string, args: string[], options?: SpawnOptions): DrillProcess
  /** Adds work for the end. The last one added comes first; processes that were started later have ended then. */
  atEnd(work: () => Promise<void>): void
}

/** Waits until a condition is met; throws after so many seconds. */
export async function until(what: string, isMet: () => Promise<boolean>, seconds = 60): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!(await isMet().catch(() => false))) {
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${what}`)
    await wait(100)
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null
async function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Milliseconds that a process may take to end before it is killed. */
const PATIENCE = 20_000
async function stop(child: ChildProcess): Promise<void> {
  const late = wait(PATIENCE, 'late', { ref: false })
  if ((await Promise.race([endOf(child, 'SIGTERM'), late])) === 'late') await endOf(child, 'SIGKILL')
}

function printLogs(root: string): void {
  for (const file of readdirSync(root).filter((name) => name.endsWith('.log'))) {
    const lines = readFileSync(join(root, file), 'utf8').trimEnd().split('\n')
    console.error(`--- ${file}\n${lines.slice(-40).join('\n')}`)
  }
}

/** Runs a drill in a temporary folder, and removes everything afterwards. Sets the exit status if the work throws. */
export async function openDrill(work: (drill: Drill) => Promise<void>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'acc-drill-'))
  chownToAccount(root)
  const closers: (() => Promise<void>)[] = []
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`interrupted by ${signal}`)))
  })
  const run: Drill['run'] = (name, program, args, options = {}) => {
    const log = openSync(join(root, `${name}.log`), 'a')
    const child = spawn(program, args, { ...options, stdio: ['ignore', log, log] })
    closeSync(log)
    closers.push(() => stop(child))
    return { pid: child.pid ?? 0, name, kill: (signal) => endOf(child, signal) }
  }
  try {
    await Promise.race([work({ root, run, atEnd: (closer) => void closers.push(closer) }), interrupted])
  } catch (error) {
    printLogs(root)
    console.error(error)
    process.exitCode = 1
  } finally {
    for (const close of closers.reverse()) await close().catch((error: unknown) => console.error(error))
    rmSync(root, { recursive: true, force: true, maxRetries: 10 })
  }
}
