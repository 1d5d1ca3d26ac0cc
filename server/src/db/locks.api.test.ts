import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { openLocks } from './locks.ts'

const database = await createTestDatabase()
const [node, other] = [openLocks(database.connection), openLocks(database.connection)]
afterAll(async () => {
  await node.close()
  await other.close()
  await database.drop()
})

test('one holder at a time, in a process and among processes', async () => {
  const taken = await Promise.all([node, node, other, other].map((locks) => locks.tryLock('one')))
  const winners = taken.filter((lock) => lock !== undefined)
  expect(winners).toHaveLength(1)
  await winners[0]?.release()
  const next = await other.tryLock('one')
  expect(next).toBeDefined()
  expect(await node.tryLock('one')).toBeUndefined()
  expect(await node.tryLock('another')).toBeDefined()
  await next?.release()
})

test('a lost connection tells its holders, frees what they held, and is opened again', async () => {
  const lock = await node.tryLock('lost')
  const told = new Promise<void>((resolve) => lock?.lost.addEventListener('abort', () => resolve()))
  const client = new pg.Client({ ...database.connection })
  await client.connect()
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'acc locks'")
  await client.end()
  await told
  await lock?.release()
  const again = await node.tryLock('lost')
  expect(again?.lost.aborted).toBe(false)
  expect(await other.tryLock('lost')).toBeUndefined()
  await again?.release()
})

test('a database that is away is an error, not a lock', async () => {
  const nowhere = openLocks({ host: '/nowhere', port: 1, user: 'acc', database: 'acc' })
  await expect(nowhere.tryLock('one')).rejects.toThrow('ENOENT')
  await nowhere.close()
})
