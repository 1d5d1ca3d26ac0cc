// A database of its own for each test file: a copy of the migrated one that test/globalSetup.ts made.
import { inject } from 'vitest'
import type { Connection } from '../src/db/open.ts'
import { createDatabase, dropDatabase, OWNER, TEMPLATE } from './postgres.ts'

export type TestDatabase = {
  connection: Connection
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>
}

let made = 0

/** A migrated database without rows but those that migrations make. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const postgres = inject('postgres')
  const name = `test_${process.env.VITEST_POOL_ID ?? 0}_${Date.now().toString(36)}_${made++}`
  await createDatabase(postgres, name, TEMPLATE)
  return { connection: { ...postgres, user: OWNER, database: name }, drop: () => dropDatabase(postgres, name) }
}
