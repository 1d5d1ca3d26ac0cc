// No stored file is removed during a backup, since the backup's snapshot may still name it. The advisory lock belongs
// to the backup's own connection, so it ends with the backup in every case.
import { type Kysely, sql } from 'kysely'
import type { DB } from './schema.gen.ts'

/** The two numbers of the lock (PostgreSQL 18 manual, section 9.28.10). */
const LOCK = [4_276_035, 1] as const

/** For the backup's connection: takes the lock, or returns false while another backup has it. */
export const TRY_BACKUP_LOCK = `select pg_try_advisory_lock(${LOCK.join(', ')}) as "isTaken"`

/**
 * Whether a backup is running. Call this after the commit of the change that makes a file needless: a backup that
 * begins later does not see the file's row.
 */
export async function isBackupRunning(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ isRunning: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and granted and classid = ${LOCK[0]} and objid = ${LOCK[1]} and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
    ) as "isRunning"`.execute(db)
  return rows[0]?.isRunning === true
}
