// Runs that several people direct at the same time, that change under way, or that nobody remembers.
import { ImportFault, ImportResult, ImportSource, ImportState } from '@acc/contract/labels/userImports'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAbsence } from '../../../test/build/absences.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'
import { days, later } from '../../clock.ts'
import { SYSTEM } from '../../core/change.ts'
import { startJobs } from '../../core/job.ts'
import { applyBlock, BLOCK } from './userImports.apply.ts'
import { fileOf, HEADER, importsOf } from './userImports.fixture.ts'
import { advanceRun, deleteOldRuns, FORGOTTEN_DAYS, userImportJobs } from './userImports.jobs.ts'
import { findRun } from './userImports.queries.ts'
import { startImport } from './userImports.start.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
const { sales } = await buildGroups(db, 'sales')
const imports = importsOf(app, as(admin))
afterEach(imports.cancelOpen)

const people = (prefix: string, count: number, group = 'sales') =>
  Array.from({ length: count }, (_, at) => [`${prefix}.${at}`, `Person ${at}`, `${prefix}${at}@acc.kr`, group])
const countOf = async (prefix: string) =>
  (await db.read.selectFrom('users').select('idx').where('id', 'like', `${prefix}.%`).execute()).length
const run = async (idx: number) => (await findRun(db.read, idx)) ?? expect.fail('no such run')
const historyOfRun = async (idx: number) =>
  (await historyOf(db, 'userImport')).filter(({ subjectIdx }) => subjectIdx === idx)
const refused = ['REQUEST_STATE']

test('fifty who apply, pause, continue and cancel at once leave one end, and each person once', async () => {
  const count = 4 * BLOCK
  const { idx } = await imports.plan(fileOf([HEADER, ...people('crowd', count)]))
  await as(admin).userImports.apply({ idx })
  const { apply, pause, cancel } = as(admin).userImports
  const calls = Array.from({ length: 49 }, (_, at) => (at % 2 === 0 ? pause({ idx }) : apply({ idx })))
  const [, ...results] = await Promise.allSettled([imports.settle(), ...calls, cancel({ idx })])
  const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.error] : []))
  expect([...new Set(errors)]).toEqual(refused)
  await imports.settle()
  const { state, counts } = await run(idx)
  expect(state).toBe(ImportState.CANCELED)
  expect(await countOf('crowd')).toBe(counts.applied)
  const [entry, ...more] = await historyOfRun(idx)
  expect([entry?.detail.createCount, more]).toEqual([counts.applied, []])
})

test('a run of a substitute does not wait for a person whose absence ends', async () => {
  const colleague = await buildUser(db, { group: sales })
  const absent = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { group: sales } })
  const author = await buildUser(db, { isAdmin: 1 })
  const absence = await buildAbsence(db, absent, author)
  const own = importsOf(app, as(author))
  const rows = [colleague, absent].map(({ id }) => [id, 'Renamed'])
  const { idx, counts } = await own.plan(fileOf([['id', 'name'], ...rows]), { adopts: 1 })
  expect(counts.update).toBe(2)
  await as(author).userImports.apply({ idx })
  await overtake(db, {
    lock: (tx) => tx.selectFrom('users').select('idx').where('idx', '=', colleague.idx).forUpdate().execute(),
    call: own.settle,
    change: () => as(absent).absences.end({ idx: absence.idx }),
  })
  expect(await run(idx)).toMatchObject({ state: ImportState.DONE, counts: { applied: 2 } })
})

test('a run that is continued just before its worker lets go of it is applied to its end', async () => {
  const { idx } = await imports.plan(fileOf([HEADER, ...people('let.go', 3)]))
  await as(admin).userImports.apply({ idx })
  await as(admin).userImports.pause({ idx })
  let releases = 0
  const beforeRelease = async () => {
    if (releases++ > 0) return
    await as(admin).userImports.apply({ idx })
    // The job of this application finds the lock taken.
    await imports.settle()
    expect((await run(idx)).state).toBe(ImportState.APPLYING)
  }
  const tryLock = async (name: string) => {
    const lock = await app.locks.tryLock(name)
    return lock && { ...lock, release: () => beforeRelease().then(lock.release) }
  }
  await advanceRun({ ...app, locks: { ...app.locks, tryLock } }, idx)
  expect((await run(idx)).state).toBe(ImportState.DONE)
})

test('a group that is deleted after the plan fails its rows, and its subgroup takes them at its new place', async () => {
  const { gone, inner } = await buildGroups(db, 'gone', 'gone/inner')
  const { idx } = await imports.plan(
    fileOf([HEADER, ...people('to.gone', 1, 'gone'), ...people('to.inner', 1, 'gone > inner')]),
  )
  await as(admin).groups.remove({ idx: gone.idx })
  expect((await imports.apply(idx)).counts).toMatchObject({ applied: 1, failed: 1 })
  expect((await imports.rows(idx)).map(({ result, faults }) => [result, faults])).toEqual([
    [ImportResult.FAILED, [{ field: 'group', fault: ImportFault.NO_GROUP, hint: '' }]],
    [ImportResult.APPLIED, []],
  ])
  const found = await db.read.selectFrom('users').select('groupIdx').where('id', '=', 'to.inner.0').executeTakeFirst()
  expect(found).toEqual({ groupIdx: inner.idx })
})

test('a group that leaves the reach of the author after the plan takes nobody', async () => {
  const { parts } = await buildGroups(db, 'outer/parts', 'outer/parts/nested')
  const manager = await buildManager(db, { groups: [parts, sales], user: 2 })
  const own = importsOf(app, as(manager))
  const { idx } = await own.plan(fileOf([HEADER, ...people('out.of', 1, 'parts > nested')]))
  expect((await own.rows(idx))[0]?.faults).toEqual([])
  await as(admin).groups.remove({ idx: parts.idx })
  expect((await own.apply(idx)).counts).toMatchObject({ applied: 0, failed: 1 })
  expect((await own.rows(idx))[0]?.faults).toEqual([{ field: 'group', fault: ImportFault.NOT_ALLOWED, hint: '' }])
})

test('an upload and a synchronization of the same people change each of them once', async () => {
  const users = await Promise.all([1, 2, 3].map((at) => buildUser(db, { id: `both.ways${at}`, group: sales })))
  const file = fileOf([['id', 'name'], ...users.map(({ id }) => [id, 'By file'])])
  const upload = await imports.plan(file, { adopts: 1 })
  const directory = {
    source: ImportSource.DIRECTORY,
    fileName: 'ldap.acc.kr',
    options: { addsGroups: 0, adopts: 1, isComplete: 0, mailsPasswords: 0 },
    baseGroupIdx: sales.idx,
    author: SYSTEM,
  } as const
  const rows = users.map(({ id, key }) => ({ line: null, values: { key, id, name: 'By directory' } }))
  const idx = await startImport(app, directory, async () => ({
    hash: 'a'.repeat(64),
    fields: ['key', 'id', 'name'],
    rows,
  }))
  await as(admin).userImports.apply({ idx: upload.idx })
  await imports.settle()
  const applied = [(await run(upload.idx)).counts.applied ?? 0, (await run(idx)).counts.applied ?? 0]
  expect(applied.toSorted()).toEqual([0, 3])
  const found = await db.read
    .selectFrom('users')
    .select(['name', 'revision'])
    .where('id', 'like', 'both.ways%')
    .execute()
  expect(new Set(found.map(({ revision }) => revision))).toEqual(new Set([2]))
})

test('a person who is suspended by an administrator after the plan is not released by it', async () => {
  const user = await buildUser(db, { id: 'was.missing', group: sales, importSource: 0, state: 2, importSuspended: 1 })
  const { idx, counts } = await imports.plan(
    fileOf([
      ['id', 'isEnabled'],
      ['was.missing', '1'],
    ]),
  )
  expect(counts).toMatchObject({ enable: 1 })
  await as(admin).users.setDisabled({ idx: user.idx, state: 0 })
  await as(admin).users.setDisabled({ idx: user.idx, state: 2 })
  expect((await imports.apply(idx)).counts).toMatchObject({ applied: 0, skipped: 1 })
  expect(await db.read.selectFrom('users').select('state').where('idx', '=', user.idx).executeTakeFirst()).toEqual({
    state: 2,
  })
})

test('a plan and a paused run that nobody remembers are canceled, and the applied part remains', async () => {
  const manager = await buildManager(db, { groups: [sales], user: 2 })
  const planned = await imports.plan(fileOf([HEADER, ...people('forgotten', 2)]))
  const { idx } = await importsOf(app, as(manager)).plan(fileOf([HEADER, ...people('half', BLOCK + 1)]))
  await as(manager).userImports.apply({ idx })
  await applyBlock(app, await run(idx))
  await as(manager).userImports.pause({ idx })
  const begin = clock.now()
  clock.set(later(begin, days(FORGOTTEN_DAYS) - 60_000))
  await deleteOldRuns(app)
  expect([(await run(planned.idx)).state, (await run(idx)).state]).toEqual([ImportState.PLANNED, ImportState.PAUSED])
  clock.set(later(begin, days(FORGOTTEN_DAYS) + 60_000))
  await deleteOldRuns(app)
  clock.set(begin)
  expect([await run(planned.idx), await run(idx)]).toMatchObject([
    { state: ImportState.CANCELED },
    { state: ImportState.CANCELED },
  ])
  expect([...(await historyOfRun(planned.idx)), ...(await historyOfRun(idx))]).toMatchObject([
    { type: 1, actorIdx: admin.idx, detail: { createCount: 0 } },
    { type: 1, actorIdx: manager.idx, detail: { createCount: BLOCK } },
  ])
  expect([await countOf('forgotten'), await countOf('half')]).toEqual([0, BLOCK])
})

test('a plan that is canceled created no groups, and its history says so', async () => {
  const { idx, counts } = await imports.plan(fileOf([HEADER, ...people('in.new', 1, 'sales > planned group')]), {
    addsGroups: 1,
  })
  expect(counts.groups).toBe(1)
  await as(admin).userImports.cancel({ idx })
  expect((await historyOfRun(idx))[0]?.detail).toMatchObject({ groupCount: 0, createCount: 0 })
})

test('keys that differ in case alone are a fault of their rows, as the database compares them', async () => {
  const keys = ['\u212aey-1', 'key-1', '\u0130key', 'ikey']
  const rows = keys.map((key, at) => [key, `same.key${at}`, 'A', `same.key${at}@acc.kr`, 'sales'])
  const { idx, counts } = await imports.plan(fileOf([['key', ...HEADER], ...rows]))
  expect(counts).toMatchObject({ create: 0, error: 4 })
  expect((await imports.rows(idx)).map(({ faults }) => faults.map(({ field, hint }) => [field, hint]))).toEqual([
    [['key', '3']],
    [['key', '2']],
    [['key', '5']],
    [['key', '4']],
  ])
})

// The last test: its workers take the jobs from now on.
test('a node that starts continues a run whose job was lost', async () => {
  const { idx } = await imports.plan(fileOf([HEADER, ...people('left', 3)]))
  await as(admin).userImports.apply({ idx })
  const lock = await app.locks.tryLock(`userImport:${idx}`)
  await imports.settle()
  await lock?.release()
  expect((await run(idx)).state).toBe(ImportState.APPLYING)
  await startJobs(app, userImportJobs)
  await expect.poll(async () => (await run(idx)).state).toBe(ImportState.DONE)
})
