// How PostgreSQL reads searches of requests: by which indexes, and what it compares of the rows that they find.
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { FileEximportFilter } from '@acc/contract/requestFilter'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { EVERYWHERE, type Scope } from '../../core/scope.ts'
import { openDatabase } from '../../db/open.ts'
import { filterRequests, matchRequests } from './requests.queries.ts'

const database = await createTestDatabase()
const db = openDatabase(database.connection, { warn: () => undefined }, 1)
const { write: owner, close: closeOwner } = openDatabase(database.owner, { warn: () => undefined }, 1)
afterAll(async () => {
  await closeOwner()
  await db.close()
  await database.drop()
})

/** As many as make an index worth its while; one name in fifty is the one that is searched for. */
beforeAll(async () => {
  await sql`
    insert into "fileEximports" (type, "requesterId", "requesterName", "requesterEmail", "requesterGroupName", state, "requestDT", "requestPurpose", "isFileUploaded", "fileCount", "fileSize")
    select 1, 'person' || n, case when n % 50 = 0 then '김지민' else '이' || md5(n::text) end, 'a@example.com', 'g', 1, now(), '', 1, 1, 1
    from generate_series(1, 3000) n`.execute(db.write)
  await sql`analyze "fileEximports"`.execute(owner)
})

function explain(scope: Scope, input: Partial<FileEximportFilter>) {
  const query = FileEximportFilter.parse({ type: Transfer.EXPORT, ...input })
  const { condition } = filterRequests(query, { acting: [0], scope, later: [] })
  return matchRequests(db.read, scope, condition).explain('json')
}

/** The plan of a search for a text in number, ID and name. */
async function planOf(text: string): Promise<string> {
  return JSON.stringify(await explain(EVERYWHERE, { idx: text, requesterId: text, requesterName: text }))
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

test('a few urgent exports to review are found by their own index among many allowed ones', async () => {
  await sql`update "fileEximports" set state = 4, "reviewDueDT" = case when idx % 500 = 0 then now() end`.execute(
    db.write,
  )
  await sql`vacuum analyze "fileEximports"`.execute(owner)
  const plan = await explain(EVERYWHERE, { state: RequestState.ALLOWED, isToReview: 1, isDecidable: 1 })
  expect(JSON.stringify(plan)).toContain('fileEximportsToReview')
})

test('undecided requests of a group are found by an index that has these alone', async () => {
  await sql`insert into groups (idx, name, key, path, position) values (1, 'root', 'root', '{1}', 0)`.execute(db.write)
  await sql`update "fileEximports" set state = case when idx % 10 = 0 then 0 else 1 end, "waitDT" = null,
    "requesterGroupIdx" = case when idx % 20 = 0 or idx % 2 = 1 then 1 end`.execute(db.write)
  await sql`vacuum analyze "fileEximports"`.execute(owner)
  const ofGroup: Scope = (groupIdx) => sql`${groupIdx} = any('{1}')`
  const plan = await explain(ofGroup, { state: RequestState.REQUESTED })
  expect(JSON.stringify(plan)).toContain('fileEximportsUndecidedGroup')
})
