// How PostgreSQL reads a month of the history by each text filter: only the partition of that month, and within it by
// an index wherever a text has one (docs/decisions/11-history.md).
import { LOGS, type StoredLog } from '@acc/contract/history/kinds'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { EVERYWHERE, ofGroups } from '../../core/scope.ts'
import { openDatabase } from '../../db/open.ts'
import { changeSorts, matchEntries, matchSignIns, type Reach } from './history.queries.ts'

const database = await createTestDatabase()
const db = openDatabase(database.connection, { warn: () => undefined }, 1)
const { write: owner, close: closeOwner } = openDatabase(database.owner, { warn: () => undefined }, 1)
afterAll(async () => {
  await closeOwner()
  await db.close()
  await database.drop()
})

const reach: Reach = { scope: EVERYWHERE }
const MAY = { logSDT: '2025-05-01T00:00:00Z', logEDT: '2025-06-01T00:00:00Z' }
const KINDS = ['networkAccess', 'userManage', 'fileDownload'] as const

/** Inserts enough rows into one of two months that an index pays off. The tests search for one row in a hundred. */
beforeAll(async () => {
  for (const table of ['history', 'signIns'])
    await sql`select "makePartitions"(${table}, '2025-05-01'::date, 2)`.execute(owner)
  const at = sql`'2025-05-01T00:00:00Z'::timestamptz + n * interval '6 minutes'`
  const text = (usual: string, rare: string) =>
    sql`case when n % 100 = 0 then ${rare} else ${usual} || md5(n::text) end`
  for (const kind of KINDS)
    await sql`
      insert into history (kind, "logDT", "actorIdx", "actorId", "actorName", "actorGroupName", subject, ip, type, detail)
      select ${kind}, ${at}, null, ${text('a', 'kim.jimin')}, ${text('이', '김지민')}, ${text('팀', '연구팀')}, '', '10.0.0.1', 0,
        jsonb_build_object('userId', ${text('a', 'kim.jimin')}, 'userName', ${text('이', '김지민')}, 'userGroupName', ${text('팀', '연구팀')},
          'targetIp', ${text('10.', '198.51.100.7')}, 'processName', 'chrome.exe')
      from generate_series(1, 3000) n`.execute(db.write)
  await sql`
    insert into "signIns" (kind, "loginDT", "userId", "userName", "userGroupName", ip, "userRole", type, "clientVersion", "deviceName")
    select 'client', ${at}, ${text('a', 'kim.jimin')}, ${text('이', '김지민')}, ${text('팀', '연구팀')}, ${text('10.', '198.51.100.7')}, 2, 0,
      ${text('1.', '9.8.7')}, 'PC' from generate_series(1, 6000) n`.execute(db.write)
  // Also merges what the text indexes have not merged yet.
  await sql`vacuum (analyze) history, "signIns"`.execute(owner)
})

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  Name: ['지민', '김지민'],
  GroupName: ['연구', '연구팀'],
  Id: ['jimin'],
  Ip: ['198.51.100'],
}
const textsOf = (name: string) => TEXTS[/(GroupName|Name|Id|Ip)$/.exec(name)?.[1] ?? ''] ?? ['9.8.7']
const INDEXED = /^(user|target|requester|actor)(Id|Name)$|^(user|target|requester)GroupName$|^targetIp$/

async function planOf(query: { explain(format: 'json'): Promise<unknown> }): Promise<string> {
  const plan = JSON.stringify(await query.explain('json'))
  expect(plan).toContain('_202505')
  expect(plan).not.toContain('_202506')
  return plan
}

/** Whether the rows are found by the text, not only compared with it. */
const isFoundByText = (plan: string) => /"Index Cond":"(?:[^"\\]|\\.)*(?:~~|@>)/.test(plan)

const stored = KINDS.flatMap((log) =>
  LOGS[log].filters
    .filter((name) => INDEXED.test(name))
    .flatMap((name) => textsOf(name).map((text) => ({ log, name, text }))),
)
test.each(stored)('$log by $name "$text" is found by the index of its texts', async ({ log, name, text }) => {
  const plan = await planOf(matchEntries(db.read, reach, log, { ...MAY, [name]: text }))
  expect(isFoundByText(plan), plan).toBe(true)
})

const signIns = (['userId', 'userName', 'userGroupName', 'ip'] as const).flatMap((name) =>
  textsOf(name === 'ip' ? 'targetIp' : name).map((text) => ({ name, text })),
)
test.each(signIns)('sign-ins by $name "$text" are found by the index of their texts', async ({ name, text }) => {
  const plan = await planOf(matchSignIns(db.read, reach, 'clientLogin', { ...MAY, [name]: text }))
  expect(isFoundByText(plan), plan).toBe(true)
})

test('texts of a day of some groups are compared with its rows, which an index of the month is not read for', async () => {
  const ofOne: Reach = { scope: (groupIdx) => sql`${groupIdx} = any('{1}')`, reading: 'rows' }
  const plans = [
    await planOf(matchSignIns(db.read, ofOne, 'clientLogin', { ...MAY, userId: 'jimin', userName: '지민' })),
    await planOf(matchEntries(db.read, ofOne, 'networkAccess', { ...MAY, userId: 'jimin', userName: '김지민' })),
  ]
  for (const plan of plans) expect(isFoundByText(plan), plan).toBe(false)
})

test('the rows of some groups, and of the people who left them, are found by two indexes', async () => {
  const plan = await planOf(matchEntries(db.read, { scope: ofGroups([1, 2]) }, 'userManage', MAY))
  expect(plan).toContain('"BitmapOr"')
  expect(plan).toMatch(/"Index Cond":"[^"]*formerGroupIdx/)
})

test.each([undefined, '지민', '김지민'])(
  'the index of changes is not read for the kind alone (name %s)',
  async (targetName) => {
    expect(await planOf(matchEntries(db.read, reach, 'userManage', { ...MAY, targetName }))).not.toContain(
      'changedFields',
    )
  },
)

test.each(['logDT', 'idx'] as const)(
  'a page of changes by %s is sorted, also where an index seems cheaper',
  async (sort) => {
    const matches = matchEntries(db.read, reach, 'userManage', { ...MAY, changed: 'targetName' })
    await sql`set enable_sort = off`.execute(db.read)
    const plan = await planOf(matches.orderBy(sql`${changeSorts('userManage')[sort]} desc`).limit(25))
    await sql`reset enable_sort`.execute(db.read)
    expect(plan).toContain('"Node Type":"Sort"')
  },
)

/** Texts without an index, and those too short for one: the month is all that is read. */
test('other texts are compared with the rows of the month', async () => {
  const others: [StoredLog, string, string][] = [
    ['networkAccess', 'processName', 'chrome'],
    ['networkAccess', 'userName', '김'],
    ['networkAccess', 'targetIp', '10'],
    ['account', 'ip', '10.0.0'],
    ['groupManage', 'actorGroupName', '연구'],
    ['licenseUse', 'deviceName', 'PC'],
    ['shortcutManage', 'targetData', 'https'],
  ]
  for (const [log, name, text] of others) {
    const plan = await planOf(matchEntries(db.read, reach, log, { ...MAY, [name]: text }))
    expect(isFoundByText(plan), `${log} ${name}`).toBe(false)
  }
  await planOf(matchSignIns(db.read, reach, 'clientLogin', { ...MAY, clientVersion: '9.8.7' }))
})
