// Runs of the folder by the clock: a new file, the same one, one that is still written, and broken ones.
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImportRefusal, ImportState } from '@acc/contract/labels/userImports'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { hours } from '../../clock.ts'
import { syncOf, syncsOf } from './userSync.fixture.ts'
import { startDueRun } from './userSync.runs.ts'

const root = await mkdtemp(join(tmpdir(), 'acc-people-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const folder = join(root, 'people')
await mkdir(folder)
const { app, as, admin, clock } = await startTestApp({ ACC_PEOPLE_DIR: folder })
const { company } = await buildGroups(app.db, 'company')
const { run, settle } = syncsOf(app, as(admin))
const INPUT = syncOf(company.idx, { kind: 2, everyHours: 1 })
await as(admin).userSync.set(INPUT)

const fileOf = (...ids: string[]) =>
  ['키,아이디,이름,이메일,부서', ...ids.map((id) => `K-${id},${id},이름,${id}@example.com,영업본부 > 1팀 서울`)].join(
    '\r\n',
  )

/** Writes a file that last changed so many minutes ago. */
async function write(content: string, minutesAgo = 5, name = 'people.csv') {
  const at = Date.now() / 1000 - 60 * minutesAgo
  await writeFile(join(folder, name), content)
  await utimes(join(folder, name), at, at)
}
/** Lets an hour pass; returns the run that started, or undefined. */
async function afterAnHour() {
  const lastIdx = async () => (await as(admin).userImports.search({ rowsCount: 1 })).items[0]?.idx
  const before = await lastIdx()
  clock.advance(hours(1))
  await startDueRun(app)
  await settle()
  const idx = await lastIdx()
  return idx === undefined || idx === before ? undefined : as(admin).userImports.find({ idx })
}
const state = () => as(admin).userSync.find({})

test('a test reads the newest file, and changes nobody', async () => {
  await write(fileOf('kimcs', 'leeyh'))
  expect(await as(admin).userSync.test(INPUT)).toMatchObject({
    count: 2,
    entries: [{ key: 'K-kimcs', id: 'kimcs', group: '영업본부 > 1팀 서울' }, { id: 'leeyh' }],
  })
  expect((await state()).folder).toBe(folder)
})

test('a new file is applied, the same one skipped', async () => {
  const first = await afterAnHour()
  expect(first).toMatchObject({
    state: ImportState.DONE,
    source: 1,
    fileName: folder,
    counts: { create: 2, groups: 2 },
  })
  expect((await state()).unchangedDT).toBeNull()
  expect(await afterAnHour()).toBeUndefined()
  expect((await state()).unchangedDT).toBe(clock.now().toISOString())
  // Under another name and with another time it is still the same.
  await write(fileOf('kimcs', 'leeyh'), 2, 'later.csv')
  expect(await afterAnHour()).toBeUndefined()
})

test('the same file is read once more after a change of the group or the options', async () => {
  const { other } = await buildGroups(app.db, 'other')
  for (const change of [{ groupIdx: other.idx }, { options: { ...INPUT.options, adopts: 1 as const } }, {}]) {
    await as(admin).userSync.set({ ...INPUT, ...change })
    expect(await afterAnHour()).toMatchObject({ state: ImportState.DONE })
    expect(await afterAnHour()).toBeUndefined()
  }
})

test('a file that is still written waits for the next look', async () => {
  await write(fileOf('kimcs', 'leeyh', 'parkjs'), 0, 'growing.csv')
  const { nextDT } = await state()
  expect(await afterAnHour()).toBeUndefined()
  expect((await state()).nextDT).toBe(nextDT)
  await write(fileOf('kimcs', 'leeyh', 'parkjs'), 1.5, 'growing.csv')
  expect(await afterAnHour()).toMatchObject({ state: ImportState.DONE, counts: { create: 1, unchanged: 2 } })
  expect((await state()).unchangedDT).toBeNull()
})

test('a run by button reads an unchanged file, and refuses one that is still written', async () => {
  expect(await run()).toMatchObject({ state: ImportState.DONE, counts: { unchanged: 3 } })
  await write(fileOf('kimcs'), 0, 'newer.csv')
  expect(await run()).toMatchObject({ state: ImportState.REFUSED, refusal: { reason: ImportRefusal.UNFINISHED } })
  await rm(join(folder, 'newer.csv'))
})

test('a file that is cut off is refused, and nobody is changed', async () => {
  const stored = () => app.db.read.selectFrom('users').select(['idx', 'revision', 'state']).orderBy('idx').execute()
  const before = await stored()
  await write(`${fileOf('kimcs', 'leeyh', 'parkjs')}\r\nK-1,"choi`, 1.2, 'broken.csv')
  const refusal = { reason: ImportRefusal.BROKEN }
  expect(await afterAnHour()).toMatchObject({ state: ImportState.REFUSED, refusal })
  expect(await stored()).toEqual(before)
  await rm(join(folder, 'broken.csv'))
})

test('a folder that cannot be read is refused with its reason, by test and by run', async () => {
  await rm(folder, { recursive: true })
  const data = { reason: ImportRefusal.FOLDER, text: expect.stringContaining('ENOENT') }
  await expect(as(admin).userSync.test(INPUT)).rejects.toMatchObject({ code: 998, data })
  expect(await afterAnHour()).toMatchObject({ state: ImportState.REFUSED, refusal: data })
  await mkdir(folder)
  expect(await afterAnHour()).toMatchObject({ refusal: { reason: ImportRefusal.NO_FILE, text: folder } })
})

test('a run is refused after its group was deleted, by button and by the clock', async () => {
  const { deleted } = await buildGroups(app.db, 'deleted')
  await as(admin).userSync.set({ ...INPUT, groupIdx: deleted.idx })
  await as(admin).groups.remove({ idx: deleted.idx })
  const refused = { state: ImportState.REFUSED, refusal: { reason: ImportRefusal.NO_BASE } }
  // Sessions of tests before have expired.
  expect(await syncsOf(app, as(admin)).run()).toMatchObject(refused)
  expect(await afterAnHour()).toMatchObject(refused)
})
