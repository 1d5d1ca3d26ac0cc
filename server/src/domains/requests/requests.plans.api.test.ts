// How PostgreSQL reads searches of requests: by which indexes, and what it compares of the rows that they find.
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { WAITING } from '@acc/contract/requestState'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { hours } from '../../clock.ts'
import { EVERYWHERE, type Scope } from '../../core/scope.ts'
import { listOf } from '../../db/list.ts'
import { openDatabase } from '../../db/open.ts'
import { isOverdueSince } from './requests.overdue.ts'
import { matchRequests, REQUEST_SORTS } from './requests.queries.ts'

const database = await createTestDatabase()
const db = openDatabase(database.connection, { warn: () => undefined }, 1)
const { write: owner, close: closeOwner } = openDatabase(database.owner, { warn: () => undefined }, 1)
afterAll(async () => {
  await closeOwner()
  await db.close()
  await database.drop()
})

/** Counts one match, so that only the rows of the page are read. */
const FIRST_PAGE = { rowsAfter: 0, rowsCount: 25, sortOrder: 1, maxCount: 1 } as const

/** As many as make an index worth its while; one name in fifty is the one that is searched for. */
beforeAll(async () => {
  await sql`
    insert into "fileEximports" (type, "requesterId", "requesterName", "requesterEmail", "requesterGroupName", state, "requestDT", "requestPurpose", "isFileUploaded", "fileCount", "fileSize")
    select 1, 'person' || n, case when n % 50 = 0 then '김지민' else '이' || md5(n::text) end, 'a@example.com', 'g', 1, now(), '', 1, 1, 1
    from generate_series(1, 3000) n`.execute(db.write)
  await sql`analyze "fileEximports"`.execute(owner)
})

/** The plan of a search for a text in number, ID and name. */
async function planOf(text: string): Promise<string> {
  const filter = { type: Transfer.EXPORT, idx: text, requesterId: text, requesterName: text }
  const plan = await matchRequests(db.read, EVERYWHERE, filter, ['idx', 'requesterId', 'requesterName']).explain('json')
  return JSON.stringify(plan)
}

test('a search by a name finds its rows by the pairs of it, and compares no name again', async () => {
  const plan = await planOf('지민')
  expect(plan).toContain('fileEximportsNamePairs')
  expect(plan).not.toMatch(/"Filter":"[^"]*(\\"[^"]*)*requesterName/)
})

test('digits are looked for at the beginning of numbers, letters are not', async () => {
  expect(await planOf('123')).toContain("(idx)::text ~~ '123%'")
  expect(await planOf('son123')).not.toContain('(idx)::text')
})

/** Rows of requests that a page of the queue reads, where those that wait for longer come first. */
const readFor = (longerThan: number, sort: 'idx' | 'requesterName') =>
  db.read.transaction().execute(async (tx) => {
    const filter = { type: Transfer.EXPORT, ...WAITING, ...FIRST_PAGE, sort }
    const bound = new Date(Date.now() - hours(longerThan))
    const list = listOf(tx, filter, () => ({
      matches: matchRequests(tx, EVERYWHERE, filter),
      sorts: REQUEST_SORTS,
      leads: isOverdueSince(bound),
    }))
    const { items } = await list.page()
    const read = sql<{ rows: number }>`select (seq_tup_read + idx_tup_fetch)::int as rows
      from pg_stat_xact_user_tables where relname = 'fileEximports'`
    return { items, read: (await read.execute(tx)).rows[0]?.rows ?? 0 }
  })

test('overdue requests come first without a look at all that wait, however many they are', async () => {
  await sql`update "fileEximports" set state = 0, "waitDT" = now() - make_interval(mins => (3000 - idx)::int)`.execute(
    db.write,
  )
  await sql`vacuum analyze "fileEximports"`.execute(owner)
  for (const [longerThan, overdue, sort] of [
    [0, 25, 'idx'],
    [1, 25, 'idx'],
    [49.75, 15, 'idx'],
    [100, 0, 'idx'],
    [1, 25, 'requesterName'],
    [100, 0, 'requesterName'],
  ] as const) {
    const { items, read } = await readFor(longerThan, sort)
    expect(items).toHaveLength(25)
    const isOverdue = items.map(({ waitDT }) => waitDT !== null && waitDT <= new Date(Date.now() - hours(longerThan)))
    expect(isOverdue).toEqual(items.map((_, at) => at < overdue))
    // Of 3,000 that wait.
    expect(read).toBeLessThan(300)
  }
})

test('undecided requests of a group are found by an index that has these alone', async () => {
  await sql`insert into groups (idx, name, key, path, position) values (1, 'root', 'root', '{1}', 0)`.execute(db.write)
  await sql`update "fileEximports" set state = case when idx % 10 = 0 then 0 else 1 end, "waitDT" = null,
    "requesterGroupIdx" = case when idx % 20 = 0 or idx % 2 = 1 then 1 end`.execute(db.write)
  await sql`vacuum analyze "fileEximports"`.execute(owner)
  const ofGroup: Scope = (groupIdx) => sql`${groupIdx} = any('{1}')`
  const undecided = matchRequests(db.read, ofGroup, { type: Transfer.EXPORT, state: RequestState.REQUESTED })
  expect(JSON.stringify(await undecided.explain('json'))).toContain('fileEximportsUndecidedGroup')
})
