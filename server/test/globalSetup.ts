// One PostgreSQL per test run, with a migrated database that each test file copies (test/database.ts).
import type { TestProject } from 'vitest/node'
import { type Postgres, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Postgres
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgres, stop } = await startPostgres()
  project.provide('postgres', postgres)
  return stop
}
