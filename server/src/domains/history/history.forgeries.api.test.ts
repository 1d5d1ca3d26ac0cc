// Forgeries of the history by an owner of its tables or with the server's role, and honest accidents. The server signs
// no forgery and reports the fault. An honest history continues.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SettingManage, SignInType } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { forging, keepHistory } from '../../../test/build/forgery.ts'
import { historyWriter } from '../../../test/build/historyRows.ts'
import { days, later } from '../../clock.ts'
import { makeSecretKey } from '../../crypto/secretKey.ts'
import { closeSignIns, insertSignIn } from '../session/signIns.ts'
import { acceptHistory } from './history.accept.ts'
import { headFile, keepHeadFile, NO_HEAD } from './history.head.ts'
import { keepHead, sealHistory } from './history.sealing.ts'
import { sealKeyOf } from './history.sealKey.ts'
import { BEGINNING, findLastSeal, hashOf } from './history.seals.ts'
import { verifyHistory } from './history.verify.ts'

const { app, owner, as, admin, clock } = await startTestApp()
const { add } = historyWriter(app.db, clock)
const status = () => as(admin).systemStatus.find({})
const { publicKey } = sealKeyOf(app.key)
const verify = (keptSince = later(clock.now(), -days(1095))) => verifyHistory(app.db.read, { publicKey, keptSince })
const lastNo = async () => (await findLastSeal(app.db.read))?.no ?? 0
const lastIdx = async () =>
  (await app.db.read.selectFrom('history').select('idx').orderBy('idx', 'desc').executeTakeFirstOrThrow()).idx

const person = {
  kind: 'web',
  userIdx: null,
  userId: 'kim',
  userName: '김',
  userGroupName: '',
  groupIdx: null,
  ip: '10.0.0.1',
  userRole: 2,
  type: SignInType.LOGIN,
} as const
/** Sign-ins whose sessions ended. */
const addSignIns = (count: number) =>
  app.db.write.transaction().execute(async (tx) => {
    for (let i = 0; i < count; i++) {
      const { idx, loginDT } = await insertSignIn(tx, clock.now(), person)
      await closeSignIns(tx, [{ signInIdx: idx, signInDT: loginDT, endDT: clock.now() }], 0)
    }
  })

/** Adds rows, and expects that nothing is sealed of them and that the system status says why. */
async function expectRefused(finding: string): Promise<void> {
  const before = await lastNo()
  await add(1)
  await sealHistory(app)
  expect(await lastNo()).toBe(before)
  const { faults, history } = await status()
  expect(faults).toContain('historyAltered')
  expect(history.finding).toContain(finding)
}

async function expectIntact(): Promise<void> {
  await sealHistory(app)
  expect(await verify()).toMatchObject({ finding: undefined, unsealed: 0 })
  expect((await status()).faults).not.toContain('historyAltered')
}

beforeAll(async () => {
  for (let i = 0; i < 3; i++) {
    await add(30)
    await addSignIns(60)
    await sealHistory(app)
  }
})

let kept: Awaited<ReturnType<typeof keepHistory>>
beforeEach(async () => {
  kept = await keepHistory(owner, app.env)
})
afterEach(async () => {
  await kept.put()
  await expectIntact()
})

test('a rewritten row, deleted rows and a deleted seal: the server seals nothing on top', async () => {
  await forging(owner, async (tx) => {
    await sql`update history set subject = 'forged' where idx = 40`.execute(tx)
    await sql`delete from history where idx between 41 and 61`.execute(tx)
    await tx.deleteFrom('historySeals').where('no', '>=', 4).execute()
  })
  await expectRefused('is not the expected one')
  await forging(owner, (tx) => tx.deleteFrom('historySeals').execute())
  await expectRefused('is not the expected one')
})

test('everything emptied: nothing is sealed, and it is not as it was sealed', async () => {
  await forging(owner, async (tx) => {
    for (const table of ['history', 'historySeals', 'signIns'] as const) await tx.deleteFrom(table).execute()
    await tx.deleteFrom('settings').where('name', 'like', 'history%').execute()
  })
  await expectRefused('is not the expected one')
})

test('a backdated row, added as the server’s own role, is not sealed', async () => {
  clock.advance(-days(40))
  await add(1)
  clock.advance(days(40))
  await expectRefused('is dated more than a day before')
})

test('a backdated sign-in is not sealed', async () => {
  await app.db.write.transaction().execute((tx) => insertSignIn(tx, later(clock.now(), -days(40)), person))
  await expectRefused('sign-in')
})

test('numbers below 1, and those that were never given out, are found and break no list', async () => {
  const forge = (idx: number) =>
    forging(owner, (tx) =>
      sql`insert into history (idx, kind, "logDT", "actorId", "actorName", "actorGroupName", subject, ip, type, detail)
        overriding system value select ${idx}, kind, "logDT", "actorId", "actorName", "actorGroupName", subject, ip, type, detail
        from history where idx = ${1}`.execute(tx),
    )
  await forge(-5)
  await expectRefused('row -5 has a number that the database never gave out')
  expect((await verify()).finding).toEqual({ fault: 'number', source: 'history', idx: -5 })
  const { items } = await as(admin).history.settingManage({ sort: 'idx', sortOrder: 0 })
  expect(items[0]?.idx).toBeGreaterThan(0)
  await forging(owner, (tx) => tx.deleteFrom('history').where('idx', '<', 1).execute())
  await expectIntact()
  await forge(2 ** 40)
  await expectRefused(`row ${2 ** 40} has a number`)
})

test('a row in a gap between sealed numbers is found', async () => {
  const gap = (await lastIdx()) + 1
  await sql`select nextval('history_idx_seq')`.execute(owner)
  await add(1)
  await sealHistory(app)
  await sql`insert into history (idx, kind, "logDT", "actorId", "actorName", "actorGroupName", subject, ip, type, detail)
    overriding system value values (${gap}, 'settingManage', ${clock.now()}, '', '', '', 'x', '', 2, '{}')`.execute(
    owner,
  )
  expect((await verify()).finding).toMatchObject({ fault: 'inserted', idx: gap })
})

const foreign = async (no: number) => {
  const content = {
    no,
    source: 'history',
    toIdx: 10 ** 6,
    rows: 0,
    firstDT: clock.now(),
    lastDT: clock.now(),
    hashes: Buffer.alloc(0),
    sealDT: clock.now(),
  } as const
  const before = (await findLastSeal(app.db.read))?.hash ?? BEGINNING
  const hash = hashOf(before, content)
  const key = sealKeyOf(makeSecretKey(Buffer.alloc(32, 99)))
  return { seal: { ...content, hash, signature: key.sign('seal', hash) }, before }
}

test('the server’s role adds a seal only behind the last one, and a foreign one stops the sealing', async () => {
  const call = async (no: number, isBehind = true) => {
    const { seal, before } = await foreign(no)
    return sql`select "addHistorySeal"(row(${seal.no}, ${seal.toIdx}, ${seal.rows}, ${seal.firstDT}, ${seal.hashes},
      ${seal.sealDT}, ${seal.hash}, ${seal.signature}, ${seal.source}, ${seal.lastDT})::"historySeals",
      ${isBehind ? before : BEGINNING})`.execute(app.db.write)
  }
  const { seal } = await foreign(99)
  await expect(app.db.write.insertInto('historySeals').values(seal).execute()).rejects.toMatchObject({ code: '42501' })
  await expect(call(99)).rejects.toMatchObject({ code: '42501' })
  const no = (await lastNo()) + 1
  await expect(call(no, false)).rejects.toMatchObject({ code: '42501' })
  await call(no)
  await expectRefused(`seal ${no} is missing, was altered, or was made with another key`)
})

/** Returns what a verification finds after a forgery, which is undone. */
async function found(statement: ReturnType<typeof sql>) {
  await forging(owner, (tx) => statement.execute(tx))
  const { finding } = await verify()
  await kept.putTables()
  return finding
}

/** Another value of a column, by its type. */
const OTHERS: Readonly<Record<string, (column: ReturnType<typeof sql>) => ReturnType<typeof sql>>> = {
  bigint: (column) => sql`coalesce(${column}, 0) + 1`,
  smallint: (column) => sql`coalesce(${column}, 0) + 1`,
  text: (column) => sql`case ${column} when 'web' then 'client' else ${column} || 'x' end`,
  jsonb: () => sql`'{"targetValue": "x"}'`,
  'timestamp with time zone': (column) => sql`${column} + interval '1 microsecond'`,
}

test.each(['history', 'signIns'] as const)('every column of %s is sealed', async (table) => {
  const columns = await sql<{ name: string; type: string }>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'
      and column_name not in ('idx', 'endNo')`.execute(owner)
  expect(columns.rows.length).toBeGreaterThan(10)
  for (const { name, type } of columns.rows) {
    const other = OTHERS[type]?.(sql`${sql.ref(name)}`)
    const forgery = sql`update ${sql.table(table)} set ${sql.ref(name)} = ${other} where idx = 70`
    const row = table === 'history' ? { source: table, idx: 70 } : {}
    expect(await found(forgery), name).toMatchObject({ fault: 'altered', ...row })
  }
})

test('fifty sign-ins rewritten, fifty deleted, and ends that are later than they were, are found', async () => {
  const altered = sql`update "signIns" set ip = '10.9.9.9' where idx in (select idx from "signIns" order by idx limit 50)`
  expect(await found(altered)).toMatchObject({ fault: 'altered', source: 'signIns' })
  const deleted = sql`delete from "signIns" where idx in (select idx from "signIns" order by idx offset 20 limit 50)`
  expect(await found(deleted)).toMatchObject({ fault: 'missing', source: 'signIns' })
  const later = sql`update "signIns" set "logoutDT" = "logoutDT" + interval '1 hour' where idx = 70`
  expect(await found(later)).toMatchObject({ fault: 'altered', source: 'signOuts' })
  const open = sql`update "signIns" set "logoutDT" = null, "logoutType" = null, "endNo" = null where idx = 70`
  expect(await found(open)).toMatchObject({ fault: 'missing', source: 'signOuts' })
})

test('a node without its last seal takes it from the database, which leaves a row and a fault for a day', async () => {
  await rm(headFile(app.env))
  await sealHistory(app)
  const row = await app.db.read
    .selectFrom('history')
    .select('type')
    .where('kind', '=', 'settingManage')
    .orderBy('idx', 'desc')
    .executeTakeFirstOrThrow()
  expect(row.type).toBe(SettingManage.TAKE_SEAL_HEAD)
  expect((await status()).faults).toContain('sealHeadTaken')
  await expectIntact()
})

test('without its last seal, a node accepts neither a cut history nor one that names no last seal', async () => {
  await rm(headFile(app.env))
  await forging(owner, (tx) => tx.deleteFrom('historySeals').where('no', '>', 4).execute())
  await expectRefused('is not the expected one')
  await kept.putTables()
  await forging(owner, (tx) => tx.deleteFrom('settings').where('name', '=', 'historyHead').execute())
  await expectRefused('is missing from the data directory')
})

test('the last seal of another installation, of another key, and an altered one are refused', async () => {
  const text = await readFile(headFile(app.env), 'utf8')
  await keepHeadFile(app.env, { ...NO_HEAD, origin: '00000000.0' }, sealKeyOf(app.key))
  await expectRefused('of another installation')
  await keepHeadFile(app.env, NO_HEAD, sealKeyOf(makeSecretKey(Buffer.alloc(32, 99))))
  await expectRefused('signed with another key')
  await writeFile(headFile(app.env), text.replace(/(\\"no\\":)\d+/, '$11'))
  await expectRefused('was altered')
})

test('a kill between the commit of a seal and its file: the next run continues', async () => {
  const before = await readFile(headFile(app.env))
  await add(2)
  await addSignIns(1)
  await sealHistory(app)
  await writeFile(headFile(app.env), before)
  await add(1)
  await expectIntact()
})

test('an older state of the database is refused until the operator accepts it, which leaves a row', async () => {
  await add(5)
  await sealHistory(app)
  const former = await lastNo()
  await kept.putTables()
  await expectRefused(`seal ${former} is not the expected one`)
  const accept = () => app.db.write.transaction().execute((tx) => acceptHistory(tx, app.env, app.key, clock.now()))
  const { head, log } = await accept()
  expect(log).toMatchObject({ type: SettingManage.ACCEPT_HISTORY })
  expect(log.detail.targetOldValue).toMatch(new RegExp(`^${former}:`))
  await keepHeadFile(app.env, head, sealKeyOf(app.key))
  await expectIntact()
  expect((await status()).faults).toContain('sealHeadTaken')
})

test('another node follows the seals, and finds a history that went back', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'acc-node-'))
  const other = { ...app, env: { ...app.env, dataDir } }
  await keepHead(other)
  await add(1)
  await sealHistory(app)
  expect(await keepHead(other)).toMatchObject({ no: await lastNo() })
  await kept.put()
  expect(await keepHead(other)).toMatchObject({ fault: 'head' })
  await expectIntact()
  await rm(dataDir, { recursive: true })
})

/** Rows of a month of their own, which were sealed then. */
async function addMonth(day: string, count: number): Promise<void> {
  await forging(owner, async (tx) => {
    await sql`select "makePartitions"('history', ${day}::date, 1), "makePartitions"('signIns', ${day}::date, 1)`.execute(
      tx,
    )
  })
  const now = clock.now()
  clock.set(new Date(`${day}T00:00:00Z`))
  await add(count)
  await addSignIns(count)
  clock.set(now)
}
const dropMonth = (month: string) =>
  sql`drop table ${sql.id(`history_${month}`)}, ${sql.id(`signIns_${month}`)}`.execute(owner)

test('rows that retention dropped with their month are excused, and no others: not where a seal straddles its bound', async () => {
  // Everything anew: an old month, rows of its time in the default partition, and new rows, all in the same seals.
  await forging(owner, async (tx) => {
    for (const table of ['history', 'historySeals', 'signIns', 'historyOutlets'] as const)
      await tx.deleteFrom(table).execute()
    await tx.deleteFrom('settings').where('name', 'like', 'history%').execute()
  })
  await rm(headFile(app.env))
  const now = clock.now()
  clock.set(new Date('2018-12-31T00:00:00Z'))
  await add(2)
  clock.set(now)
  await addMonth('2019-01-15', 4)
  await add(5)
  await addSignIns(3)
  await sealHistory(app)
  const since = new Date('2020-01-10T00:00:00Z')
  expect(await verify(since)).toMatchObject({ finding: undefined, dropped: 0 })
  const months = await keepHistory(owner, app.env)
  const last = await lastIdx()

  await forging(owner, (tx) =>
    tx
      .deleteFrom('history')
      .where('idx', '=', last - 6)
      .execute(),
  )
  expect((await verify(since)).finding).toMatchObject({ fault: 'missing', source: 'history', idx: last - 6 })
  await months.putTables()
  await dropMonth('201901')
  expect(await verify(since)).toMatchObject({ finding: undefined, dropped: 12 })
  expect((await verify(new Date('2019-01-20T00:00:00Z'))).finding).toMatchObject({ fault: 'missing' })
  await forging(owner, (tx) => tx.deleteFrom('history').where('idx', '=', last).execute())
  expect((await verify(since)).finding).toMatchObject({ fault: 'missing', source: 'history', idx: last })
  await kept.put()
})
