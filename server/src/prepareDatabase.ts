// Prepares the schema at a start: migrations, the tables of the job queue, the retention of the history, and the rights
// of the server's role. The owner's role does this, if there is one (docs/decisions/22-database.md).
import { type Kysely, sql } from 'kysely'
import { isRefused } from './db/constraints.ts'
import { StartError } from './db/embedded/errors.ts'
import { grantRights } from './db/grants.ts'
import { findPending, findUnknown, type MigrationResult, migrate } from './db/migrate.ts'
import type { Database } from './db/open.ts'
import { findRole } from './db/role.ts'
import type { DB } from './db/schema.gen.ts'
import type { Env } from './env.ts'
import { migrateJobs } from './jobs/jobs.ts'

type Log = { warn(fields: object, text: string): void }
type Settings = Pick<Env, 'logRetentionDays'>

const storeRetention = (owner: Kysely<DB>, { logRetentionDays: days }: Settings) =>
  owner
    .insertInto('historyRetention')
    .values({ id: 1, days })
    .onConflict((oc) => oc.column('id').doUpdateSet({ days }).where('historyRetention.days', '!=', days))
    .execute()

/** Migrates the schema with the rights of its owner; `role` then holds what the server needs. */
export async function migrateAsOwner(owner: Kysely<DB>, settings: Settings, role?: string): Promise<MigrationResult> {
  const migrated = await migrate(owner)
  // A newer version has given the rights.
  if (migrated.newer.length > 0) return migrated
  await migrateJobs(owner)
  await storeRetention(owner, settings)
  if (role !== undefined) await owner.transaction().execute((tx) => grantRights(tx, role))
  return migrated
}

const PLACE = sql<{
  place: string
}>`select concat(system_identifier, '/', current_database()) as place from pg_control_system()`
const placeOf = async (db: Kysely<DB>) => (await PLACE.execute(db)).rows[0]?.place

/** Returns whether a role is the connected one, or may become it. */
const isMember = async (owner: Kysely<DB>, role: string): Promise<boolean> =>
  (await sql<{ isMember: boolean }>`select pg_has_role(${role}, current_user, 'member') as "isMember"`.execute(owner))
    .rows[0]?.isMember !== false

/** Ends the start if the owner's address leads to another database, or the server's role has rights of the owner. */
async function migrateForServer(db: Database, owner: Database, settings: Settings): Promise<MigrationResult> {
  if ((await placeOf(owner.write)) !== (await placeOf(db.write)))
    throw new StartError('ACC_DATABASE_OWNER_URL leads to another database than ACC_DATABASE_URL.')
  const { name } = await findRole(db.write)
  const tooStrong = new StartError(
    `ACC_DATABASE_URL: the role ${name} may alter the tables, as their owner or through another role: give the server one of its own.`,
  )
  if (await isMember(owner.write, name)) throw tooStrong
  const migrated = await migrateAsOwner(owner.write, settings, name)
  if ((await findRole(db.write)).canAlter) throw tooStrong
  return migrated
}

/** Requires the schema of this version, since there is no owner to migrate it. */
async function requireMigrated(db: Database, settings: Settings, log: Log): Promise<MigrationResult> {
  const { name } = await findRole(db.write)
  const [pending] = await findPending(db.write).catch((error: unknown) => {
    if (isRefused(error)) return ['everything']
    throw error
  })
  if (pending !== undefined)
    throw new StartError(
      `The schema lacks ${pending}, and the role ${name} may not change it: run acc-admin migrate with ACC_DATABASE_OWNER_URL first.`,
    )
  const kept = await db.read.selectFrom('historyRetention').select('days').executeTakeFirst()
  if (kept !== undefined && kept.days > settings.logRetentionDays)
    log.warn(
      { days: kept.days },
      'the history is kept for longer than ACC_LOG_RETENTION_DAYS, as acc-admin migrate was run with',
    )
  return { applied: [], newer: await findUnknown(db.write) }
}

/** Prepares the schema, as `owner` if the operator named one. Throws StartError. */
export async function prepareDatabase(
  db: Database,
  owner: Database | undefined,
  settings: Settings,
  log: Log,
): Promise<MigrationResult> {
  if (owner !== undefined) return migrateForServer(db, owner, settings)
  const { name, canAlter } = await findRole(db.write)
  if (!canAlter) return requireMigrated(db, settings, log)
  log.warn(
    { role: name },
    'the database role of the server owns the history and can empty it: give it a role of its own',
  )
  return migrateAsOwner(db.write, settings)
}
