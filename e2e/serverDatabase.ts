// The database of a server, for what calls cannot arrange during a test.

import { choosePlace, SOCKET_PORT, socketHost } from '../server/src/db/embedded/place.ts'
import { type Connection, type Database, openDatabase } from '../server/src/db/open.ts'
import { openJobs } from '../server/src/jobs/jobs.ts'
import type { AccServer } from './accServer.ts'

const log = { warn: () => undefined, error: () => undefined }

/** Opens the database of the server for as long as the work takes. */
export async function withDatabase<T>(
  { dataDir }: Pick<AccServer, 'dataDir'>,
  work: (db: Database, connection: Connection) => Promise<T>,
): Promise<T> {
  const { host, close } = socketHost(choosePlace(dataDir).directory)
  const connection = { host, port: SOCKET_PORT, user: 'acc', database: 'acc' }
  const db = openDatabase(connection, log, 1)
  try {
    return await work(db, connection)
  } finally {
    await db.close()
    close()
  }
}

/** Has the server run one of its scheduled jobs now instead of at the next full minute. */
export const runJob = (server: AccServer, name: string): Promise<void> =>
  withDatabase(server, async (db, connection) => {
    const jobs = await openJobs({ connection, db, log })
    await db.write.transaction().execute((tx) => jobs.enqueue(tx, name, {}))
    await jobs.stop()
  })
