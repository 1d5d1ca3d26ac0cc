// One PostgreSQL per test run, with a migrated database that each test file copies (test/database.ts).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Postgres, startPostgres } from './postgres.ts'
import { BUNDLED } from './process.ts'
import { bundlePrograms } from './programs.ts'
import { requireThrownErrors } from './thrownErrors.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: Postgres
    /** A data directory with a migrated database (test/dataDir.ts). */
    created: string
    /** The file that receives the errors of all calls. */
    thrownErrors: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { postgres, created, stop } = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'acc-test-'))
  const thrownErrors = join(folder, 'thrownErrors')
  writeFileSync(thrownErrors, '')
  project.provide('postgres', postgres)
  project.provide('created', created)
  project.provide('thrownErrors', thrownErrors)
  if (project.name === 'process') {
    const programs = join(folder, 'programs')
    await bundlePrograms(programs)
    // Workers inherit it.
    process.env[BUNDLED] = programs
  }
  return async () => {
    await stop()
    try {
      if (project.name === 'api') await requireThrownErrors(project, thrownErrors)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
