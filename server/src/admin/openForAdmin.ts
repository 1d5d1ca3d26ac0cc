// The database of a server for a command of the operator: the outside one, or the embedded one, whether a server has it
// running or not.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { isRefused } from '../db/constraints.ts'
import { attachEmbedded } from '../db/embedded/embedded.ts'
import { findPending, findUnknown } from '../db/migrate.ts'
import { type Connection, type Database, openDatabase } from '../db/open.ts'
import type { Env } from '../env.ts'
import { failure } from './commandLine.ts'

/** Commands report by their result and their error alone. */
export const SILENT = pino({ level: 'silent' })

type Place = Pick<Env, 'databaseUrl' | 'dataDir'>

/** Runs work on the server's database. Refuses one that this version of the server has not started on, or a newer one has. */
export async function withDatabase<T>(env: Place, work: (db: Database) => Promise<T>): Promise<T> {
  const { connection, stop } = await connect(env)
  const db = openDatabase(connection, SILENT, 2)
  try {
    // What the server's role may not read, no server of this version has started on.
    const isPending = await findPending(db.write).then(
      ({ length }) => length > 0,
      (error: unknown) => isRefused(error) || Promise.reject(error),
    )
    if (isPending)
      throw failure('The database is empty or of an older version: start this version of the server on it first.')
    // It may hold secrets, or rows, that this version would leave out.
    if ((await findUnknown(db.write)).length > 0)
      throw failure('The database is of a newer version: use acc-admin of that version.')
    return await work(db)
  } finally {
    await db.close()
    await stop()
  }
}

async function connect(env: Place): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const { databaseUrl, dataDir } = env
  if (databaseUrl !== undefined) return { connection: { connectionString: databaseUrl }, stop: () => Promise.resolve() }
  // Starting it would make a new one.
  if (!existsSync(join(dataDir, 'pg', 'PG_VERSION')))
    throw failure(`${dataDir} holds no database: set ACC_DATA_DIR or ACC_DATABASE_URL as for the server.`)
  return attachEmbedded({ dataDir, log: { info: () => undefined, error: () => undefined } })
}
