// One PostgreSQL for a whole test run, with a migrated database that each test file gets a copy of (test/database.ts).
// It is the embedded one, started as the server starts it, without the waits for a disk that nobody will read again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { createDatabase, type PostgresOfTheRun, TEMPLATE } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresOfTheRun
  }
}

const FOR_TESTS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' }
const quiet = { info: () => undefined, error: (message: string) => console.error(message) }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'acc-test-'))
  const postgres = await startEmbedded({ dataDir, log: quiet, settings: FOR_TESTS })
  const tearDown = async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const { host, port } = postgres.connection
    await createDatabase({ host, port }, TEMPLATE, 'template0')
    const template = openDatabase({ ...postgres.connection, database: TEMPLATE }, { warn: () => undefined })
    await migrate(template.write).finally(template.close)
    project.provide('postgres', { host, port })
    return tearDown
  } catch (error) {
    await tearDown()
    throw error
  }
}
