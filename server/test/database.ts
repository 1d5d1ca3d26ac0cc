// A database of its own for each test file: a copy of the migrated one that test/globalSetup.ts made.
import pg from 'pg'
import { inject } from 'vitest'
import type { Connection } from '../src/db/open.ts'

/** Where the test run's PostgreSQL listens. */
export type PostgresOfTheRun = { host: string; port: number }

export type TestDatabase = {
  connection: Connection
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>
}

export const TEMPLATE = 'template_acc'

let made = 0

/** A migrated database without rows but those that migrations make. */
export const createTestDatabase = (): Promise<TestDatabase> => create(TEMPLATE)

/** A database without a schema, for tests of the migrations. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('template0')

async function create(template: string): Promise<TestDatabase> {
  const postgres = inject('postgres')
  const name = `test_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${made++}_${Date.now().toString(36)}`
  await createDatabase(postgres, name, template)
  return {
    connection: { ...postgres, user: 'acc', database: name },
    drop: () => asSuperuser(postgres, `DROP DATABASE "${name}" WITH (FORCE)`),
  }
}

/** Makes a database that the server's own account owns, as a copy of another. */
export const createDatabase = (postgres: PostgresOfTheRun, name: string, template: string): Promise<void> =>
  asSuperuser(postgres, `CREATE DATABASE "${name}" OWNER acc TEMPLATE ${template} STRATEGY file_copy`)

async function asSuperuser(postgres: PostgresOfTheRun, statement: string): Promise<void> {
  const client = new pg.Client({ ...postgres, user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
