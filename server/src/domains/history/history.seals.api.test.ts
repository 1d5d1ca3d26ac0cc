// The sealed history: what verification finds, and that a row that is being written is waited for.

import { type SqlBool, sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { historyWriter } from '../../../test/build/historyRows.ts'
import { days, later } from '../../clock.ts'
import { makeSecretKey } from '../../crypto/secretKey.ts'
import type { Tx } from '../../db/open.ts'
import { sealHistory } from './history.sealing.ts'
import { sealKeyOf } from './history.sealKey.ts'
import { findLastSeal } from './history.seals.ts'
import { verifyHistory } from './history.verify.ts'

const { app, owner, clock } = await startTestApp()
const { publicKey } = sealKeyOf(app.key)
const keptSince = later(clock.now(), -days(1095))
const verify = (more: Partial<Parameters<typeof verifyHistory>[1]> = {}) =>
  verifyHistory(app.db.read, { publicKey, keptSince, ...more })

const { add, beginRow } = historyWriter(app.db, clock)
const idxes = async () =>
  (await app.db.read.selectFrom('history').select('idx').orderBy('idx').execute()).map(({ idx }) => idx)

/** Changes tables as somebody who owns the database can, and takes it back after the test. */
const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})
const asOwner = (table: string, work: (tx: Tx) => Promise<unknown>) =>
  owner.transaction().execute(async (tx) => {
    await sql`alter table ${sql.id(table)} disable trigger user`.execute(tx)
    await work(tx)
    await sql`alter table ${sql.id(table)} enable trigger user`.execute(tx)
  })
const COLUMNS = sql`idx, kind, "logDT", "actorId", "actorName", "actorGroupName", subject, ip, type, result, detail`

async function removeRows(which: ReturnType<typeof sql<SqlBool>>): Promise<void> {
  await sql`create table taken as select ${COLUMNS} from history where ${which}`.execute(owner)
  await asOwner('history', (tx) => sql`delete from history where ${which}`.execute(tx))
  undo.push(async () => {
    await sql`insert into history (${COLUMNS}) overriding system value select ${COLUMNS} from taken`.execute(owner)
    await sql`drop table taken`.execute(owner)
  })
}

test('nothing is sealed of an empty history, and rows are sealed once', async () => {
  await sealHistory(app)
  expect(await findLastSeal(app.db.read)).toBeUndefined()
  await add(3)
  await sealHistory(app)
  await sealHistory(app)
  await add(2)
  expect(await verify()).toMatchObject({
    finding: undefined,
    seals: 1,
    rows: 3,
    dropped: 0,
    unsealed: 2,
    head: { no: 1 },
  })
  await sealHistory(app)
  expect(await verify()).toMatchObject({ finding: undefined, seals: 2, rows: 5, unsealed: 0, head: { no: 2 } })
})

test('seals cover ten thousand rows each', async () => {
  await add(10_001)
  await sealHistory(app)
  expect(await verify()).toMatchObject({ finding: undefined, seals: 4, rows: 10_006, unsealed: 0 })
})

test('the first missing row is found: in the middle, at the beginning, and where all are gone', async () => {
  const [first = 0, second = 0] = await idxes()
  await removeRows(sql`idx = ${second}`)
  expect((await verify()).finding).toEqual({ fault: 'missing', source: 'history', idx: second, no: 1 })
  await undo.pop()?.()
  await removeRows(sql`idx = ${first}`)
  expect((await verify()).finding).toEqual({ fault: 'missing', source: 'history', idx: first, no: 1 })
  await undo.pop()?.()
  await removeRows(sql`true`)
  expect((await verify()).finding).toEqual({ fault: 'missing', source: 'history', idx: first, no: 1 })
})

test('altered and removed seals are found, and those of another key', async () => {
  const broken = async (work: (tx: Tx) => Promise<unknown>) => {
    await sql`create table seals as select * from "historySeals"`.execute(owner)
    await asOwner('historySeals', work)
    const { finding } = await verify()
    await asOwner('historySeals', async (tx) => {
      await tx.deleteFrom('historySeals').execute()
      await sql`insert into "historySeals" select * from seals`.execute(tx)
    })
    await sql`drop table seals`.execute(owner)
    return finding
  }
  const update = (change: ReturnType<typeof sql>) => (tx: Tx) =>
    sql`update "historySeals" set ${change} where no = 2`.execute(tx)
  const found = { fault: 'seal', no: 2 }
  expect(await broken(update(sql`hashes = set_byte(hashes, 9, get_byte(hashes, 9) # 1)`))).toEqual(found)
  expect(await broken(update(sql`"sealDT" = "sealDT" + interval '1 second'`))).toEqual(found)
  expect(await broken(update(sql`signature = set_byte(signature, 0, get_byte(signature, 0) # 1)`))).toEqual(found)
  expect(await broken((tx) => tx.deleteFrom('historySeals').where('no', '=', 2).execute())).toEqual(found)
  const other = sealKeyOf(makeSecretKey(Buffer.alloc(32, 201))).publicKey
  expect((await verify({ publicKey: other })).finding).toEqual({ fault: 'seal', no: 1 })
  expect((await verify()).finding).toBeUndefined()
})

test('a row that is being written is waited for, so that no seal passes it', async () => {
  const commit = await beginRow()
  const sealing = sealHistory(app)
  await expect
    .poll(async () => (await sql`select from pg_locks where not granted`.execute(app.db.write)).rows.length)
    .toBe(1)
  await commit()
  await sealing
  expect(await verify()).toMatchObject({ finding: undefined, unsealed: 0 })
})

test('seals are only added', async () => {
  for (const db of [app.db.write, owner]) {
    await expect(db.deleteFrom('historySeals').execute()).rejects.toThrow()
    await expect(sql`truncate "historySeals"`.execute(db)).rejects.toThrow()
  }
})
