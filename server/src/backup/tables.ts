// The tables of the database as COPY writes and reads them, all of them in one snapshot, at constant memory.
import { hash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Connection } from '../db/open.ts'
import type { BackupKey } from './key.ts'
import type { Manifest, TableEntry } from './manifest.ts'
import { readPart, writePart } from './sealedStream.ts'

/** Makes COPY write equal rows on every server, and without a time limit for large tables. */
const OPTIONS =
  '-c timezone=UTC -c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex -c extra_float_digits=1 -c statement_timeout=0 -c idle_in_transaction_session_timeout=0'

export async function openClient(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, keepAlive: true, application_name: 'acc backup', options: OPTIONS })
  // A lost connection rejects the running statement; without a listener it would also end the process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Lists the product's tables, without their partitions and Kysely's record of migrations. */
const TABLES = `
  select c.relname as name, c.relkind = 'p' as "isPartitioned",
    array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname !~ '^kysely_migration'
  group by c.oid order by c.relname collate "C"`

const PARTITIONS = `
  select p.relname as table, to_char(to_date(right(c.relname, 6), 'YYYYMM'), 'YYYY-MM-DD') as month
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.relnamespace = 'public'::regnamespace and p.relkind = 'p' and c.relkind = 'r' and c.relname ~ '_\\d{6}$'
  order by 1, 2`

const SEQUENCES = `
  select c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by c.relname collate "C"`

export type Table = { name: string; columns: string[] }

export const findTables = async (client: pg.Client): Promise<Table[]> =>
  (await client.query<Table>(TABLES)).rows.map(({ name, columns }) => ({ name, columns }))

export const findPartitions = async (client: pg.Client): Promise<Manifest['partitions']> =>
  (await client.query<Manifest['partitions'][number]>(PARTITIONS)).rows

/** Reads the sequences: at or above every number in the snapshot. */
export async function findSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string }>(SEQUENCES)
  const found: Manifest['sequences'] = []
  for (const { name } of rows) {
    const { rows: state } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${pg.escapeIdentifier(name)}`,
    )
    for (const { value, isCalled } of state) found.push({ name, value, isCalled })
  }
  return found
}

export type Tally = { rows: number; content: string }

/**
 * Counts rows and sums their hashes. The sum does not depend on the order of rows, which PostgreSQL may choose.
 */
function tallying(): { stream: Transform; tally(): Tally } {
  let rows = 0
  let sum = 0n
  let rest: Buffer = Buffer.alloc(0)
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        sum += hash('sha256', bytes.subarray(start, end), 'buffer').readBigUInt64BE()
        rows++
        start = end + 1
      }
      sum = BigInt.asUintN(64, sum)
      rest = bytes.subarray(start)
      done(null, chunk)
    },
  })
  return { stream, tally: () => ({ rows, content: sum.toString(16).padStart(16, '0') }) }
}

const columnsOf = (columns: readonly string[]) => columns.map((column) => pg.escapeIdentifier(column)).join(', ')

/** Reads the rows of a table with COPY. */
const rowsOf = (client: pg.Client, { name, columns }: Table): Readable =>
  client.query(copyTo(`copy (select ${columnsOf(columns)} from ${pg.escapeIdentifier(name)}) to stdout`))

/** The fastest level: rows of a history compress well at any. */
const LEVEL = 1

/** Writes a table's rows into a part of the backup. */
export async function writeTable(
  client: pg.Client,
  table: Table,
  part: { path: string; id: string; key: BackupKey },
): Promise<TableEntry> {
  const { stream, tally } = tallying()
  let size = 0
  await pipeline(rowsOf(client, table), stream, createGzip({ level: LEVEL }), async (source: AsyncIterable<Buffer>) => {
    size = await writePart(part.path, part.key.forPart(part.id, `tables/${table.name}`), source)
  })
  return { ...table, ...tally(), size }
}

/** Reads a part of the backup into a table. */
export async function readTable(
  client: pg.Client,
  { name, columns, size }: TableEntry,
  part: { path: string; id: string; key: BackupKey },
): Promise<Tally> {
  const { stream, tally } = tallying()
  await pipeline(
    readPart(part.path, part.key.forPart(part.id, `tables/${name}`), size),
    createGunzip(),
    stream,
    client.query(copyFrom(`copy ${pg.escapeIdentifier(name)} (${columnsOf(columns)}) from stdin`)),
  )
  return tally()
}

/** Counts the rows of a table. */
export async function tallyTable(client: pg.Client, table: Table): Promise<Tally> {
  const { stream, tally } = tallying()
  await pipeline(rowsOf(client, table), stream.resume())
  return tally()
}
