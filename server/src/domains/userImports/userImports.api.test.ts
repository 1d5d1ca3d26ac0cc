// From a file to changed people: the plan, and what applying leaves behind.
import { UserImportEvent } from '@acc/contract/labels/history'
import { ImportAction, ImportFault, ImportRefusal, ImportResult, ImportState } from '@acc/contract/labels/userImports'
import { UserState } from '@acc/contract/labels/users'
import { MAX_IMPORT_FILE } from '@acc/contract/userImports'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { fileOf, importsOf } from './userImports.fixture.ts'

const { app, as, admin, fetchAs } = await startTestApp()
const { db } = app
const { sales, rnd, east } = await buildGroups(db, 'sales', 'rnd', 'sales/east')
const imports = importsOf(app, as(admin))
afterEach(imports.cancelOpen)
const HEADER = ['id', 'name', 'email', 'group', 'expireDT', 'isEnabled']

const userOf = (id: string) => db.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
const historyOfRun = async (importIdx: number) =>
  (await historyOf(db, 'userManage')).filter(({ detail }) => detail.importIdx === importIdx)

test('new people are created with their history once the plan is applied', async () => {
  const file = fileOf([HEADER, ['haneul.kim', '김하늘', 'haneul@acc.kr', 'sales > east', '', '1']])
  const run = await imports.plan(file)
  expect(run).toMatchObject({
    state: ImportState.PLANNED,
    fileName: 'people.csv',
    fields: HEADER,
    counts: { create: 1, error: 0 },
    brake: null,
  })
  expect(await imports.rows(run.idx)).toMatchObject([
    {
      line: 2,
      action: ImportAction.CREATE,
      id: 'haneul.kim',
      group: 'sales > east',
      result: ImportResult.WAITING,
      changes: [
        { field: 'id', old: null, new: 'haneul.kim' },
        { field: 'name', old: null, new: '김하늘' },
        { field: 'email', old: null, new: 'haneul@acc.kr' },
        { field: 'group', old: null, new: 'sales > east' },
      ],
    },
  ])
  expect(await userOf('haneul.kim')).toBeUndefined()
  const done = await imports.apply(run.idx)
  expect(done).toMatchObject({ state: ImportState.DONE, counts: { applied: 1, failed: 0 }, isEditable: 0 })
  const user = await userOf('haneul.kim')
  expect(user).toMatchObject({ groupIdx: east.idx, importSource: 0, state: UserState.NEW, isMortal: 0, pwHash: null })
  expect(await historyOfRun(run.idx)).toMatchObject([
    { type: 0, actorIdx: admin.idx, subjectIdx: user?.idx, detail: { targetName: '김하늘', targetGroupName: 'east' } },
  ])
  expect((await historyOf(db, 'userImport')).at(-1)).toMatchObject({
    type: 0,
    subjectIdx: run.idx,
    actorIdx: admin.idx,
    detail: { fileName: 'people.csv', fileHash: run.hash, createCount: 1, failCount: 0 },
  })
  await expect(as(admin).userImports.apply({ idx: run.idx })).rejects.toMatchObject({ error: 'REQUEST_STATE' })
})

test('changed cells change people of the source; empty cells and absent columns keep, and - clears', async () => {
  const built = await buildUser(db, {
    group: sales,
    id: 'bada.lee',
    email: 'bada@acc.kr',
    name: '이바다',
    importSource: 0,
    isMortal: 1,
    expireDT: '2030-01-01',
  })
  const run = await imports.plan(
    fileOf([
      ['id', 'name', 'email', 'expireDT'],
      ['bada.lee', '', 'new.bada@acc.kr', '-'],
    ]),
  )
  expect(await imports.rows(run.idx)).toMatchObject([
    {
      action: ImportAction.UPDATE,
      userIdx: built.idx,
      changes: [
        { field: 'email', old: 'bada@acc.kr', new: 'new.bada@acc.kr' },
        { field: 'expireDT', old: '2030-01-01', new: '' },
      ],
    },
  ])
  await imports.apply(run.idx)
  expect(await userOf('bada.lee')).toMatchObject({
    name: '이바다',
    email: 'new.bada@acc.kr',
    isMortal: 0,
    expireDT: null,
    groupIdx: sales.idx,
    revision: 2,
  })
  const again = await imports.plan(
    fileOf([
      ['id', 'email'],
      ['bada.lee', 'new.bada@acc.kr'],
    ]),
  )
  expect(again.counts).toMatchObject({ unchanged: 1, update: 0 })
  await expect(as(admin).userImports.apply({ idx: again.idx })).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  const mails = await db.read.selectFrom('mails').select(['receiver', 'subject']).execute()
  expect(mails).toContainEqual({
    receiver: 'bada@acc.kr',
    subject: expect.stringContaining('Your email address was changed'),
  })
})

test('moving, suspending and releasing are separate actions; a suspension by a person stays', async () => {
  const build = (id: string, columns = {}) =>
    buildUser(db, { group: sales, id, email: `${id}@acc.kr`, importSource: 0, ...columns })
  const [, leaving] = [await build('moving'), await build('leaving')]
  await build('returning', { state: UserState.DISABLED, importSuspended: 1 })
  await build('banned', { state: UserState.DISABLED })
  const browser = as(leaving)
  await browser.session.find({})
  const run = await imports.plan(
    fileOf([
      ['id', 'group', 'isEnabled'],
      ['moving', 'rnd', ''],
      ['leaving', '', '퇴직'],
      ['returning', '', '재직'],
      ['banned', '', '1'],
    ]),
  )
  expect(
    (await imports.rows(run.idx)).map(({ id, action, faults }) => [id, action, faults.map(({ fault }) => fault)]),
  ).toEqual([
    ['moving', ImportAction.MOVE, []],
    ['leaving', ImportAction.DISABLE, []],
    ['returning', ImportAction.ENABLE, []],
    ['banned', ImportAction.UNCHANGED, [ImportFault.SUSPENDED]],
  ])
  await imports.apply(run.idx)
  expect([
    await userOf('moving'),
    await userOf('leaving'),
    await userOf('returning'),
    await userOf('banned'),
  ]).toMatchObject([
    { groupIdx: rnd.idx },
    { state: UserState.DISABLED, importSuspended: 1 },
    { state: UserState.NORMAL, importSuspended: 0 },
    { state: UserState.DISABLED, importSuspended: 0 },
  ])
  await expect(browser.session.find({})).rejects.toMatchObject({ error: 'SESSION_ENDED' })
})

test('a person who was released by hand and suspended again stays suspended', async () => {
  const user = await buildUser(db, {
    id: 'twice.banned',
    importSource: 0,
    state: UserState.DISABLED,
    importSuspended: 1,
  })
  await as(admin).users.setDisabled({ idx: user.idx, state: UserState.NORMAL })
  await as(admin).users.setDisabled({ idx: user.idx, state: UserState.DISABLED })
  const run = await imports.plan(
    fileOf([
      ['id', 'isEnabled'],
      ['twice.banned', '1'],
    ]),
  )
  expect(run.counts).toMatchObject({ unchanged: 1, enable: 0 })
})

test('faults name the field, and what would be right', async () => {
  await buildUser(db, { id: 'by.hand', email: 'by.hand@acc.kr' })
  const run = await imports.plan(
    fileOf([
      HEADER,
      ['ab', 'Too short', 'short@acc.kr', 'sales', '', ''],
      ['good.one', '', 'no-address', 'saels', '2020-01-01', 'maybe'],
      ['twin.one', 'A', 'twin1@acc.kr', 'sales', '', ''],
      ['twin.one', 'B', 'twin2@acc.kr', 'sales', '', ''],
      ['by.hand', 'C', '', '', '', ''],
      ['stealer', 'D', 'by.hand@acc.kr', 'sales', '', ''],
      [admin.id, 'E', '', '', '', ''],
      ['cut.off', 'F'],
    ]),
  )
  const rows = await imports.rows(run.idx)
  expect(rows.every(({ action }) => action === ImportAction.ERROR)).toBe(true)
  expect(
    rows.map(({ line, faults }) => [line, ...faults.map(({ field, fault, hint }) => [field, fault, hint])]),
  ).toEqual([
    [2, ['id', ImportFault.FORMAT, 'gildong.hong']],
    [
      3,
      ['email', ImportFault.FORMAT, 'gildong@example.com'],
      ['isEnabled', ImportFault.FORMAT, '1, 0'],
      ['group', ImportFault.NO_GROUP, 'sales'],
      ['name', ImportFault.MISSING, ''],
      ['expireDT', ImportFault.EXPIRY, ''],
    ],
    [4, ['id', ImportFault.REPEATED, '5']],
    [5, ['id', ImportFault.REPEATED, '4']],
    [6, [null, ImportFault.OTHER_SOURCE, '']],
    [7, ['email', ImportFault.TAKEN, '']],
    [8, [null, ImportFault.ADMIN, '']],
    [9, [null, ImportFault.CELLS, '2'], ['email', ImportFault.MISSING, ''], ['group', ImportFault.MISSING, '']],
  ])
})

test('accounts that were made by hand are adopted only if the author chooses it', async () => {
  const built = await buildUser(db, { id: 'own.account', group: sales })
  const file = () =>
    fileOf([
      ['id', 'group'],
      ['own.account', 'rnd'],
    ])
  const refused = await imports.plan(file())
  expect(refused.counts).toMatchObject({ error: 1 })
  await imports.cancelOpen()
  const run = await imports.plan(file(), { adopts: 1 })
  await imports.apply(run.idx)
  expect(await userOf('own.account')).toMatchObject({ idx: built.idx, importSource: 0, groupIdx: rnd.idx })
})

test('missing groups are created if the author chooses it, and only those that somebody needs', async () => {
  const file = () =>
    fileOf([
      HEADER,
      ['new.group', 'A', 'new.group@acc.kr', 'rnd > 영업 > beta', '', ''],
      ['x', 'B', 'b', 'rnd > unused', '', ''],
    ])
  const refused = await imports.plan(file())
  expect(refused.counts).toMatchObject({ error: 2, groups: 0 })
  await imports.cancelOpen()
  const run = await imports.plan(file(), { addsGroups: 1 })
  expect(run.counts).toMatchObject({ create: 1, groups: 2 })
  await imports.apply(run.idx)
  const group = await db.read.selectFrom('groups').selectAll().where('name', '=', 'beta').executeTakeFirstOrThrow()
  expect(await userOf('new.group')).toMatchObject({ groupIdx: group.idx })
  expect(group.path).toHaveLength(4)
  expect((await historyOf(db, 'groupManage')).map(({ subject, actorIdx }) => [subject, actorIdx])).toEqual([
    ['영업', admin.idx],
    ['beta', admin.idx],
  ])
})

test('a file that cannot be read is refused as a whole', async () => {
  const cases: [string, ImportRefusal, Partial<Record<'line' | 'text' | 'hint', unknown>>][] = [
    ['id,nmae\r\na,b', ImportRefusal.UNKNOWN_COLUMN, { line: 1, text: 'nmae', hint: 'Name' }],
    ['아이디,이멜일\r\na,b', ImportRefusal.UNKNOWN_COLUMN, { text: '이멜일', hint: '이메일' }],
    ['id,ID\r\na,b', ImportRefusal.REPEATED_COLUMN, {}],
    ['id,name\r\nabc,b\0c', ImportRefusal.ENCODING, { line: 2 }],
    ['id,name\r\nabcde,ok\r\nfghij,"half', ImportRefusal.BROKEN, { line: 3 }],
    [`id,name\r\n${','.repeat(100_000)}`, ImportRefusal.BROKEN, { line: 2 }],
  ]
  for (const [content, reason, more] of cases) {
    const run = await imports.plan(fileOf(content))
    expect(run).toMatchObject({ state: ImportState.REFUSED, refusal: { reason, ...more } })
  }
  const refused = (await historyOf(db, 'userImport')).filter(({ type }) => type === UserImportEvent.REFUSED)
  expect(refused.map(({ actorIdx, detail }) => [actorIdx, detail.refusal])).toEqual(
    cases.map(([, reason]) => [admin.idx, reason]),
  )
})

test('a file over the limit is refused by its form, and one of quotes at the limit by its text', async () => {
  const large = fileOf(Buffer.alloc(MAX_IMPORT_FILE + 1, 'a'))
  await expect(as(admin).userImports.upload({}, large)).rejects.toMatchObject({ code: 413 })
  const quotes = await imports.plan(fileOf(Buffer.alloc(MAX_IMPORT_FILE, '"')))
  expect(quotes.refusal?.reason).toBe(ImportRefusal.BROKEN)
})

test.each(['ko', 'en'])('the example of a file makes a plan without faults: %s', async (language) => {
  const response = await fetchAs(admin)('/Users/Import/Template', { headers: { 'accept-language': language } })
  const { counts } = await imports.plan(fileOf(Buffer.from(await response.arrayBuffer())), { addsGroups: 1 })
  expect(counts).toMatchObject({ error: 0, unchanged: 0 })
  expect(counts.create).toBeGreaterThan(0)
})

test('a person has one open run', async () => {
  const file = () =>
    fileOf([
      ['id', 'name'],
      ['moving', 'A'],
    ])
  const results = await Promise.allSettled([1, 2].map(() => as(admin).userImports.upload({}, file())))
  const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.error] : []))
  expect(errors).toEqual(['REQUEST_STATE'])
})
