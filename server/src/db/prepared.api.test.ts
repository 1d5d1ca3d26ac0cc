import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { change, SYSTEM } from '../core/change.ts'
import { openDatabase, type Reader } from './open.ts'
import { PREPARED } from './prepared.ts'

const database = await createTestDatabase()
const db = openDatabase(database.connection, { warn: () => undefined }, 1)
const owner = openDatabase(database.owner, { warn: () => undefined }, 1)
afterAll(async () => {
  await owner.close()
  await db.close()
  await database.drop()
})

const keyOf = (idx: number) =>
  db.read.selectFrom('groups').modifyFront(PREPARED).select('key').where('idx', '=', idx).executeTakeFirst()
const preparedOnes = () =>
  db.read
    .selectNoFrom(
      sql<number>`(select count(*) from pg_prepared_statements where statement like '%"groups"%')`.as('count'),
    )
    .executeTakeFirst()

test('a marked statement is prepared once and answers for every parameter, others are not', async () => {
  const group = (idx: number) => ({ idx, name: `g${idx}`, key: `k${idx}`, path: [idx], position: 0 })
  await db.write
    .insertInto('groups')
    .values([group(1), group(2)])
    .execute()
  for (let i = 0; i < 8; i++) expect(await keyOf((i % 2) + 1)).toEqual({ key: `k${(i % 2) + 1}` })
  expect(await keyOf(3)).toBeUndefined()
  await db.read.selectFrom('groups').select('name').execute()
  expect(await preparedOnes()).toEqual({ count: 1 })
})

test('a marked statement that reads all columns goes on when a newer version adds one, also within a change', async () => {
  const all = (from: Reader) =>
    from.selectFrom('groups').modifyFront(PREPARED).selectAll().where('idx', '=', 1).executeTakeFirst()
  const inChange = () =>
    change(db, { author: SYSTEM, now: () => new Date() }, async (tx) => ({ result: await all(tx) }))
  for (const read of [() => all(db.read), inChange]) expect(await read()).toMatchObject({ name: 'g1' })
  await sql`alter table groups add column one text default 'x'`.execute(owner.write)
  expect(await all(db.read)).toMatchObject({ name: 'g1', one: 'x' })
  await sql`alter table groups add column two text default 'x'`.execute(owner.write)
  expect(await inChange()).toMatchObject({ name: 'g1', two: 'x' })
  expect(await all(db.read)).toMatchObject({ name: 'g1', two: 'x' })
})
