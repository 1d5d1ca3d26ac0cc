// Applies the schema's migrations: plain SQL files in the order of their names, each in one transaction with its record.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { DB } from './schema.gen.ts'

const FOLDER = join(import.meta.dirname, 'migrations')

async function getMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  const texts = await Promise.all(files.map((name) => readFile(join(FOLDER, name), 'utf8')))
  return Object.fromEntries(
    files.map((name, i) => [
      name.replace(/\.sql$/, ''),
      // Kysely sends a statement without parameters unchanged, so a file may contain many.
      { up: async (db: Kysely<unknown>) => void (await sql.raw(texts[i] ?? '').execute(db)) },
    ]),
  )
}

/** The names of all migrations that this version knows, in order. */
export const findMigrations = async (): Promise<string[]> => Object.keys(await getMigrations())

/** The names of the migrations that a database lacks. */
export async function findPending(db: Kysely<DB>): Promise<string[]> {
  const migrations = await new Migrator({ db, provider: { getMigrations } }).getMigrations()
  return migrations.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

/**
 * Applies the missing migrations and returns their names. Nodes that start at the same time wait for each other (Kysely's lock).
 * No time limit: an index over ten million rows takes longer than any other statement may.
 */
export function migrate(db: Kysely<DB>): Promise<string[]> {
  return db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      const migrator = new Migrator({ db: connection, provider: { getMigrations } })
      const { error, results } = await migrator.migrateToLatest()
      if (error !== undefined) throw error
      return (results ?? []).map((result) => result.migrationName)
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

/** Gives an empty database the schema as it was after a migration, within the caller's transaction. */
export async function migrateTo(tx: Transaction<DB>, name: string): Promise<void> {
  const { error } = await new Migrator({ db: tx, provider: { getMigrations } }).migrateTo(name)
  if (error !== undefined) throw error
}
