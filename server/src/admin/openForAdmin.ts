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

/** Commands report their result and their error only. */
export const SILENT = pino({ level: 'silent' })

type Place = Pick<Env, 'databaseUrl' | 'dataDir'> & Partial<Pick<Env, 'databaseOwnerUrl'>>
type Connections = { server: Connection; owner: Connection; stop(): Promise<void> }
type Work<T> = (db: Database) => Promise<T>

/** Runs work on the server's database. Rejects a database of another version. */
export const withDatabase = <T>(env: Place, work: Work<T>): Promise<T> => withRole(env, 'server', work)

/** Runs work like `withDatabase`, as the owner of an external database's schema if the operator named one. */
export const withDatabaseAsOwner = <T>(env: Place, work: Work<T>): Promise<T> => withRole(env, 'owner', work)

async function withRole<T>(env: Place, role: 'server' | 'owner', work: Work<T>): Promise<T> {
  const { stop, [role]: connection } = await connect(env)
  const db = openDatabase(connection, SILENT, 2)
  try {
    // A database that the server's role cannot read has another version.
    const isPending = await findPending(db.write).then(
      ({ length }) => length > 0,
      (error: unknown) => isRefused(error) || Promise.reject(error),
    )
    if (isPending)
      throw failure('The database is empty or of an older version: start this version of the server on it first.')
    // It may have secrets or rows that this version does not know.
    if ((await findUnknown(db.write)).length > 0)
      throw failure('The database is of a newer version: use acc-admin of that version.')
    return await work(db)
  } finally {
    await db.close()
    await stop()
  }
}

async function connect(env: Place): Promise<Connections> {
  const { databaseUrl, databaseOwnerUrl, dataDir } = env
  if (databaseUrl !== undefined)
    return {
      server: { connectionString: databaseUrl },
      owner: { connectionString: databaseOwnerUrl ?? databaseUrl },
      stop: () => Promise.resolve(),
    }
  // Starting would create a new database.
  if (!existsSync(join(dataDir, 'pg', 'PG_VERSION')))
    throw failure(`${dataDir} holds no database: set ACC_DATA_DIR or ACC_DATABASE_URL as for the server.`)
  const { connection: server, owner, stop } = await attachEmbedded({ dataDir })
  return { server, owner, stop }
}
