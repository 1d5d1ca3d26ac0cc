// A separate database for each test file: a copy of the migrated one that test/globalSetup.ts creates.
import { inject } from 'vitest'
import type { Connection } from '../src/db/open.ts'
import { createDatabase, dropDatabase, OWNER, SERVER, TEMPLATE } from './postgres.ts'

export type TestDatabase = {
  /** As the server connects: what its role may not do fails in tests as well. */
  connection: Connection
  /** As the role that owns the schema. */
  owner: Connection
  /** Drops it, even if connections are open. */
  drop(): Promise<void>
}

let made = 0

/** Creates a migrated database with only the rows that migrations insert, or one that is empty. */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const postgres = inject('postgres')
  const name = `test_${process.env.VITEST_POOL_ID ?? 0}_${Date.now().toString(36)}_${made++}`
  await createDatabase(postgres, name, isEmpty ? 'template0' : TEMPLATE)
  const connectionOf = (user: string) => ({ ...postgres, user, database: name })
  return { connection: connectionOf(SERVER), owner: connectionOf(OWNER), drop: () => dropDatabase(postgres, name) }
}
