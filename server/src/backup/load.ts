// Loads the tables of a backup into an empty database in one transaction: the schema, the rows in the order of their
// references, and then the indexes, which are built faster over existing rows.

import { join } from 'node:path'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { migrateTo } from '../db/migrate.ts'
import type { Connection } from '../db/open.ts'
import type { DB } from '../db/schema.gen.ts'
import { BackupError } from './errors.ts'
import type { Backup } from './read.ts'
import { damaged } from './sealedStream.ts'
import { openClient, readTable } from './tables.ts'

export type Target = { client: pg.Client; tx: Transaction<DB> }

/** Runs work in one transaction on a connection of its own, for statements and for COPY. */
export async function inTransaction<T>(connection: Connection, work: (target: Target) => Promise<T>): Promise<T> {
  const client = await openClient(connection)
  const single = Object.assign(client, { release: () => undefined })
  const pool = { connect: () => Promise.resolve(single), end: () => Promise.resolve(), options: {} }
  try {
    const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
    return await db.transaction().execute((tx) => work({ client, tx }))
  } finally {
    await client.end()
  }
}

const HOLDS_ANYTHING = `
  select exists (
    select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  ) or to_regnamespace('jobs') is not null as "isFilled"`

/** Rejects a database that holds anything. */
export async function requireEmptyDatabase({ client }: Pick<Target, 'client'>): Promise<void> {
  const { rows } = await client.query<{ isFilled: boolean }>(HOLDS_ANYTHING)
  if (rows[0]?.isFilled !== false)
    throw new BackupError('The database is not empty: restore into an empty database only. Nothing was changed.')
}

/** Finds each table that another one refers to. */
const REFERENCES = `
  select c.relname as name, f.relname as target from pg_constraint k
  join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
  where k.contype = 'f' and k.conrelid <> k.confrelid and c.relnamespace = 'public'::regnamespace`

/** Sorts the tables, each after those that it refers to. */
async function sortByReferences<T extends { name: string }>(client: pg.Client, tables: readonly T[]): Promise<T[]> {
  const { rows } = await client.query<{ name: string; target: string }>(REFERENCES)
  const ordered: T[] = []
  let rest = [...tables]
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name))
    const isReady = ({ name }: T) => !rows.some((row) => row.name === name && waiting.has(row.target))
    const ready = rest.filter(isReady)
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${[...waiting].join(', ')}`)
    ordered.push(...ready)
    rest = rest.filter((table) => !isReady(table))
  }
  return ordered
}

/** Finds indexes without a constraint. Those of partitions belong to the index of their table. */
const INDEXES = `
  select quote_ident(c.relname) as name, pg_get_indexdef(c.oid) as definition from pg_index i
  join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace and not c.relispartition and not i.indisunique
  order by c.relname collate "C"`

/** Loads all tables. Throws BackupError for a part that was altered. */
export async function loadBackup({ client, tx }: Target, { folder, manifest, key }: Backup): Promise<void> {
  const { id, migrations, partitions, sequences, tables } = manifest
  await migrateTo(tx, migrations.at(-1) ?? '')
  for (const { table, month } of partitions) await sql`select "makePartitions"(${table}, ${month}::date, 1)`.execute(tx)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (const table of await sortByReferences(client, tables)) {
    const path = join(folder, 'tables', table.name)
    const { rows, content } = await readTable(client, table, { path, id, key })
    if (rows !== table.rows || content !== table.content) throw damaged(path)
  }
  // PostgreSQL writes the index of a partitioned table without its partitions.
  for (const { definition } of indexes) await client.query(definition.replace(' ON ONLY ', ' ON '))
  for (const { name, value, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [pg.escapeIdentifier(name), value, isCalled])
  await client.query('analyze')
}
