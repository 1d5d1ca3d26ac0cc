import { type Expression, sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { openDatabase } from './open.ts'
import { statement } from './statement.ts'

const database = await createTestDatabase()
const db = openDatabase(database.connection, { warn: () => undefined })
afterAll(async () => {
  await db.close()
  await database.drop()
})

const groupsBelow = statement('groupsBelow', (compiler, idx: Expression<number>) =>
  compiler
    .selectFrom('groups')
    .select('key')
    .where('idx', '<', idx)
    .where('name', '=', sql.lit('g'))
    .orderBy('idx')
    .select(sql<number>`${idx}::int`.as('bound')),
)

test('a statement answers for each parameter with its own rows, and its constants stay', async () => {
  const group = (idx: number, name: string) => ({ idx, name, key: `k${idx}`, path: [idx], position: 0 })
  await db.write
    .insertInto('groups')
    .values([group(1, 'g'), group(2, 'other'), { ...group(3, 'g'), parentIdx: 1 }])
    .execute()
  // More often than PostgreSQL plans a prepared statement anew.
  for (let i = 0; i < 8; i++) {
    expect(await groupsBelow(db.sessions, 2)).toEqual([{ key: 'k1', bound: 2 }])
    expect(await groupsBelow(db.sessions, 4)).toEqual([
      { key: 'k1', bound: 4 },
      { key: 'k3', bound: 4 },
    ])
  }
})

test('a statement that would keep the values of its start is refused', () => {
  const day = '2026-01-01'
  expect(() =>
    statement('ended', (compiler) => compiler.selectFrom('users').select('idx').where('expireDT', '<', day)),
  ).toThrow('binds another value')
})

test('sessions are looked up while other work has every connection, and nothing is written there', async () => {
  const release = Promise.withResolvers<void>()
  const taken = Array.from({ length: 10 }, () => db.read.connection().execute(() => release.promise))
  expect(await groupsBelow(db.sessions, 2)).toHaveLength(1)
  release.resolve()
  await Promise.all(taken)
  await expect(db.sessions.query('delete from groups')).rejects.toThrow('read-only')
})
