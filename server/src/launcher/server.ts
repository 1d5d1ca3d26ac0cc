// The server of an unpacked version as a process of its own: locks the data directory, also with an external database,
// and reports to a waiting parent process that it is ready.

import { StartError } from '../db/embedded/errors.ts'
import { lockDataDir } from '../db/embedded/lock.ts'
import { openDataDir } from '../db/embedded/place.ts'
import { NAME } from './running.ts'

process.umask(0o077)
try {
  const dataDir = process.env.ACC_DATA_DIR ?? ''
  openDataDir(dataDir)
  process.on('exit', lockDataDir(dataDir, NAME))
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stderr.write(`acc: ${error.message}\n`)
  process.exit(1)
}
await import('../main.ts')
if (process.connected) {
  process.send?.('ready')
  process.disconnect()
}
