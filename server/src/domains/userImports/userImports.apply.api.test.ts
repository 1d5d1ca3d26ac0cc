// Applying a plan: together with other changes, interrupted, paused, canceled, and after a right was withdrawn.
import { ImportFault, ImportResult, ImportState } from '@acc/contract/labels/userImports'
import { UserState } from '@acc/contract/labels/users'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, expect, inject, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { applyBlock, BLOCK } from './userImports.apply.ts'
import { fileOf, HEADER, importsOf } from './userImports.fixture.ts'
import { advanceRun, continueRuns } from './userImports.jobs.ts'
import { findRun } from './userImports.queries.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const { sales, rnd } = await buildGroups(db, 'sales', 'rnd')
const imports = importsOf(app, as(admin))
afterEach(imports.cancelOpen)

const people = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => [`${prefix}.${at}`, `Person ${at}`, `${prefix}${at}@acc.kr`, 'sales'])
const countOf = async (prefix: string) =>
  (await db.read.selectFrom('users').select('idx').where('id', 'like', `${prefix}.%`).execute()).length
const createdLogs = async (importIdx: number) =>
  (await historyOf(db, 'userManage')).filter(({ detail }) => detail.importIdx === importIdx).length
const run = async (idx: number) => {
  const found = await findRun(db.read, idx)
  if (found === undefined) throw new Error('no such run')
  return found
}
const build = (id: string, columns = {}) =>
  buildUser(db, { group: sales, id, email: `${id}@acc.kr`, key: `key-${id}`, importSource: 0, ...columns })
const userOf = (id: string) => db.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

test('a run that was interrupted between blocks continues, and nobody is applied twice', async () => {
  const count = 2 * BLOCK + 7
  const { idx } = await imports.plan(fileOf([HEADER, ...people('killed', count)]))
  await as(admin).userImports.apply({ idx })
  // The server applies one block and is gone: its job does not come back.
  await applyBlock(app, await run(idx))
  expect([await countOf('killed'), (await run(idx)).doneRows]).toEqual([BLOCK, BLOCK])
  await continueRuns(app)
  await imports.settle()
  expect(await run(idx)).toMatchObject({ state: ImportState.DONE, counts: { applied: count, failed: 0 } })
  expect([await countOf('killed'), await createdLogs(idx)]).toEqual([count, count])
})

test('a run whose connections are cut fifty times continues: nobody twice, nobody lost', async () => {
  const count = 3 * BLOCK
  const { idx } = await imports.plan(fileOf([HEADER, ...people('cut', count)]))
  await as(admin).userImports.apply({ idx })
  const superuser = new pg.Client({ ...inject('postgres'), user: 'postgres', database: 'postgres' })
  await superuser.connect()
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db.read)
  let isDone = false
  const work = async () => {
    while (!isDone) {
      await advanceRun(app, idx).catch(() => undefined)
      isDone = await run(idx)
        .then(({ state }) => state === ImportState.DONE)
        .catch(() => false)
    }
  }
  const cut = async () => {
    for (let cuts = 0; cuts < 50 && !isDone; ) {
      const { rowCount } = await superuser.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = $1 and query ~ '(users|history|userImport)' and state in ('active', 'idle in transaction')`,
        [rows[0]?.name],
      )
      cuts += rowCount ?? 0
    }
  }
  await Promise.all([work(), cut()])
  await superuser.end()
  expect(await run(idx)).toMatchObject({ state: ImportState.DONE, counts: { applied: count, failed: 0, skipped: 0 } })
  expect([await countOf('cut'), await createdLogs(idx)]).toEqual([count, count])
})

test('two nodes that continue a run apply each row once', async () => {
  const { idx } = await imports.plan(fileOf([HEADER, ...people('shared', 2 * BLOCK)]))
  await as(admin).userImports.apply({ idx })
  const found = await run(idx)
  const work = async () => {
    while (await applyBlock(app, found));
  }
  await Promise.all([advanceRun(app, idx), work(), work()])
  expect(await run(idx)).toMatchObject({ state: ImportState.DONE, counts: { applied: 2 * BLOCK } })
  expect([await countOf('shared'), await createdLogs(idx)]).toEqual([2 * BLOCK, 2 * BLOCK])
  expect((await historyOf(db, 'userImport')).filter(({ subjectIdx }) => subjectIdx === idx)).toHaveLength(1)
})

test('a paused run continues where it stopped, and a canceled one keeps the applied part', async () => {
  const { idx } = await imports.plan(fileOf([HEADER, ...people('paused', 2 * BLOCK + 1)]))
  await as(admin).userImports.apply({ idx })
  await applyBlock(app, await run(idx))
  await as(admin).userImports.pause({ idx })
  expect(await applyBlock(app, await run(idx))).toBe(false)
  await expect(as(admin).userImports.pause({ idx })).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  await as(admin).userImports.apply({ idx })
  await applyBlock(app, await run(idx))
  await as(admin).userImports.cancel({ idx })
  expect(await applyBlock(app, await run(idx))).toBe(false)
  expect(await countOf('paused')).toBe(2 * BLOCK)
  expect((await historyOf(db, 'userImport')).at(-1)).toMatchObject({ type: 1, detail: { createCount: 2 * BLOCK } })
  await expect(as(admin).userImports.cancel({ idx })).rejects.toMatchObject({ error: 'REQUEST_STATE' })
})

test('of two callers who apply, only one succeeds, and a cancel at the same time leaves one end', async () => {
  const { idx } = await imports.plan(fileOf([HEADER, ...people('raced', 3)]))
  const calls = [1, 2].map(() => as(admin).userImports.apply({ idx }))
  const results = await Promise.allSettled(calls)
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await Promise.all([
    advanceRun(app, idx),
    as(admin)
      .userImports.cancel({ idx })
      .catch(() => undefined),
  ])
  const ended = await run(idx)
  expect(await countOf('raced')).toBe(ended.counts.applied)
  expect((await historyOf(db, 'userImport')).filter(({ subjectIdx }) => subjectIdx === idx)).toHaveLength(1)
})

test('people who changed or were deleted after the plan are skipped', async () => {
  const [changed, deleted, other] = [await build('changed'), await build('deleted'), await build('unseen')]
  const { idx } = await imports.plan(
    fileOf([
      ['id', 'name'],
      ['changed', 'New 1'],
      ['deleted', 'New 2'],
      ['unseen', 'New 3'],
    ]),
  )
  await as(admin).users.update({ idx: changed.idx, name: 'By hand' })
  await as(admin).users.remove({ idxes: [deleted.idx] })
  const done = await imports.apply(idx)
  expect(done.counts).toMatchObject({ applied: 1, skipped: 2, failed: 0 })
  expect([(await userOf('changed'))?.name, await userOf('deleted'), (await userOf('unseen'))?.idx]).toEqual([
    'By hand',
    undefined,
    other.idx,
  ])
})

test('an ID or address that somebody took after the plan fails its row alone', async () => {
  const { idx } = await imports.plan(fileOf([HEADER, ...people('taken', 3)]))
  await buildUser(db, { id: 'taken.1' })
  await buildUser(db, { email: 'TAKEN2@acc.kr' })
  const done = await imports.apply(idx)
  expect(done.counts).toMatchObject({ applied: 1, failed: 2 })
  const rows = await imports.rows(idx)
  expect(rows.map(({ result, faults }) => [result, ...faults])).toEqual([
    [ImportResult.APPLIED],
    [ImportResult.FAILED, { field: 'id', fault: ImportFault.TAKEN, hint: '' }],
    [ImportResult.FAILED, { field: 'email', fault: ImportFault.TAKEN, hint: '' }],
  ])
})

test('people are created by hand while a file with the same IDs is applied: each exists once', async () => {
  const rows = people('both', 40)
  const { idx } = await imports.plan(fileOf([HEADER, ...rows]))
  await as(admin).userImports.apply({ idx })
  const creating = rows.slice(0, 8).map(([id = '', name = '', email = '']) =>
    as(admin)
      .users.create({ id, name, email, groupIdx: rnd.idx, isMortal: 0 })
      .then(
        () => 1,
        () => 0,
      ),
  )
  const [, ...byHand] = await Promise.all([advanceRun(app, idx), ...creating])
  const { counts } = await run(idx)
  expect(await countOf('both')).toBe(40)
  expect((counts.applied ?? 0) + byHand.reduce<number>((sum, one) => sum + Number(one), 0)).toBe(40)
})

test('people exchange addresses and IDs; the sources of a value that stays are errors', async () => {
  for (const id of ['swap.one', 'swap.two', 'ring.one', 'ring.two', 'ring.three', 'keeper', 'wanter']) await build(id)
  const { idx, counts } = await imports.plan(
    fileOf([
      ['key', 'id', 'email'],
      ['key-swap.one', 'swap.two', 'swap.two@acc.kr'],
      ['key-swap.two', 'swap.one', 'swap.one@acc.kr'],
      ['key-ring.one', '', 'ring.two@acc.kr'],
      ['key-ring.two', '', 'ring.three@acc.kr'],
      ['key-ring.three', '', 'ring.one@acc.kr'],
      ['key-wanter', '', 'keeper@acc.kr'],
      ['key-keeper', 'keeper', ''],
    ]),
  )
  expect(counts).toMatchObject({ update: 5, error: 1, unchanged: 1 })
  const done = await imports.apply(idx)
  expect(done.counts).toMatchObject({ applied: 5, failed: 0 })
  const found = await db.read
    .selectFrom('users')
    .select(['key', 'id', 'email'])
    .where('key', 'like', 'key-%ing.%')
    .orderBy('key')
    .execute()
  expect(found.map(({ email }) => email)).toEqual(['ring.two@acc.kr', 'ring.one@acc.kr', 'ring.three@acc.kr'])
  expect(await userOf('swap.two')).toMatchObject({ key: 'key-swap.one', email: 'swap.two@acc.kr' })
})

test('of a chain nothing is applied if one of its people was changed by hand', async () => {
  const [first] = [await build('chain.one'), await build('chain.two')]
  const { idx } = await imports.plan(
    fileOf([
      ['id', 'email'],
      ['chain.one', 'chain.two@acc.kr'],
      ['chain.two', 'chain.one@acc.kr'],
    ]),
  )
  await as(admin).users.update({ idx: first.idx, name: 'By hand' })
  const done = await imports.apply(idx)
  expect(done.counts).toMatchObject({ applied: 0, skipped: 2 })
  expect(await userOf('chain.two')).toMatchObject({ email: 'chain.two@acc.kr' })
})

test.each([
  ['loses the authority', (idx: number) => db.write.deleteFrom('authorityUsers').where('userIdx', '=', idx).execute()],
  ['is suspended', (idx: number) => as(admin).users.setDisabled({ idx, state: UserState.DISABLED })],
  [
    'expires',
    (idx: number) =>
      db.write.updateTable('users').set({ isMortal: 1, expireDT: '2000-01-01' }).where('idx', '=', idx).execute(),
  ],
  ['is deleted', (idx: number) => as(admin).users.remove({ idxes: [idx] })],
])('an author who %s between plan and end changes nobody any more', async (_, withdraw) => {
  const manager = await buildManager(db, { groups: [sales], user: 2 })
  const prefix = `by${manager.idx}`
  const own = importsOf(app, as(manager))
  const { idx } = await own.plan(fileOf([HEADER, ...people(prefix, BLOCK + 3)]))
  await as(manager).userImports.apply({ idx })
  await applyBlock(app, await run(idx))
  await withdraw(manager.idx)
  await advanceRun(app, idx)
  expect(await run(idx)).toMatchObject({
    state: ImportState.DONE,
    authorName: manager.name,
    counts: { applied: BLOCK, failed: 3 },
  })
  expect(await countOf(prefix)).toBe(BLOCK)
  const rows = await db.read
    .selectFrom('userImportRows')
    .select('faults')
    .where('importIdx', '=', idx)
    .where('result', '=', ImportResult.FAILED)
    .execute()
  expect(rows).toHaveLength(3)
  expect(rows[0]?.faults).toEqual([{ field: null, fault: ImportFault.NOT_ALLOWED, hint: '' }])
})
