// A separate database for each test file: a copy of the migrated one that test/globalSetup.ts creates.
import { inject } from 'vitest'
import type { Connection } from '../src/db/open.ts'
import { createDatabase, dropDatabase, OWNER, TEMPLATE } from './postgres.ts'

export type TestDatabase = {
  connection: Connection
  /** Drops it, even if connections are open. */
  drop(): Promise<void>
}

let made = 0

/** Creates a migrated database with only the rows that migrations insert. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const postgres = inject('postgres')
  const name = `test_${process.env.VITEST_POOL_ID ?? 0}_${Date.now().toString(36)}_${made++}`
  await createDatabase(postgres, name, TEMPLATE)
  return { connection: { ...postgres, user: OWNER, database: name }, drop: () => dropDatabase(postgres, name) }
}
