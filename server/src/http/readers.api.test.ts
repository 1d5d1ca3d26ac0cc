// Which calls read a copy of the database, and what they return when it fails. What readiness asks the database.
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { openDatabase } from '../db/open.ts'
import type { Readers } from '../db/replica.ts'

const { app, nodes, admin, baseUrl, fetchAs } = await startTestApp()
const { db } = app
let queried = 0
let failures = 0
/** Lets calls run the given read. */
const useReaders = (readers: Readers) => {
  const replica = {
    findReaders: async () => {
      queried++
      return readers
    },
    reportFailure: () => {
      failures++
    },
  }
  for (const node of nodes) Object.assign(node.db, { replica })
}
afterEach(() => {
  queried = 0
  failures = 0
})
const RANGE = 'logSDT=2020-01-01T00:00:00Z&logEDT=2100-01-01T00:00:00Z'
const csv = { headers: { accept: 'text/csv' } }

test.each<[string, RequestInit, number]>([
  [`/Logs/UserManage?${RANGE}`, {}, 1],
  [`/Logs/ClientLogin?${RANGE}`, csv, 1],
  ['/Users/Search', csv, 1],
  ['/Users/Search', {}, 0],
  ['/FileEximports/Search?type=1', {}, 0],
  ['/Account/Session', {}, 0],
  ['/Configs', {}, 0],
])('%s with %o asks for a copy %i times', async (path, init, times) => {
  useReaders(db)
  const response = await fetchAs(admin)(path, init)
  expect(response.status).toBe(200)
  await response.text()
  expect(queried).toBe(times)
})

test('a call whose copy fails is answered from the primary', async () => {
  const broken = openDatabase(db.connection, { warn: () => undefined }, 1)
  await broken.close()
  useReaders(broken)
  const response = await fetchAs(admin)(`/Logs/WebLogin?${RANGE}`)
  expect(await response.json()).toMatchObject({ errorCode: 0, data: { totalCount: expect.any(Number) } })
  expect(failures).toBe(1)
})

test('a server whose connections for writing are all taken is busy, and ready all the same', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const taken = Array.from({ length: 10 }, () => db.write.transaction().execute(() => promise))
  const response = await fetch(`${baseUrl}/Health/Ready`)
  resolve()
  await Promise.all(taken)
  expect(response.status).toBe(200)
})

test('a refusal is no failure of the copy', async () => {
  useReaders({ ...db, read: db.write })
  const response = await fetchAs(admin)('/Logs/UserManage?rowsCount=1001')
  expect(await response.json()).toMatchObject({ errorCode: 983 })
  expect(failures).toBe(0)
})
