// Which account the embedded PostgreSQL runs under, and where its data lie (docs/decisions/22-database.md).
// PostgreSQL refuses to run as root, so as root it gets an account of its own, which can reach nothing but its data.
import { execFileSync } from 'node:child_process'
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError, sentenceFor } from './errors.ts'

/** What child processes run under; empty for our own account. */
export type Account = { uid?: number; gid?: number }

export type Place = {
  /** `pg` below the data directory. */
  directory: string
  account: Account
  /** How PostgreSQL calls its data directory, which is where it is started. */
  ownName: string
}

// Debian and systemd leave 60578 to 61183 to nobody, and containers with their own users still map it.
const OWN_UID = 60918
// sockaddr_un holds 104 bytes on macOS and 108 on Linux, the closing zero among them.
const LONGEST_SOCKET_PATH = 103
export const SOCKET_PORT = 5432

/** Makes the data directory where it is missing, and makes sure that we may write there. */
export function openDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const place = `The data directory ${dataDir}`
    throw new StartError(sentenceFor(error, place) ?? `${place} cannot be made: ${String(error)}`)
  }
}

/** The place of the database below `dataDir`. The account of an earlier start is kept. */
export function choosePlace(dataDir: string): Place {
  const directory = join(dataDir, 'pg')
  const found = statSync(directory, { throwIfNoEntry: false })
  const we = process.getuid?.()
  if (we !== 0) {
    if (!found || found.uid === we) return { directory, account: {}, ownName: directory }
    throw new StartError(
      `${directory} belongs to another account (${found.uid}): start the server as that one, or as root.`,
    )
  }
  if (process.platform !== 'linux') {
    throw new StartError(
      'PostgreSQL refuses to run as root: start the server under another account, or set ACC_DATABASE_URL.',
    )
  }
  const account = found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : { uid: OWN_UID, gid: OWN_UID }
  if (found?.uid === 0) giveTo(directory, account)
  // The account may not enter what lies above (a home of mode 0700), and need not: the process is put into the
  // directory while it still is root, and the kernel's name for that leads there without passing the rest.
  return { directory, account, ownName: '/proc/self/cwd' }
}

/** initdb wants an account that the system has a name for. */
export function namedAccount(account: Account): Account {
  if (account.uid === undefined) return account
  const uid = /^nobody:[^:]*:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8'))
  if (!uid)
    throw new StartError(
      'There is no account "nobody", which the first start as root needs: start the server under another account.',
    )
  return { uid: Number(uid[1]), gid: Number(uid[2]) }
}

/** Gives a directory and all below it to the account. */
export function giveTo(directory: string, { uid, gid }: Account): void {
  if (uid === undefined || gid === undefined) return
  chownSync(directory, uid, gid)
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    lchownSync(join(entry.parentPath, entry.name), uid, gid)
  }
}

/** Moves a directory to its final name, so that no loss of power can take it back. */
export function moveForGood(from: string, to: string): void {
  renameSync(from, to)
  const parent = openSync(dirname(to), constants.O_RDONLY)
  fsyncSync(parent)
  closeSync(parent)
}

/** The directory of the socket as clients are to name it, which may be no longer than a socket's address. */
export function socketHost(directory: string): { host: string; close(): void } {
  if (Buffer.byteLength(`${directory}/.s.PGSQL.${SOCKET_PORT}`) <= LONGEST_SOCKET_PATH) {
    return { host: directory, close: () => undefined }
  }
  if (process.platform !== 'linux') {
    throw new StartError(`The path of ${directory} is too long for a socket: choose a shorter ACC_DATA_DIR.`)
  }
  const opened = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY)
  return { host: `/proc/${process.pid}/fd/${opened}`, close: () => closeSync(opened) }
}

/** Processes of PostgreSQL that work in this directory. */
export function processesIn(directory: string): number[] {
  if (process.platform !== 'linux') return postmasterByCommand(directory)
  const real = statSync(directory)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const cwd = statSync(`/proc/${pid}/cwd`)
        return (
          cwd.ino === real.ino && cwd.dev === real.dev && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n'
        )
      } catch {
        return false
      }
    })
    .map(Number)
}

/** The process that the directory's own pid file names. */
export function postmasterPid(directory: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(directory, 'postmaster.pid'), 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

function postmasterByCommand(directory: string): number[] {
  const pid = postmasterPid(directory)
  if (pid === undefined) return []
  try {
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(directory) ? [pid] : []
  } catch {
    return []
  }
}
