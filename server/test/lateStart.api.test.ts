// The last steps of a start, when the server listens already: it is not ready until they have ended, and waits for a
// database that is lost during them.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../src/db/open.ts'
import { ADMIN_PASSWORD } from './app.ts'
import { createTestDatabase } from './database.ts'
import { urlOf } from './postgres.ts'
import { spawnServer } from './process.ts'
import { endedAfterAll } from './processes.ts'

const WAIT = { timeout: 45_000 }
const log = { warn: () => undefined }
const root = await mkdtemp(join(tmpdir(), 'acc-late-start-'))
const database = await createTestDatabase()
afterAll(database.drop)
const running = endedAfterAll(root)
const [owner, db] = [openDatabase(database.owner, log, 1), openDatabase(database.connection, log, 1)]
afterAll(() => Promise.all([owner.close(), db.close()]))

/** Holds the start while it stores the schedules of the jobs. Returns the function that lets it continue. */
async function holdSchedules(): Promise<() => Promise<unknown>> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = owner.write.transaction().execute(async (tx) => {
    await sql`lock table jobs.schedule in share mode`.execute(tx)
    locked.resolve()
    await released.promise
  })
  await Promise.race([locked.promise, holding])
  return () => {
    released.resolve()
    return holding
  }
}

/** Ends the connections that wait for a lock, as a database that dies does. Returns whether there were any. */
async function endWaiting(): Promise<boolean> {
  const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db.write)
  return rows.length > 0
}

test('a server whose jobs have not started is not ready, and outlives a lost database', {
  timeout: 120_000,
}, async () => {
  const release = await holdSchedules()
  onTestFinished(() => release().then(() => undefined))
  const server = await spawnServer({
    ACC_DATA_DIR: join(root, 'data'),
    ACC_DATABASE_URL: urlOf(database.connection),
    ACC_ADMIN_PASSWORD: ADMIN_PASSWORD,
  })
  running.push(server)
  const ready = async () => {
    const response = await fetch(`${server.baseUrl}/Health/Ready`).catch(() => undefined)
    return response && { status: response.status, ...(await response.json()) }
  }
  const starting = { status: 503, data: { faults: ['starting'] } }

  await expect.poll(endWaiting, WAIT).toBe(true)
  expect(await ready()).toMatchObject(starting)
  // The next attempt waits for the same lock.
  await expect.poll(endWaiting, WAIT).toBe(true)
  expect(await ready()).toMatchObject(starting)

  await release()
  await server.ready
  expect(await ready()).toMatchObject({ status: 200 })
})
