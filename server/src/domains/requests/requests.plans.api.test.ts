// How PostgreSQL reads searches of requests: by which indexes, and what it compares of the rows that they find.
import { Transfer } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { EVERYWHERE } from '../../core/scope.ts'
import { openDatabase } from '../../db/open.ts'
import { matchRequests } from './requests.queries.ts'

const database = await createTestDatabase()
const db = openDatabase(database.connection, { warn: () => undefined }, 1)
afterAll(async () => {
  await db.close()
  await database.drop()
})

/** As many as make an index worth its while; one name in fifty is the one that is searched for. */
beforeAll(async () => {
  await sql`
    insert into "fileEximports" (type, "requesterId", "requesterName", "requesterEmail", "requesterGroupName", state, "requestDT", "requestPurpose", "isFileUploaded", "fileCount", "fileSize")
    select 1, 'person' || n, case when n % 50 = 0 then '김지민' else '이' || md5(n::text) end, 'a@example.com', 'g', 1, now(), '', 1, 1, 1
    from generate_series(1, 3000) n`.execute(db.write)
  await sql`analyze "fileEximports"`.execute(db.write)
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
