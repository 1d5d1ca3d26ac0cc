// The database and the files of a version that landed before, as text: made by `npm run drill -- upgrade write`, loaded
// into an empty database with the schema as it was then.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { inTransaction } from '../../src/backup/load.ts'
import { findPartitions, findSequences, findTables, openClient } from '../../src/backup/tables.ts'
import { migrateTo } from '../../src/db/migrate.ts'
import type { Connection } from '../../src/db/open.ts'
import LANDED from './landed.json' with { type: 'json' }

export type LandedVersion = (typeof LANDED)[number]
export { LANDED }

/** The server's secret key. */
export const KEY = Buffer.alloc(32, 7).toString('base64')
/** Of the administrator and of each of the people. */
export const PASSWORD = 'Bench!mark-73'
export const PEOPLE = ['upgrade.one', 'upgrade.two', 'upgrade.three']
/** What was exported: one request was approved, one waits. */
export const EXPORTED = 'What was exported before the upgrade.\n'.repeat(40)

type Table = { name: string; columns: string[]; rows: (string | null)[][] }
export type Fixture = {
  tables: Table[]
  partitions: { table: string; month: string }[]
  sequences: { name: string; value: string; isCalled: boolean }[]
  /** Stored files by their path, in base64. */
  files: Record<string, string>
}

const fileOf = ({ migration }: LandedVersion) =>
  join(import.meta.dirname, 'fixtures', `${migration.slice(0, 4)}.json.gz`)

export const hasFixture = (landed: LandedVersion): boolean => existsSync(fileOf(landed))

export const readFixture = async (landed: LandedVersion): Promise<Fixture> =>
  JSON.parse((await promisify(gunzip)(await readFile(fileOf(landed)))).toString())

export async function writeFixture(landed: LandedVersion, fixture: Fixture): Promise<number> {
  const bytes = await promisify(gzip)(JSON.stringify(fixture), { level: 9 })
  await mkdir(dirname(fileOf(landed)), { recursive: true })
  await writeFile(fileOf(landed), bytes)
  return bytes.length
}

const columnsOf = (columns: readonly string[]) => columns.map((column) => pg.escapeIdentifier(column))

/** The rows of a table as texts, in an order of their own. */
export async function readRows(client: pg.Client, name: string, columns: readonly string[]): Promise<Table['rows']> {
  const texts = columnsOf(columns).map((column) => `${column}::text`)
  const table = pg.escapeIdentifier(name)
  const { rows } = await client.query<(string | null)[]>({
    text: `select ${texts.join(', ')} from ${table} order by ${columns.map((_, i) => i + 1).join(', ')}`,
    rowMode: 'array',
  })
  return rows
}

/** Reads a whole database. */
export async function dumpDatabase(connection: Connection): Promise<Omit<Fixture, 'files'>> {
  const client = await openClient(connection)
  try {
    const tables: Table[] = []
    for (const { name, columns } of await findTables(client))
      tables.push({ name, columns, rows: await readRows(client, name, columns) })
    return { tables, partitions: await findPartitions(client), sequences: await findSequences(client) }
  } finally {
    await client.end()
  }
}

/** Rows in one statement. */
const CHUNK = 100

async function load(client: pg.Client, { name, columns, rows }: Table): Promise<void> {
  for (let from = 0; from < rows.length; from += CHUNK) {
    const some = rows.slice(from, from + CHUNK)
    const values = some.map((row, i) => `(${row.map((_, k) => `$${i * columns.length + k + 1}`).join(', ')})`)
    const into = `${pg.escapeIdentifier(name)} (${columnsOf(columns).join(', ')})`
    await client.query(`insert into ${into} overriding system value values ${values.join(', ')}`, some.flat())
  }
}

/** Creates the schema of a version in an empty database and loads its rows in any order, as a superuser. */
export async function loadFixture(
  connection: Connection,
  owner: string,
  landed: LandedVersion,
  fixture: Fixture,
): Promise<void> {
  await inTransaction(connection, async ({ client, tx }) => {
    await sql`set local role ${sql.id(owner)}`.execute(tx)
    await migrateTo(tx, landed.migration)
    for (const { table, month } of fixture.partitions)
      await sql`select "makePartitions"(${table}, ${month}::date, 1)`.execute(tx)
    await sql`set local role none`.execute(tx)
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const table of fixture.tables) await load(client, table)
    for (const { name, value, isCalled } of fixture.sequences)
      await client.query('select setval($1::regclass, $2::bigint, $3)', [pg.escapeIdentifier(name), value, isCalled])
  })
}
