// One server per data directory. The lock is the kernel's own lock on a file, taken through SQLite, which Node brings
// along: it is taken atomically, it ends with the process however that ends, and no reused process id can fake it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './embedded.errors.ts'

const SQLITE_BUSY = 5

/** Takes the data directory for this process. The answer gives it back. */
export function lockDataDir(dataDir: string): () => void {
  const pidFile = join(dataDir, 'server.pid')
  const lock = new DatabaseSync(join(dataDir, 'server.lock'))
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new StartError(`Another server${holder(pidFile)} already uses the data directory ${dataDir}.`)
    }
    throw error
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return () => {
    if (lock.isOpen) lock.close()
  }
}

/** Who holds the lock, for the message alone: nothing is decided by what this file says. */
function holder(pidFile: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(pidFile, 'utf8'), 10)})`
  } catch {
    return ''
  }
}
