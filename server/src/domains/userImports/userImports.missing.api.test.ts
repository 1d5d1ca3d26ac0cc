// Complete sources: missing people are suspended, the brake that stops a mass suspension, and synchronizations, which
// apply their plans by themselves.
import { ImportRefusal, ImportSource, ImportState } from '@acc/contract/labels/userImports'
import { UserState } from '@acc/contract/labels/users'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { SYSTEM } from '../../core/change.ts'
import { RefusedSource, type Source, type SourceRow, type SourceUnit } from './source.ts'
import { fileOf, HEADER, importsOf } from './userImports.fixture.ts'
import { startImport } from './userImports.start.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const { sales } = await buildGroups(db, 'sales')
const imports = importsOf(app, as(admin))
afterEach(async () => {
  await imports.cancelOpen()
  await db.write.deleteFrom('users').where('isAdmin', '=', 0).execute()
})

const lineOf = (at: number) => [`person.${at}`, `Person ${at}`, `person${at}@acc.kr`, 'sales']
const lines = (count: number) => Array.from({ length: count }, (_, at) => lineOf(at))
const buildPeople = async (count: number, importSource: 0 | 1 | 2 | null = 0) => {
  await db.write
    .insertInto('users')
    .values(
      lines(count).map(([id = '', name = '', email = '']) => ({
        id,
        name,
        email,
        key: `k-${id}`,
        groupIdx: sales.idx,
        importSource,
      })),
    )
    .execute()
}
const suspended = async () =>
  (await db.read.selectFrom('users').select('id').where('state', '=', UserState.DISABLED).orderBy('idx').execute()).map(
    ({ id }) => id,
  )

const OPTIONS = { addsGroups: 0, adopts: 0, isComplete: 1, mailsPasswords: 0 } as const
type More = { units?: SourceUnit[]; options?: object; hash?: string }
const sync = async (rows: SourceRow[], { units = [], options = {}, hash = 'b'.repeat(64) }: More = {}) => {
  const run = {
    source: ImportSource.DIRECTORY,
    fileName: 'ldap.acc.kr',
    options: { ...OPTIONS, ...options },
    baseGroupIdx: sales.idx,
    author: SYSTEM,
  }
  const source: Source = { hash, fields: ['key', 'id', 'name', 'email', 'group'], rows, units }
  const idx = await startImport(app, run, async () => source)
  await imports.settle()
  return as(admin).userImports.find({ idx })
}
const entry = (at: number, values: SourceRow['values'] = {}): SourceRow => {
  const [id = '', name = '', email = ''] = lineOf(at)
  return { line: null, values: { key: `k-${id}`, id, name, email, ...values } }
}
const entries = (count: number) => Array.from({ length: count }, (_, at) => entry(at))

test('people who are missing in a complete file are suspended; in another they are left alone', async () => {
  await buildPeople(30)
  await buildUser(db, { id: 'by.hand', group: sales })
  await buildUser(db, { id: 'of.directory', group: sales, importSource: 2 })
  const partly = await imports.plan(fileOf([HEADER, ...lines(29)]))
  expect(partly.counts).toMatchObject({ unchanged: 29, disable: 0 })
  await imports.cancelOpen()
  const run = await imports.plan(fileOf([HEADER, ...lines(29)]), { isComplete: 1 })
  expect(run).toMatchObject({ brake: null, counts: { unchanged: 29, disable: 1 } })
  await imports.apply(run.idx)
  expect(await suspended()).toEqual(['person.29'])
  // Who appears in the file once more is released.
  const back = await imports.plan(fileOf([HEADER, ...lines(30)]), { isComplete: 1 })
  expect(back.counts).toMatchObject({ unchanged: 29, enable: 1 })
  await imports.apply(back.idx)
  expect(await suspended()).toEqual([])
})

test('a leaver whose account is locked after wrong passwords loses the open sessions, too', async () => {
  await buildPeople(3)
  const [locked, away] = ['person.1', 'person.2']
  const stateOf = (id: string) =>
    db.read
      .selectFrom('users')
      .select(['idx', 'state', 'loginFails', 'importSuspended'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const { idx } = await stateOf(locked)
  const { session } = as({ idx })
  await session.find({})
  const lock = { state: UserState.DISABLED, loginFails: app.env.maxLoginFails }
  await db.write.updateTable('users').set(lock).where('id', 'in', [locked, away]).execute()
  await session.find({})
  const header = [...HEADER, 'isEnabled']
  const file = [header, [...lineOf(0), '1'], [...lineOf(1), '0']]
  const run = await imports.plan(fileOf(file), { isComplete: 1 })
  expect(run).toMatchObject({ counts: { unchanged: 1, disable: 2 } })
  await imports.apply(run.idx)
  await expect(session.find({})).rejects.toMatchObject({ error: 'SESSION_ENDED' })
  // Nobody knows whether a person suspended them before: an import does not release them.
  for (const id of [locked, away])
    expect(await stateOf(id)).toMatchObject({ state: UserState.DISABLED, loginFails: 0, importSuspended: 0 })
  const back = await imports.plan(fileOf([HEADER, ...lines(3)]), { isComplete: 1 })
  expect(back.counts).toMatchObject({ unchanged: 3, enable: 0, disable: 0 })
})

test.each([
  ['a leaver', 0],
  ['a leaver that is locked as well', app.env.maxLoginFails],
])('an administrator who suspends %s keeps an import from releasing them', async (_, loginFails) => {
  await buildPeople(2)
  const leaver = { state: UserState.DISABLED, loginFails, importSuspended: 1 } as const
  const { idx } = await db.write
    .updateTable('users')
    .set(leaver)
    .where('id', '=', 'person.1')
    .returning('idx')
    .executeTakeFirstOrThrow()
  await as(admin).users.setDisabled({ idx, state: UserState.DISABLED })
  const back = await imports.plan(fileOf([HEADER, ...lines(2)]), { isComplete: 1 })
  expect(back.counts).toMatchObject({ unchanged: 2, enable: 0 })
})

test('nobody is suspended whose ID, address or key a faulty row has', async () => {
  await buildPeople(3)
  const rows = [
    ['person.0', '', 'not an address', ''],
    ['person.9', 'Person 1', 'person1@acc.kr', 'sales'],
    ['Person 2!', 'Person 2', 'person2@acc.kr', 'sales'],
  ]
  const run = await imports.plan(fileOf([HEADER, ...rows]), { isComplete: 1 })
  expect(run.counts).toMatchObject({ error: 3, disable: 0, unchanged: 0 })
})

test.each([
  [400, 19, null],
  [400, 20, null],
  [400, 21, { people: 400, disables: 21 }],
  [20, 19, null],
  [30, 20, { people: 30, disables: 20 }],
])('of %i people, %i are missing: brake %j', async (count, missing, brake) => {
  await buildPeople(count)
  const run = await imports.plan(fileOf([HEADER, ...lines(count - missing)]), { isComplete: 1 })
  expect(run).toMatchObject({ state: ImportState.PLANNED, brake, counts: { disable: missing } })
})

test('a plan with a brake is applied with its exact number alone', async () => {
  await buildPeople(40)
  const { idx } = await imports.plan(fileOf([HEADER, ...lines(15)]), { isComplete: 1 })
  for (const disables of [undefined, 24, 26])
    await expect(as(admin).userImports.apply({ idx, disables })).rejects.toMatchObject({ error: 'CHANGED_MEANWHILE' })
  await imports.apply(idx, 25)
  expect(await suspended()).toHaveLength(25)
})

test('a synchronization without a brake applies its plan by itself, under the name of the server', async () => {
  await buildPeople(25, 2)
  const done = await sync([...entries(24), entry(99)])
  expect(done).toMatchObject({
    state: ImportState.DONE,
    source: ImportSource.DIRECTORY,
    authorName: '',
    counts: { create: 1, disable: 1, applied: 2 },
  })
  expect(await suspended()).toEqual(['person.24'])
  const user = await db.read.selectFrom('users').selectAll().where('id', '=', 'person.99').executeTakeFirst()
  expect(user).toMatchObject({ groupIdx: sales.idx, importSource: 2, key: 'k-person.99' })
  expect((await historyOf(db, 'userImport')).at(-1)).toMatchObject({ actorIdx: null, subject: 'ldap.acc.kr' })
})

test('a synchronization with a brake waits, administrators get a mail, and one of them confirms', async () => {
  await buildPeople(60, 2)
  const run = await sync(entries(30))
  expect(run).toMatchObject({ state: ImportState.PLANNED, brake: { people: 60, disables: 30 }, isEditable: 1 })
  expect(await suspended()).toEqual([])
  const mails = await db.read.selectFrom('mails').select(['receiver', 'subject']).execute()
  expect(mails.at(-1)?.subject).toContain('User synchronization stopped')
  const { faults } = await as(admin).systemStatus.find({})
  expect(faults).toContain('importBraked')
  // The next run has to wait.
  await expect(sync(entries(60))).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  const done = await imports.apply(run.idx, 30)
  expect(await suspended()).toHaveLength(30)
  expect((await as(admin).systemStatus.find({})).faults).not.toContain('importBraked')
  // From now on the run has the name of the person who confirmed it, and the rights of the server.
  expect(done).toMatchObject({ state: ImportState.DONE, authorName: 'Administrator' })
  expect((await historyOf(db, 'userImport')).at(-1)).toMatchObject({ subjectIdx: run.idx, actorIdx: admin.idx })
})

test('an empty directory suspends nobody: it is refused, recorded and mailed', async () => {
  await buildPeople(3, 2)
  const run = await sync([])
  expect(run).toMatchObject({ state: ImportState.REFUSED, refusal: { reason: ImportRefusal.EMPTY } })
  expect((await as(admin).systemStatus.find({})).faults).toContain('importRefused')
  expect(await suspended()).toEqual([])
  expect((await historyOf(db, 'userImport')).at(-1)).toMatchObject({
    type: 2,
    detail: { refusal: ImportRefusal.EMPTY },
  })
  const mails = await db.read.selectFrom('mails').select('subject').execute()
  expect(mails.filter(({ subject }) => subject.includes('synchronization'))).toHaveLength(2)
})

test('a directory that fails in the middle changes nothing', async () => {
  const run = { source: ImportSource.DIRECTORY, fileName: 'ldap', options: OPTIONS, baseGroupIdx: null, author: SYSTEM }
  const idx = await startImport(app, run, async () => {
    throw new RefusedSource({ reason: ImportRefusal.UNREACHABLE, text: 'ECONNRESET' })
  })
  const found = await as(admin).userImports.find({ idx })
  expect(found).toMatchObject({
    state: ImportState.REFUSED,
    refusal: { reason: 8, text: 'ECONNRESET' },
    counts: { create: 0 },
  })
})

test('a defect while a directory is read cancels the run, so that the next one can begin', async () => {
  const run = { source: ImportSource.DIRECTORY, fileName: 'ldap', options: OPTIONS, baseGroupIdx: null, author: SYSTEM }
  await expect(startImport(app, run, () => Promise.reject(new Error('a defect')))).rejects.toThrow('a defect')
  expect((await sync(entries(1))).state).toBe(ImportState.DONE)
})

test('a person of another source, or made by hand, is adopted only if the setting allows it', async () => {
  await buildPeople(2, null)
  const rows = entries(2).map((row, at) => ({ ...row, values: { ...row.values, key: `guid-${at}` } }))
  expect((await sync(rows)).counts).toMatchObject({ error: 2, applied: 0 })
  const done = await sync(rows, { options: { adopts: 1 } })
  expect(done.counts).toMatchObject({ update: 2, applied: 2 })
  const users = await db.read
    .selectFrom('users')
    .select(['key', 'importSource'])
    .where('isAdmin', '=', 0)
    .orderBy('idx')
    .execute()
  expect(users).toEqual([
    { key: 'guid-0', importSource: 2 },
    { key: 'guid-1', importSource: 2 },
  ])
})

test('a person who has a new ID is the same person; an ID that was given to somebody else is an error', async () => {
  await buildPeople(2, 2)
  const renamed = await sync([entry(0, { id: 'renamed.one' }), entry(1)])
  expect(renamed.counts).toMatchObject({ update: 1, disable: 0, create: 0 })
  const reused = await sync([entry(0, { key: 'guid-new', id: 'renamed.one' }), entry(1)])
  expect(reused.counts).toMatchObject({ error: 1, disable: 0 })
})

test('control characters, half characters and huge values of a directory are faults of their rows', async () => {
  const [bad, huge] = ['a\0b\u001b\ud800', 'x'.repeat(2 ** 20)]
  const fields = ['key', 'id', 'name', 'email', 'group', 'expireDT'] as const
  const rows = [bad, huge].flatMap((text) =>
    fields.map((field, at) => entry(at, { key: `k-${text.length}-${at}`, [field]: text })),
  )
  const hinted = { ...entry(9), faults: [{ field: null, fault: 1, hint: bad + huge } as const] }
  const run = await sync([...rows, hinted, entry(20)], {
    units: [{ key: bad, parentKey: null, name: bad }],
    options: { addsGroups: 1 },
  })
  expect(run.counts).toMatchObject({ error: 13, create: 1 })
  const idx = await startImport(
    app,
    { source: ImportSource.FOLDER, fileName: 'f.csv', options: OPTIONS, baseGroupIdx: null, author: SYSTEM },
    () => Promise.reject(new RefusedSource({ reason: ImportRefusal.SEARCH, text: bad + huge })),
  )
  expect((await as(admin).userImports.find({ idx })).refusal?.text).toHaveLength(200)
})

test('units become groups with their own key; one that was renamed or moved is found by it', async () => {
  const units = [
    { key: 'ou-1', parentKey: null, name: '영업본부' },
    { key: 'ou-2', parentKey: 'ou-1', name: '동부팀' },
  ]
  const rows = [entry(0, { group: 'ou-2' }), entry(1, { group: 'ou-1' })]
  const first = await sync(rows, { units, options: { addsGroups: 1 } })
  expect(first.counts).toMatchObject({ create: 2, groups: 2, applied: 2 })
  const groups = () =>
    db.read
      .selectFrom('groups')
      .select(['key', 'name', 'isSync', 'parentIdx'])
      .where('isSync', '=', 1)
      .orderBy('idx')
      .execute()
  expect(await groups()).toMatchObject([
    { key: 'ou-1', name: '영업본부', isSync: 1, parentIdx: sales.idx },
    { key: 'ou-2', name: '동부팀', isSync: 1 },
  ])
  const moved = [
    { key: 'ou-2', parentKey: null, name: '동부영업팀' },
    { key: 'ou-1', parentKey: 'ou-2', name: '영업본부' },
  ]
  const again = await sync(rows, { units: moved, options: { addsGroups: 1 } })
  expect(again.counts).toMatchObject({ unchanged: 2, groups: 0 })
  expect(await groups()).toHaveLength(2)
})

test('deleted accounts leave the plan of others intact', async () => {
  await buildPeople(3)
  const run = await imports.plan(fileOf([HEADER, ...lines(2)]), { isComplete: 1 })
  await db.write.deleteFrom('users').where('id', '=', 'person.2').execute()
  const done = await imports.apply(run.idx)
  expect(done.counts).toMatchObject({ disable: 1, applied: 0, skipped: 1 })
})
