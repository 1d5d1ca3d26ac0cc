// Applies the schema's migrations: plain SQL files in the order of their names. All missing ones run in one transaction
// with their record, so a start that fails or is killed leaves the schema unchanged.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { inTurns, PATIENCE } from './busyTables.ts'
import { StartError } from './embedded/errors.ts'
import { buildIndexes } from './indexes.ts'
import type { DB } from './schema.gen.ts'

const FOLDER = join(import.meta.dirname, 'migrations')

const BUSY =
  'The schema could not be upgraded, since others hold its tables: let CSV exports and backups end, or stop the other nodes. Nothing was changed.'

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return Object.fromEntries(
    files.map((name, i) => [
      name.replace(/\.sql$/, ''),
      // Kysely sends a statement without parameters unchanged, so a file may contain many.
      { up: async (db: Kysely<unknown>) => void (await sql.raw(`${PATIENCE};\n${texts[i] ?? ''}`).execute(db)) },
    ]),
  )
}

const migratorOf = (db: Kysely<DB>, folder: string) =>
  new Migrator({ db, provider: { getMigrations: () => readMigrations(folder) } })

/** The names of all migrations that this version knows, in order. */
export const findMigrations = async (folder = FOLDER): Promise<string[]> => Object.keys(await readMigrations(folder))

/** The names of the migrations that a database lacks. */
export async function findPending(db: Kysely<DB>): Promise<string[]> {
  const migrations = await migratorOf(db, FOLDER).getMigrations()
  return migrations.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

async function findExecuted(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{
    isThere: boolean
  }>`select to_regclass('kysely_migration') is not null as "isThere"`.execute(db)
  if (rows[0]?.isThere !== true) return []
  return (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  )
}

/** The migrations of newer versions that a database has. */
export async function findUnknown(db: Kysely<DB>): Promise<string[]> {
  const known = await findMigrations()
  return (await findExecuted(db)).filter((name) => !known.includes(name))
}

/** `0031_contracts0028_keys` removes what nothing has used since the version of 0028. */
const CONTRACTING = /^\d{4}_contracts(\d{4})_/
const numberOf = (name: string) => name.slice(0, 4)

/** The migration whose leftovers a migration removes, by its number; undefined for one that only expands. */
export const contractedBy = (name: string): string | undefined => CONTRACTING.exec(name)?.[1]

/**
 * The migrations of newer versions that a database has. Throws StartError if this version cannot serve on it: a newer
 * version removed something that this one uses, or the database is of other versions.
 */
export function findNewer(known: readonly string[], executed: readonly string[]): string[] {
  const newer = executed.filter((name) => !known.includes(name))
  const [unknown] = newer
  if (unknown === undefined) return []
  const missing = known.find((name) => !executed.includes(name))
  if (missing !== undefined)
    throw new StartError(
      `The database has ${unknown}, which this version does not know, and lacks ${missing}: it is of other versions.`,
    )
  const last = numberOf(known.at(-1) ?? '')
  const removing = newer.find((name) => (contractedBy(name) ?? '') > last)
  if (removing !== undefined)
    throw new StartError(
      `A newer version removed from the database what this one uses (${removing}): start that version, or restore a backup.`,
    )
  return newer
}

/** What a start did: the migrations that it applied, or those of newer versions that it found. */
export type MigrationResult = { applied: string[]; newer: string[] }

/**
 * Applies the missing migrations from `folder`, and then builds the missing indexes. Nodes that start at the same time
 * wait for each other (Kysely's lock). There is no time limit, since an index over ten million rows takes longer than
 * any other statement may. Waits in turns for a table that others hold. Throws StartError.
 */
export function migrate(db: Kysely<DB>, folder = FOLDER): Promise<MigrationResult> {
  return db.connection().execute(async (connection) => {
    const newer = findNewer(await findMigrations(folder), await findExecuted(connection))
    if (newer.length > 0) return { applied: [], newer }
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      const applied = await inTurns(BUSY, () => applyMissing(connection, folder))
      await buildIndexes(connection)
      return { applied, newer }
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

async function applyMissing(connection: Kysely<DB>, folder: string): Promise<string[]> {
  const { error, results } = await migratorOf(connection, folder).migrateToLatest()
  if (error !== undefined) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** Gives an empty database the schema as it was after a migration, within the caller's transaction. */
export async function migrateTo(tx: Transaction<DB>, name: string): Promise<void> {
  const { error } = await migratorOf(tx, FOLDER).migrateTo(name)
  if (error !== undefined) throw error
}
