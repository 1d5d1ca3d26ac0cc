// Imports of group managers: the groups where they hold level 2 on users, and nothing else, not even to know of it.
import { ImportAction, ImportFault, ImportRefusal, ImportState } from '@acc/contract/labels/userImports'
import { UserState } from '@acc/contract/labels/users'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { fileOf, HEADER, importsOf } from './userImports.fixture.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const { sales, rnd, west } = await buildGroups(db, 'sales', 'sales/east', 'rnd', 'rnd/west')
const manager = await buildManager(db, { groups: [sales], user: 2, as: { group: sales } })
const imports = importsOf(app, as(manager))
afterEach(imports.cancelOpen)

const faultsOf = async (idx: number) =>
  (await imports.rows(idx)).map(({ action, faults }) => [
    action,
    ...faults.map(({ field, fault, hint }) => [field, fault, hint]),
  ])

test('groups out of reach do not exist, and no suggestion names one', async () => {
  const run = await imports.plan(
    fileOf([
      HEADER,
      ['in.reach', 'A', 'a@acc.kr', 'sales > east'],
      ['by.child', 'B', 'b@acc.kr', 'east'],
      ['foreign', 'C', 'c@acc.kr', 'rnd'],
      ['near.foreign', 'D', 'd@acc.kr', 'rnt'],
      ['by.key', 'E', 'e@acc.kr', sales.key],
      ['by.root', 'F', 'f@acc.kr', 'rnd > west'],
    ]),
    { addsGroups: 1 },
  )
  const none = [ImportAction.ERROR, ['group', ImportFault.NO_GROUP, '']]
  expect(await faultsOf(run.idx)).toEqual([[ImportAction.CREATE], [ImportAction.CREATE], none, none, none, none])
})

test('a foreign account, an ID that is free and a foreign address look as they do when one is created', async () => {
  const foreign = await buildUser(db, { group: rnd, id: 'foreign.one', importSource: 0 })
  const run = await imports.plan(
    fileOf([
      HEADER,
      ['foreign.one', 'A', 'a@acc.kr', 'sales'],
      ['another.one', 'B', foreign.email, 'sales'],
      ['free.one', 'C', 'c@acc.kr', 'sales'],
    ]),
    { adopts: 1, isComplete: 1 },
  )
  expect(await faultsOf(run.idx)).toEqual([
    [ImportAction.ERROR, ['id', ImportFault.TAKEN, '']],
    [ImportAction.ERROR, ['email', ImportFault.TAKEN, '']],
    [ImportAction.CREATE],
  ])
  expect((await imports.rows(run.idx)).map(({ userIdx }) => userIdx)).toEqual([null, null, null])
  const create = as(manager).users.create({
    id: 'foreign.one',
    name: 'A',
    email: 'z@acc.kr',
    groupIdx: sales.idx,
    isMortal: 0,
  })
  await expect(create).rejects.toMatchObject({ error: 'DUPLICATE_ID' })
})

test('administrators, other managers, oneself and people of a synchronization are not changed', async () => {
  const build = (id: string, columns = {}) => buildUser(db, { group: sales, id, importSource: 0, ...columns })
  await build('some.admin', { isAdmin: 1 })
  const other = await build('other.manager')
  await buildAuthority(db, { groups: [rnd], users: [other], log: 1 })
  await build('synced.one', { importSource: 2 })
  await build('made.by.hand', { importSource: null })
  await db.write.updateTable('users').set({ importSource: 0 }).where('idx', '=', manager.idx).execute()
  const ids = ['some.admin', 'other.manager', 'synced.one', manager.id, 'made.by.hand']
  const run = await imports.plan(fileOf([['id', 'name'], ...ids.map((id) => [id, 'New name'])]), { adopts: 1 })
  expect(await faultsOf(run.idx)).toEqual([
    [ImportAction.ERROR, [null, ImportFault.ADMIN, '']],
    [ImportAction.ERROR, [null, ImportFault.NOT_ALLOWED, '']],
    [ImportAction.ERROR, [null, ImportFault.OTHER_SOURCE, '']],
    [ImportAction.ERROR, [null, ImportFault.SELF, '']],
    [ImportAction.UPDATE],
  ])
  await imports.cancelOpen()
  const complete = await imports.plan(fileOf([HEADER, ['only.one', 'A', 'only@acc.kr', 'sales']]), { isComplete: 1 })
  // Nobody of them is missing: neither administrators nor managers nor oneself.
  expect(complete.counts).toMatchObject({ create: 1, disable: 0 })
})

test('missing people are those of the managed groups', async () => {
  const [own] = [
    await buildUser(db, { group: sales, id: 'own.missing', importSource: 0 }),
    await buildUser(db, { group: west, id: 'west.missing', importSource: 0 }),
  ]
  const run = await imports.plan(fileOf([HEADER, ['new.only', 'A', 'new.only@acc.kr', 'sales']]), { isComplete: 1 })
  const rows = (await imports.rows(run.idx)).filter(({ action }) => action === ImportAction.DISABLE)
  expect(rows.map(({ userIdx, id }) => [userIdx, id])).toEqual([[own.idx, 'own.missing']])
  await imports.apply(run.idx)
  const states = await db.read
    .selectFrom('users')
    .select(['id', 'state'])
    .where('id', 'like', '%.missing')
    .orderBy('id')
    .execute()
  expect(states).toEqual([
    { id: 'own.missing', state: UserState.DISABLED },
    { id: 'west.missing', state: UserState.NORMAL },
  ])
})

test('groups are created only where the manager holds level 2 on policies', async () => {
  const file = () => fileOf([HEADER, ['in.new', 'A', 'in.new@acc.kr', 'sales > fresh group']])
  const without = await imports.plan(file(), { addsGroups: 1 })
  expect(without.counts).toMatchObject({ error: 1, groups: 0 })
  const planner = await buildManager(db, { groups: [sales], user: 2, policy: 2 })
  const own = importsOf(app, as(planner))
  const run = await own.plan(file(), { addsGroups: 1 })
  expect(run.counts).toMatchObject({ create: 1, groups: 1 })
  await db.write.updateTable('authorities').set({ policy: 1 }).where('idx', '=', planner.authorityIdx).execute()
  const done = await own.apply(run.idx)
  expect(done.counts).toMatchObject({ applied: 0, failed: 1, groups: 0 })
  expect(await db.read.selectFrom('groups').select('idx').where('name', '=', 'fresh group').execute()).toEqual([])
})

test('keys are for administrators: the column is refused, and no answer has them', async () => {
  const refused = await imports.plan(
    fileOf([
      ['key', 'id'],
      ['k', 'some.one'],
    ]),
  )
  expect(refused).toMatchObject({ state: ImportState.REFUSED, refusal: { reason: ImportRefusal.ADMIN_COLUMN } })
  const run = await imports.plan(fileOf([HEADER, ['no.key', 'A', 'no.key@acc.kr', 'sales']]))
  expect((await imports.rows(run.idx))[0]).not.toHaveProperty('key')
  expect((await importsOf(app, as(admin)).rows(run.idx))[0]).toHaveProperty('key')
})

test('the run of a manager is in no list of another one; an administrator sees it and may direct it', async () => {
  const other = await buildManager(db, { groups: [sales], user: 2 })
  const { idx } = await imports.plan(fileOf([HEADER, ['mine.only', 'A', 'mine@acc.kr', 'sales']]))
  expect((await as(other).userImports.search({})).items).toEqual([])
  const run = await importsOf(app, as(admin)).apply(idx)
  expect(run).toMatchObject({ state: ImportState.DONE, counts: { applied: 1 }, authorName: manager.name })
})
