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

const hours = (count: number) => minutes(60 * count)
const after = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds)
/** Each schedule's cron and its next time, as seconds after a moment. */
async function planned(moment: Date) {
  const { rows } = await client.query('select name, cron, "nextDT" from schedules order by name')
  return rows.map(({ name, cron, nextDT }) => [name, cron, (nextDT.getTime() - moment.getTime()) / 1000])
}
/** The start of an hour, some hours from now by the database's clock. */
async function hourFromNow(count: number): Promise<Date> {
  const { rows } = await client.query("select date_trunc('hour', now()) + $1 * interval '1 hour' as moment", [count])
  return rows[0].moment
}

test('the schedules are those of the last start, and a known one goes on as planned', async () => {
  await jobs.schedule([job('nightly', { cron: '0 3 * * *' }), job('hourly', { cron: '0 * * * *' }), job('asked')])
  const start = await hourFromNow(0)
  await client.query(`update schedules set "nextDT" = $1 where name = 'hourly'`, [start])
  await jobs.schedule([job('hourly', { cron: '0 * * * *' })])
  expect(await planned(start)).toEqual([['hourly', '0 * * * *', 0]])
  await jobs.schedule([job('hourly', { cron: '59 23 31 12 *' })])
  expect((await planned(start))[0]?.[2]).toBeGreaterThan(0)
})

test('what came due while no node looked is sent once, two nodes together: after a stop, a sleep or a jump of the clock', async () => {
  const timed = job('timed', { cron: '11 * * * *' })
  await jobs.schedule([timed])
  const start = await hourFromNow(2)
  await jobs.sendDue(start)
  expect(await drained('timed')).toEqual([{}])
  expect(await planned(start)).toEqual([['timed', timed.cron, 11 * 60]])
  await jobs.sendDue(after(start, minutes(11) - 1))
  expect(await drained('timed')).toEqual([])
  const other = await openJobs({ connection: database.connection, db, log })
  const nodes = [jobs, other, jobs, other]
  // Over three of its minutes at once.
  for (const passed of [minutes(11), hours(3) + minutes(12)]) {
    await Promise.all(nodes.map((node) => node.sendDue(after(start, passed))))
    expect((await rowsOf('timed')).filter(({ state }) => state === 'created')).toHaveLength(1)
    expect(await drained('timed')).toEqual([{}])
    await Promise.all(nodes.map((node) => node.sendDue(after(start, passed))))
    expect(await drained('timed')).toEqual([])
  }
  await other.stop()
})

test('a clock that is set back holds up neither the schedules nor what waits', async () => {
  const timed = job('rewound', { cron: '* * * * *' })
  await jobs.schedule([timed])
  const start = await hourFromNow(24)
  await jobs.sendDue(start)
  await client.query(`update jobs.job set start_after = now() + interval '1 day' where name = 'rewound'`)
  expect(await drained('rewound')).toEqual([])
  // Less than a minute: another node may have read the time before.
  await jobs.sendDue(after(start, -minutes(1)))
  expect(await planned(start)).toEqual([['rewound', timed.cron, 60]])
  await jobs.sendDue(after(start, -hours(12)))
  expect(await planned(after(start, -hours(12)))).toEqual([['rewound', timed.cron, 60]])
  expect(await drained('rewound')).toEqual([{}])
  await jobs.sendDue(after(start, minutes(1) - hours(12)))
  expect(await drained('rewound')).toEqual([{}])
})

test('who follows the schedules sends what is due', async () => {
  const taken = Promise.withResolvers<unknown>()
  const timed = job('followed', { cron: '0 0 1 1 *' })
  await jobs.schedule([timed])
  await client.query('update schedules set "nextDT" = now() - interval \'1 second\'')
  await jobs.work(timed, async (data) => taken.resolve(data))
  jobs.follow()
  expect(await taken.promise).toEqual({})
  expect(await planned(await hourFromNow(0))).not.toEqual([['followed', timed.cron, 0]])
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
