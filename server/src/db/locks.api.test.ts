import { once } from 'node:events'
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

// Not tried again: a process warns of a thing once.
test('locks taken at once share a connection, which runs one statement at a time', async () => {
  const warnings: string[] = []
  const note = ({ message }: Error) => void warnings.push(message)
  process.on('warning', note)
  const names = Array.from({ length: 20 }, (_, at) => `at once ${at}`)
  const locks = await Promise.all(names.map((name) => node.tryLock(name)))
  expect(locks.filter((lock) => lock === undefined)).toEqual([])
  await Promise.all(locks.map((lock) => lock?.release()))
  const again = await Promise.all(names.map((name) => other.tryLock(name)))
  expect(again.filter((lock) => lock === undefined)).toEqual([])
  await Promise.all(again.map((lock) => lock?.release()))
  process.off('warning', note)
  expect(warnings).toEqual([])
})

/** Ends the locks' connections of this database, the other test files' left alone, and waits until both are gone. */
async function dropConnections(): Promise<void> {
  const client = new pg.Client({ ...database.connection })
  await client.connect()
  const { rows } = await client.query(
    `select pg_terminate_backend(pid, 20000) as "isGone" from pg_stat_activity
      where application_name = 'acc locks' and datname = current_database()`,
  )
  await client.end()
  expect(rows).toEqual([{ isGone: true }, { isGone: true }])
}

test('a lost connection informs its holders, frees what they held, and is opened again', async () => {
  const [lock, others] = await Promise.all([node.tryLock('lost'), other.tryLock("other's")])
  const losses = [lock, others].map((one) => one && once(one.lost, 'abort'))
  await dropConnections()
  await Promise.all(losses)
  await Promise.all([lock?.release(), others?.release()])
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
