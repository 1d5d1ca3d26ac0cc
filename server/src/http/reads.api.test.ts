// Long reads of one person, and reads whose caller leaves, do not delay others. A locked table makes them long.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { buildManager } from '../../test/build/authorities.ts'
import { buildGroups } from '../../test/build/groups.ts'
import { IS_PAIR } from '../../test/pair.ts'

const { app, owner, as, admin, fetchAs } = await startTestApp()
const { sales } = await buildGroups(app.db, 'sales')
const reader = await buildManager(app.db, { groups: [sales], log: 1 })
const fetchIt = fetchAs(reader)
const boss = as(admin)
const PATH = '/Logs/ClientLogin?sort=userName&rowsAfter=350000'
const CSV = { headers: { accept: 'text/csv' } }

const unlocked = Promise.withResolvers<void>()
let locked: Promise<unknown>
beforeAll(async () => {
  // A session that opens writes into the table.
  await fetchIt('/Account/Session')
  await boss.session.find({})
  const isLocked = Promise.withResolvers<void>()
  locked = owner.transaction().execute(async (tx) => {
    await sql`lock table "signIns" in access exclusive mode`.execute(tx)
    isLocked.resolve()
    await unlocked.promise
  })
  await isLocked.promise
})
afterAll(async () => {
  unlocked.resolve()
  await locked
})

/** Statements of the reader that the database works on. */
const running = async () => {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db.write)
  return rows.length
}
const open = (init: RequestInit = {}) => {
  const stop = new AbortController()
  const response = fetchIt(PATH, { ...init, signal: stop.signal })
  return { stop, code: response.then(async (it) => (await it.json()).errorCode).catch(() => 'gone') }
}

test('statements of callers who have gone end while they would still run, and others read as before', async () => {
  for (const init of [{}, CSV]) {
    const sent = Array.from({ length: 20 }, () => open(init))
    await expect.poll(running).toBeGreaterThan(1)
    expect(await boss.users.search({})).toMatchObject({ totalCount: 2 })
    for (const { stop } of sent) stop.abort()
    expect(await boss.users.search({})).toMatchObject({ totalCount: 2 })
    await expect.poll(running, { timeout: 5_000 }).toBe(0)
  }
})

// Each node counts for itself.
test.skipIf(IS_PAIR)(
  'one person’s slow lists leave the others their connections, and further ones wait their turn',
  async () => {
    const sent = Array.from({ length: 60 }, () => open())
    await expect.poll(running).toBe(3)
    expect(await boss.users.search({})).toMatchObject({ totalCount: 2 })
    unlocked.resolve()
    expect(new Set(await Promise.all(sent.map(({ code }) => code)))).toEqual(new Set([0]))
  },
)
