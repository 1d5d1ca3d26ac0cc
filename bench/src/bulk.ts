// Fills a database quickly: with settings for one large load, and with indexes that are built after the rows.
import { startEmbedded } from '@acc/server/src/db/embedded/embedded.ts'
import { type Database, openDatabase } from '@acc/server/src/db/open.ts'
import { type RawBuilder, sql } from 'kysely'

/** Without WAL and flushing: after a crash, the database is filled again. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '16GB',
  shared_buffers: '1GB',
  maintenance_work_mem: '768MB',
  autovacuum: 'off',
}

/** Runs work on the database of a stopped server. */
export async function withBulkDatabase(dataDir: string, work: (db: Database) => Promise<void>): Promise<void> {
  const log = { info: () => undefined, error: (message: string) => console.error(message) }
  const embedded = await startEmbedded({ dataDir, log, settings: SETTINGS })
  const db = openDatabase(embedded.owner, { warn: () => undefined }, 4)
  try {
    await work(db)
  } finally {
    await db.close()
    await embedded.stop()
  }
}

/** Runs statements on one connection, without the product's time limit of a statement. */
export const execAll = (db: Database, statements: RawBuilder<unknown>[]): Promise<void> =>
  db.write.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    for (const statement of statements) await statement.execute(connection)
  })

type DroppedIndex = { drop: string; create: string }

/** Finds indexes and foreign keys of a table, without its primary key. */
async function findDroppable(db: Database, table: string): Promise<DroppedIndex[]> {
  const { rows } = await sql<DroppedIndex>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where conrelid = ${sql.lit(`"${table}"`)}::regclass and contype = 'f'
    union all
    -- Of a partitioned table, the definition names the table alone.
    select format('drop index %s', indexrelid::regclass), replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
    from pg_index i where indrelid = ${sql.lit(`"${table}"`)}::regclass
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`.execute(db.write)
  return rows
}

/** Fills a table before its indexes and foreign keys are made. */
export async function fillBare(db: Database, table: string, fill: RawBuilder<unknown>): Promise<void> {
  const dropped = await findDroppable(db, table)
  await execAll(db, [
    ...dropped.map(({ drop }) => sql.raw(drop)),
    fill,
    ...dropped.map(({ create }) => sql.raw(create)),
  ])
}
