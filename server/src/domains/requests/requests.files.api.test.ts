// Lists of requests with a thousand files each: a response is limited in files, and each request lists only its own.

import { MAX_FILES } from '@acc/contract/core/fields'
import { Transfer } from '@acc/contract/labels/requests'
import { MAX_LISTED_FILES } from '@acc/contract/requestFiles'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'

const testApp = await startTestApp()
const { app, as, admin } = testApp
const employee = await buildUser(app.db)
const REQUESTS = 8
const FITTING = MAX_LISTED_FILES / MAX_FILES

const { idx: pattern } = await buildRequest(app, employee, { files: [] })
await sql`update "fileEximports" set "fileCount" = ${MAX_FILES}`.execute(app.db.write)
const { rows: copies } = await sql<{ idx: number }>`
  insert into "fileEximports" (type, "requesterIdx", "requesterId", "requesterName", "requesterEmail", "requesterGroupIdx",
    "requesterGroupName", state, "requestDT", "requestPurpose", "isFileUploaded", "fileCount", "fileSize")
  select type, "requesterIdx", "requesterId", "requesterName", "requesterEmail", "requesterGroupIdx",
    "requesterGroupName", state, "requestDT", "requestPurpose", "isFileUploaded", "fileCount", "fileSize"
  from "fileEximports", generate_series(2, ${REQUESTS}::int) returning idx`.execute(app.db.write)
const idxes = [pattern, ...copies.map(({ idx }) => idx)].sort((one, other) => other - one)
await sql`
  insert into "requestFiles" ("fileEximportIdx", position, "fileName", "fileSize", sha256, "storeName", "wrappedKey", "isUploaded")
  select r.idx, n, n || '.txt', 0, '', r.idx || '-' || n, '', 1
  from "fileEximports" r, generate_series(1, ${MAX_FILES}::int) n`.execute(app.db.write)

const pc = (await openDesktopClient(testApp, employee)).requests.searchOwn
const approvals = (filter: object) => as(admin).requests.search({ type: Transfer.EXPORT, ...filter })
const transfers = (filter: object) => as(admin).history.fileEximport({ type: Transfer.EXPORT, ...filter })
type CountedRequest = { idx: number; fileCount: number; files: unknown[] }
const countsOf = (items: readonly CountedRequest[]) =>
  items.map(({ idx, fileCount, files }) => [idx, fileCount, files.length])

test.each([
  ['one’s own', (filter: object): Promise<{ items: CountedRequest[] }> => pc(filter)],
  ['the approvals', (filter: object): Promise<{ items: CountedRequest[] }> => approvals(filter)],
  ['the approvals, overdue first', (filter: object) => approvals({ ...filter, overdueFirst: 1 })],
  ['the approvals by a text', (filter: object) => approvals({ ...filter, requesterId: employee.id })],
  ['the history', (filter: object): Promise<{ items: CountedRequest[] }> => transfers(filter)],
])('%s: the last rows come without, and with them alone', async (_, listed) => {
  const { items } = await listed({ rowsCount: 1000 })
  const expected = idxes.map((idx, at) => [idx, MAX_FILES, at < FITTING ? MAX_FILES : 0])
  expect(countsOf(items)).toEqual(expected)
  const alone = await listed({ rowsAfter: REQUESTS - 1, rowsCount: 1 })
  expect(countsOf(alone.items)).toEqual([[pattern, MAX_FILES, MAX_FILES]])
})

test('one’s own request by its number has all of its files', async () => {
  expect(countsOf((await pc({ idx: pattern })).items)).toEqual([[pattern, MAX_FILES, MAX_FILES]])
})
