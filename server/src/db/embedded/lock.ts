// Allows one server for each data directory. Node's SQLite takes the kernel's lock on a file, which is atomic, ends
// with the process, and does not depend on process ids.
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DataDirInUse, StartError, sentenceFor } from './errors.ts'
import { holderText, readHolder } from './holder.ts'

const SQLITE_BUSY = 5

/** Locks the data directory for this process. The result unlocks it. Throws StartError. */
export function lockDataDir(dataDir: string, name = 'server'): () => void {
  const file = join(dataDir, `${name}.lock`)
  const pidFile = join(dataDir, `${name}.pid`)
  try {
    // On a read-only file, SQLite takes a shared lock.
    if (existsSync(file)) accessSync(file, constants.W_OK)
    const lock = new DatabaseSync(file)
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    writeFileSync(pidFile, holderText())
    return () => {
      rmSync(pidFile, { force: true })
      lock.close()
    }
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new DataDirInUse(`Another server${describeHolder(pidFile)} already uses the data directory ${dataDir}.`)
    }
    throw new StartError(sentenceFor(error, file) ?? `The data directory ${dataDir} cannot be locked: ${String(error)}`)
  }
}

/** Returns the holder of the lock, for the message. */
function describeHolder(pidFile: string): string {
  const holder = readHolder(pidFile)
  return holder === undefined ? '' : ` (process ${holder.pid})`
}
