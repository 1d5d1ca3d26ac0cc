// A restore keeps a folder in the data directory until all restored data are in place. As long as the folder exists
// without a database, no server starts there.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { StartError } from './embedded/errors.ts'
import type { DB } from './schema.gen.ts'

/** Where the restored data are until they are complete. */
export const RESTORING = '.restoring'

/** Throws StartError where a restore was interrupted before its database was in place; else removes what it left. */
export function requireRestored(dataDir: string, hasDatabase: boolean): void {
  const folder = join(dataDir, RESTORING)
  if (!existsSync(folder)) return
  if (!hasDatabase)
    throw new StartError(`A restore into ${dataDir} was interrupted: run acc-admin restore again, which begins anew.`)
  rmSync(folder, { recursive: true, force: true })
}

/** Whether an outside database has tables: a restore fills it in one transaction, after its files are in place. */
export async function isFilled(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ isThere: boolean }>`select to_regclass('public.users') is not null as "isThere"`.execute(
    db,
  )
  return rows[0]?.isThere === true
}
