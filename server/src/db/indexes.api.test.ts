// Indexes over tables that have rows: built while others write, killed in the middle, built by two starts at once.
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { buildIndexes, type Index } from './indexes.ts'
import { openDatabase } from './open.ts'
import type { DB } from './schema.gen.ts'

const database = await createTestDatabase()
const one = openDatabase(database.owner, { warn: () => undefined }, 1)
const other = openDatabase(database.owner, { warn: () => undefined }, 1)
const writer = new pg.Client(database.owner)
await writer.connect()
afterAll(async () => {
  await writer.end()
  await Promise.all([one.close(), other.close()])
  await database.drop()
})

/** Builds as a start does, on one connection. */
const build = (db: Kysely<DB>, index: Index) =>
  db.connection().execute((connection) => buildIndexes(connection, [index]))

async function rowsOf<T extends object>(statement: string): Promise<T[]> {
  return (await writer.query<T>(statement)).rows
}
/** The indexes whose names begin so, and whether each is complete. */
const findBuilt = (name: string) =>
  rowsOf<{ name: string; isValid: boolean }>(
    `select relname as name, indisvalid as "isValid" from pg_index join pg_class c on c.oid = indexrelid
     where relname like '${name}%' order by 1`,
  )

/** The partitions of a table, or of its index. */
const partsOf = (name: string) =>
  rowsOf<{ part: string }>(
    `select inhrelid::regclass::text as part from pg_inherits where inhparent = '"${name}"'::regclass order by 1`,
  )
const [current] = await partsOf('history')

test.each([
  { index: { name: 'triedName', table: 'users', on: '(name) where state = 0' }, written: 'users', month: '2040-01-01' },
  {
    index: { name: 'triedMonths', table: 'history', on: '(subject)' },
    written: current?.part ?? '',
    month: '2040-02-01',
  },
])(
  'an index over $index.table is built while others write; cut off, it is built again; by two starts, once',
  async ({ index, written, month }) => {
    const [building] = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(one.write)).rows
    await writer.query(`begin; lock table "${written}" in row exclusive mode`)
    const cutOff = expect(build(one.write, index)).rejects.toThrow()
    const isWaiting = () =>
      rowsOf(`select from pg_locks where not granted and pid = ${building?.pid}`).then(({ length }) => length > 0)
    await expect.poll(isWaiting).toBe(true)
    // Another one that writes is not held up.
    await sql.raw(`set lock_timeout = '1s'; lock table "${written}" in row exclusive mode`).execute(other.write)
    await sql`reset lock_timeout`.execute(other.write)
    await writer.query(`select pg_terminate_backend(${building?.pid})`)
    await cutOff
    await writer.query('commit')
    expect((await findBuilt(index.name)).filter(({ isValid }) => !isValid)).not.toEqual([])
    // A month that is added before the next build.
    await sql`select "makePartitions"('history', ${month}::date, 1)`.execute(other.write)

    await Promise.all([build(one.write, index), build(other.write, index)])
    expect((await findBuilt(index.name)).filter(({ isValid }) => !isValid)).toEqual([])
    expect(await partsOf(index.name)).toHaveLength((await partsOf(index.table)).length)
    // Built is built.
    await build(one.write, index)
  },
)

test('a build that waits too long for others says so, and the next one completes it', async () => {
  const index = { name: 'triedLong', table: 'users', on: '(email) where state = 0' }
  await writer.query('begin; lock table users in row exclusive mode')
  const waiting = one.write.connection().execute((connection) => buildIndexes(connection, [index], '100ms'))
  await expect(waiting).rejects.toThrow('An index could not be built, since others hold its table')
  await writer.query('commit')
  await build(one.write, index)
  expect(await findBuilt(index.name)).toEqual([{ name: index.name, isValid: true }])
})

test('an index of a table that is not there is named', async () => {
  const missing = { name: 'triedMissing', table: 'nowhere', on: '(name)' }
  await expect(build(one.write, missing)).rejects.toThrow('There is no table nowhere for the index triedMissing.')
})
