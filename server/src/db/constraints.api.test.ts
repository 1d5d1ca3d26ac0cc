import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { constraintError, isDatabaseGone } from './constraints.ts'
import { openDatabase } from './open.ts'

const database = await createTestDatabase()
const db = openDatabase(database.connection, { warn: () => undefined }, 2)
afterAll(async () => {
  await db.close()
  await database.drop()
})

/** Ends the connection of a transaction and waits until it is gone. */
async function cutOff(pid: number): Promise<void> {
  await sql`select pg_terminate_backend(${pid}, 20000)`.execute(db.read)
}

test('a connection that is lost in the middle of a transaction means that the database is gone, and no defect', async () => {
  const work = db.write.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await cutOff(rows[0]?.pid ?? 0)
    // This statement fails on the lost connection. The rollback then finds a connection that is known to be dead.
    await sql`select 1`.execute(tx)
  })
  const error = await work.catch((reason: unknown) => reason)
  expect(isDatabaseGone(error)).toBe(true)
  expect((await sql<{ one: number }>`select 1 as one`.execute(db.write)).rows).toEqual([{ one: 1 }])
})

/** Unique by how the server writes: a violation is a defect. */
const NEVER_VIOLATED = [
  'clientVersionsDeployed',
  'clientVersionsStoreName',
  'groupsDmsRoot',
  'policiesGroup',
  'policiesUser',
  'bimConnectionsOnce',
  'devices_userIdx_deviceId_key',
  'requestFiles_fileEximportIdx_position_key',
  'requestFiles_storeName_key',
  'requesterNotices_fileEximportIdx_event_key',
  'sessions_tokenHash_key',
]

test('each unique index is an error of the catalogue, or never violated', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indisunique and not i.indisprimary and not c.relispartition
      and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'`.execute(db.read)
  const violate = (constraint: string) => constraintError(Object.assign(new Error('x'), { code: '23505', constraint }))
  const names = rows.map(({ name }) => name)
  expect(names.filter((name) => violate(name) === undefined).sort()).toEqual([...NEVER_VIOLATED].sort())
})

test('a disk or memory that is full is a database that is not ready', async () => {
  for (const code of ['53100', '53200', '53300']) {
    const work = sql.raw(`do $$ begin raise exception 'full' using errcode = '${code}'; end $$`).execute(db.write)
    expect(isDatabaseGone(await work.catch((reason: unknown) => reason))).toBe(true)
  }
})
