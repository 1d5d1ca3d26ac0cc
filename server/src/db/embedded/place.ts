// The account and the folder of the embedded PostgreSQL (docs/decisions/22-database.md). PostgreSQL refuses to run as
// root, so a server of root gives it an account that can access its data only.
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

/** The account of child processes; empty for our own. */
export type Account = { uid?: number; gid?: number }

export type Place = {
  /** `pg` below the data directory. */
  directory: string
  account: Account
  /** PostgreSQL's name of its data directory, in which it is started. */
  ownName: string
}

// Debian and systemd do not assign 60578 to 61183, and containers with their own users map it.
const OWN_UID = 60918
// sockaddr_un has 104 bytes on macOS and 108 on Linux, with the closing zero.
const LONGEST_SOCKET_PATH = 103
export const SOCKET_PORT = 5432

/** Creates the data directory if it is missing. Rejects one that we cannot write to. */
export function openDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const place = `The data directory ${dataDir}`
    throw new StartError(sentenceFor(error, place) ?? `${place} cannot be made: ${String(error)}`)
  }
}

/** Returns the place of the database below `dataDir`. Keeps the account of an earlier start. */
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
  if (found?.uid === 0) changeOwner(directory, account)
  // The account may have no access to the folders above. The process enters the directory as root, and this name of the
  // kernel leads there directly.
  return { directory, account, ownName: '/proc/self/cwd' }
}

/** Returns an account with a name, which initdb requires. */
export function findNamedAccount(account: Account): Account {
  if (account.uid === undefined) return account
  const uid = /^nobody:[^:]*:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8'))
  if (!uid)
    throw new StartError(
      'There is no account "nobody", which the first start as root needs: start the server under another account.',
    )
  return { uid: Number(uid[1]), gid: Number(uid[2]) }
}

/** Makes the account the owner of a directory and everything below it. */
export function changeOwner(directory: string, { uid, gid }: Account): void {
  if (uid === undefined || gid === undefined) return
  chownSync(directory, uid, gid)
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    lchownSync(join(entry.parentPath, entry.name), uid, gid)
  }
}

/** Moves a directory to its final name durably. */
export function moveDurably(from: string, to: string): void {
  renameSync(from, to)
  const parent = openSync(dirname(to), constants.O_RDONLY)
  fsyncSync(parent)
  closeSync(parent)
}

/** Returns a name of the socket's directory that is short enough for a socket's address. */
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

/** Finds the processes of PostgreSQL that work in this directory. */
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

/** Reads the process of the directory's own pid file. */
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
