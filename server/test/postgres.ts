// A PostgreSQL for tests and tools: the embedded one, started as the server starts it, in a directory that is removed
// afterwards, and therefore without fsync.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { type Connection, openDatabase } from '../src/db/open.ts'
import { keepPartitions } from '../src/db/partitions.ts'
import { migrateAsOwner } from '../src/prepareDatabase.ts'
import { copyFolder } from './copyFolder.ts'

/** Where it listens. */
export type Postgres = { host: string; port: number }

/** The migrated template database that others are copied from. */
export const TEMPLATE = 'acc'
/** The role that owns the schema, and the one that the server works as. */
export const OWNER = 'acc'
export const SERVER = 'acc_server'

/** Retention of the history. */
const DAYS = 1095

const SETTINGS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
const FOR_ALL_FILES = { ...SETTINGS, max_connections: '200' }
const log = { info: () => undefined, error: (message: string) => console.error(message) }

/** Creates a data directory with a migrated database, as of a first start that ended before it was filled. */
async function createMigrated(dataDir: string): Promise<void> {
  const { owner, stop } = await startEmbedded({ dataDir, log, settings: SETTINGS })
  const database = openDatabase(owner, { warn: () => undefined })
  try {
    await migrateAsOwner(database.write, { logRetentionDays: DAYS }, SERVER)
    await keepPartitions(database, DAYS)
  } finally {
    await database.close()
    await stop()
  }
}

/** Starts it with a migrated template. `created` is a data directory with the same database, to be copied. */
export async function startPostgres(): Promise<{ postgres: Postgres; created: string; stop(): Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), 'acc-test-'))
  const [dataDir, created] = [join(root, 'data'), join(root, 'created')]
  const remove = () => rmSync(root, { recursive: true, force: true })
  try {
    await createMigrated(dataDir)
    copyFolder(dataDir, created)
    appendFileSync(join(created, 'pg', 'postgresql.conf'), 'fsync = off\n')
    const embedded = await startEmbedded({ dataDir, log, settings: FOR_ALL_FILES, isForTests: true })
    const stop = async () => {
      await embedded.stop()
      remove()
    }
    const { host, port } = embedded.connection
    return { postgres: { host, port }, created, stop }
  } catch (error) {
    remove()
    throw error
  }
}

/** Creates a copy of a database. */
export const createDatabase = (postgres: Postgres, name: string, template: string): Promise<void> =>
  asSuperuser(postgres, `CREATE DATABASE "${name}" OWNER ${OWNER} TEMPLATE ${template} STRATEGY file_copy`)

/** Drops a database, even if connections are open. */
export const dropDatabase = (postgres: Postgres, name: string): Promise<void> =>
  asSuperuser(postgres, `DROP DATABASE "${name}" WITH (FORCE)`)

/** Returns the address of a database, for ACC_DATABASE_URL. */
export function urlOf(connection: Connection): string {
  if ('connectionString' in connection) return connection.connectionString
  const { host, port, user, database: name } = connection
  return `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
}

async function asSuperuser(postgres: Postgres, statement: string): Promise<void> {
  const client = new pg.Client({ ...postgres, user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
