// One server per data directory. The lock is the kernel's own lock on a file, taken through SQLite, which Node brings
// along: it is taken atomically, it ends with the process however that ends, and no reused process id can fake it.
import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DataDirInUse, StartError, sentenceFor } from './errors.ts'
import { holderText, readHolder } from './holder.ts'

const SQLITE_BUSY = 5

/** Takes the data directory for this process. The result gives it back. Throws StartError. */
export function lockDataDir(dataDir: string, name = 'server'): () => void {
  const file = join(dataDir, `${name}.lock`)
  const pidFile = join(dataDir, `${name}.pid`)
  try {
    // On a file that it may only read, SQLite takes a lock that many can hold.
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

/** Who holds the lock, for the message alone. */
function describeHolder(pidFile: string): string {
  const holder = readHolder(pidFile)
  return holder === undefined ? '' : ` (process ${holder.pid})`
}
