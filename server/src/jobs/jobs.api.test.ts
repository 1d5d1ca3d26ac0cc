import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { minutes } from '../clock.ts'
import { type Database, openDatabase } from '../db/open.ts'
import { type Jobs, openJobs, type Queue } from './jobs.ts'

const logged: { text: string; fields: object }[] = []
const log = {
  warn: (fields: object, text: string) => void logged.push({ fields, text }),
  error: (fields: object, text: string) => void logged.push({ fields, text }),
}
const job = (name: string, more: Partial<Queue> = {}): Queue => ({ name, ...more })

let database: TestDatabase
let db: Database
let jobs: Jobs
let client: pg.Client
let name: string

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDatabase(database.connection, log, 4)
  jobs = await openJobs({ connection: database.connection, db, log })
  client = new pg.Client({ ...database.connection })
  client.on('error', () => undefined)
  await client.connect()
  name = (await client.query('select current_database() as name')).rows[0].name
})
beforeEach(() => void logged.splice(0))
afterAll(async () => {
  await jobs.stop()
  await db.close()
  await client.end().catch(() => undefined)
  await database.drop()
})

const rowsOf = async (name: string) =>
  (await client.query('select state, retry_count, output, start_after from jobs.job where name = $1', [name])).rows

/** Drains a queue and answers what its handler was given. */
async function drained(name: string): Promise<unknown[]> {
  const given: unknown[] = []
  await jobs.drain(job(name), async (data) => void given.push(data))
  return given
}

test('a job exists exactly when its transaction commits', async () => {
  const rolledBack = db.write.transaction().execute(async (tx) => {
    await jobs.enqueue(tx, 'withTx', { idx: 1 })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await db.write.transaction().execute(async (tx) => {
    await jobs.enqueue(tx, 'withTx', { idx: 2 })
    expect(await rowsOf('withTx')).toEqual([])
  })
  expect(await drained('withTx')).toEqual([{ idx: 2 }])
  expect(await drained('withTx')).toEqual([])
})

test('of the jobs that wait with one key there is one; without a key each counts', async () => {
  await db.write.transaction().execute(async (tx) => {
    for (const idx of [1, 2]) await jobs.enqueue(tx, 'keyed', { idx }, { key: 'same' })
    for (const idx of [3, 4]) await jobs.enqueue(tx, 'keyed', { idx })
  })
  expect(await drained('keyed')).toEqual([{ idx: 1 }, { idx: 3 }, { idx: 4 }])
})

test('a worker takes a job as soon as the transaction commits', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  await jobs.work(job('atOnce'), async (data) => resolve(data))
  await db.write.transaction().execute((tx) => jobs.enqueue(tx, 'atOnce', { idx: 7 }))
  expect(await promise).toEqual({ idx: 7 })
})

test('a run that fails is logged without what the error holds, kept without it, and tried again later', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const failing = job('failing', { retries: { limit: 3, seconds: 60 } })
  await jobs.work(failing, async () => {
    setImmediate(resolve)
    throw Object.assign(new Error('it broke'), { detail: 'Key (email)=(secret@acc.kr)' })
  })
  await db.write.transaction().execute((tx) => jobs.enqueue(tx, 'failing', {}))
  await promise
  await expect.poll(() => rowsOf('failing')).toMatchObject([{ state: 'retry' }])
  const [row] = await rowsOf('failing')
  expect(row.start_after.getTime()).toBeGreaterThan(Date.now() + 20_000)
  // The queue may have something of its own to say, of a machine that is slow.
  const failures = logged.filter(({ text }) => text === 'a job failed')
  expect(failures).toMatchObject([{ fields: { job: 'failing', reason: 'it broke' } }])
  expect(JSON.stringify([row, logged])).not.toContain('secret')
})

const statusOf = async (name: string) => (await jobs.list(db.read)).find((one) => one.name === name)

test('the stored schedules are those of the last call', async () => {
  const [nightly, hourly] = [job('nightly', { cron: '0 3 * * *' }), job('hourly', { cron: '0 * * * *' })]
  for (const one of [nightly, hourly]) await jobs.work(one, async () => undefined)
  await jobs.schedule([nightly, hourly])
  expect([(await statusOf('nightly'))?.cron, (await statusOf('hourly'))?.cron]).toEqual(['0 3 * * *', '0 * * * *'])
  await jobs.schedule([{ ...hourly, cron: '59 23 31 12 *' }])
  expect([(await statusOf('nightly'))?.cron, (await statusOf('hourly'))?.cron]).toEqual([null, '59 23 31 12 *'])
  expect((await statusOf('hourly'))?.dueDT?.toISOString()).toMatch(/-12-31T23:59:00.000Z$/)
})

test('one run replaces those that were missed while no node ran, and two nodes send it once', async () => {
  const missed = new Date(Date.now() - minutes(90))
  const cron = `${missed.getUTCMinutes()} * * * *`
  await jobs.schedule([job('missed', { cron })])
  await client.query("update jobs.schedule set created_on = now() - interval '1 day'")
  await client.query("update jobs.version set cron_on = now() - interval '5 hours'")
  const nodes = await Promise.all([1, 2].map(() => openJobs({ connection: database.connection, db, log })))
  await expect.poll(() => rowsOf('missed'), { timeout: 40_000 }).not.toEqual([])
  expect(await drained('missed')).toEqual([{}])
  for (const node of nodes) await node.stop()
  expect(await rowsOf('missed')).toMatchObject([{ state: 'completed' }])
})

test('the status of a job shows its last runs, and what waits or failed', async () => {
  const held = Promise.withResolvers<void>()
  const enqueue = (name: string) => db.write.transaction().execute((tx) => jobs.enqueue(tx, name, {}))
  let fails = true
  await jobs.work(job('unsteady'), () => (fails ? Promise.reject(new Error('no')) : Promise.resolve()))
  await jobs.work(job('held'), () => held.promise)
  await enqueue('unsteady')
  for (let sent = 0; sent < 3; sent++) await enqueue('held')
  await expect.poll(async () => (await statusOf('unsteady'))?.failures, { timeout: 60_000 }).toBe(1)
  await expect.poll(async () => (await statusOf('held'))?.waiting, { timeout: 60_000 }).toBe(2)
  expect(await statusOf('unsteady')).toMatchObject({ failDT: expect.any(Date), completeDT: null, dueDT: null })
  held.resolve()
  fails = false
  await enqueue('unsteady')
  await expect.poll(async () => (await statusOf('unsteady'))?.completeDT).toEqual(expect.any(Date))
})

/** Ends every connection to the database and takes no new ones until `work` is done. */
async function whileAway(work: () => Promise<void>): Promise<void> {
  const superuser = new pg.Client({ ...inject('postgres'), user: 'postgres', database: 'postgres' })
  await superuser.connect()
  try {
    await superuser.query(`alter database "${name}" allow_connections false`)
    await superuser.query('select pg_terminate_backend(pid, 20000) from pg_stat_activity where datname = $1', [name])
    await work()
  } finally {
    await superuser.query(`alter database "${name}" allow_connections true`)
    await superuser.end()
  }
}

test('a database that goes away and comes back finds the queue at work again', async () => {
  const complaints = () =>
    logged.filter(({ text }) => text.startsWith('the job queue')).map(({ fields }) => JSON.stringify(fields))
  const ran: unknown[] = []
  await jobs.work(job('survivor'), async (data) => void ran.push(data))
  await whileAway(() => expect.poll(complaints).not.toEqual([]))
  // The pool may still hold closed connections that it takes for open: a caller that gets one retries.
  const enqueue = () => db.write.transaction().execute((tx) => jobs.enqueue(tx, 'survivor', { idx: 1 }, { key: 'one' }))
  await expect.poll(() => enqueue().then(() => 'done', String)).toBe('done')
  // What is announced before the queue listens again is found when it does, or when it next looks by itself.
  await expect.poll(() => ran, { timeout: 40_000 }).toContainEqual({ idx: 1 })
  expect(new Set(complaints()).size).toBe(complaints().length)
})

test('stopping waits for what runs', async () => {
  const other = await openJobs({ connection: database.connection, db, log })
  const started = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let isDone = false
  await other.work(job('slow'), async () => {
    started.resolve()
    await goOn.promise
    isDone = true
  })
  await db.write.transaction().execute((tx) => jobs.enqueue(tx, 'slow', {}))
  await started.promise
  const stopped = other.stop()
  goOn.resolve()
  await stopped
  expect(isDone).toBe(true)
})
