// Runs against a real directory: people come, change, move and leave. The tests are one story.
import { ImportAction, ImportFault, ImportRefusal, ImportState } from '@acc/contract/labels/userImports'
import { UserState } from '@acc/contract/labels/users'
import type { DirectoryInput } from '@acc/contract/userSync'
import { Attribute, Change } from 'ldapts'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { mailsTo } from '../../../test/mails.ts'
import { COUNT, dnOf, PEOPLE, personOf, READER, READERS, SUFFIX, startSlapd } from '../../../test/slapd.ts'
import { hours } from '../../clock.ts'
import { directoryOf, syncOf, syncsOf } from './userSync.fixture.ts'
import { startDueRun } from './userSync.runs.ts'

const { app, as, admin, clock } = await startTestApp()
const { company } = await buildGroups(app.db, 'company')
const slapd = await startSlapd()
const calls = as(admin)
const { settle, run, rows } = syncsOf(app, calls)
const INPUT = syncOf(company.idx, { directory: directoryOf(slapd) })

const replace = (type: string, ...values: string[]) =>
  new Change({ operation: 'replace', modification: new Attribute({ type, values }) })
const setReaders = (...members: string[]) => slapd.root.modify(READERS, replace('member', ...members))

/** All accounts of the source, with the path of their group below the setting's. */
async function accounts() {
  const found = await app.db.read
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .select(['users.idx', 'users.id', 'users.name', 'users.email', 'users.key', 'users.state', 'groups.name as group'])
    .select(['users.groupIdx', 'groups.isSync', 'groups.key as groupKey'])
    .where('users.importSource', 'is not', null)
    .orderBy('users.idx')
    .execute()
  return new Map(found.map((one) => [one.id, one]))
}
const suspended = async () => [...(await accounts()).values()].filter(({ state }) => (state & UserState.DISABLED) !== 0)
const mails = async () => (await mailsTo(app, 'admin@localhost')).length
const faults = async () => (await calls.systemStatus.find({})).faults

test('the first run creates everybody, with the groups of the units', async () => {
  await calls.userSync.set(INPUT)
  expect(await run()).toMatchObject({
    state: ImportState.DONE,
    source: 2,
    fileName: 'localhost',
    counts: { create: COUNT, error: 0, disable: 0, groups: 5, applied: COUNT },
  })
  const people = await accounts()
  expect(people.size).toBe(COUNT)
  expect(people.get('person1')).toMatchObject({
    name: '사람 1',
    email: 'person1@example.com',
    group: 'Team 1',
    isSync: 1,
  })
  expect(people.get('person1')?.key).toMatch(/^[0-9a-f-]{36}$/)
})

test('a run without changes changes nobody', async () => {
  const before = await accounts()
  expect(await run()).toMatchObject({ state: ImportState.DONE, counts: { unchanged: COUNT, create: 0, applied: 0 } })
  expect(await accounts()).toEqual(before)
})

test('changes, leavers and newcomers follow the directory', async () => {
  await slapd.root.modify(dnOf(8), [replace('cn', '홍길동'), replace('mail', 'hong@example.com')])
  await slapd.root.del(dnOf(9))
  await slapd.root.add(`uid=newcomer,ou=East,${PEOPLE}`, { ...personOf(9_000), uid: 'newcomer' })
  await slapd.root.modifyDN(dnOf(12), `uid=person12,ou=Team 1,ou=영업본부,${PEOPLE}`)
  const { counts } = await run()
  expect(counts).toMatchObject({ create: 1, update: 1, move: 1, disable: 1, error: 0 })
  const people = await accounts()
  expect(people.get('person8')).toMatchObject({ name: '홍길동', email: 'hong@example.com' })
  expect(people.get('newcomer')).toMatchObject({ group: 'East' })
  expect(people.get('person12')).toMatchObject({ group: 'Team 1' })
  expect((await suspended()).map(({ id }) => id)).toEqual(['person9'])
})

test('a unit whose name no group may have is an error of its people, and no group', async () => {
  await slapd.root.add(`ou=a:b,ou=East,${PEOPLE}`, { objectClass: 'organizationalUnit' })
  await slapd.root.add(`ou=Inner unit,ou=a:b,ou=East,${PEOPLE}`, { objectClass: 'organizationalUnit' })
  const dn = `uid=inside,ou=Inner unit,ou=a:b,ou=East,${PEOPLE}`
  await slapd.root.add(dn, { ...personOf(9_002), uid: 'inside' })
  const { idx, counts } = await run()
  expect(counts).toMatchObject({ create: 0, error: 1, groups: 0 })
  const [failed] = await rows(idx, ImportAction.ERROR)
  expect(failed).toMatchObject({ id: 'inside', faults: [{ field: 'group', fault: ImportFault.NO_GROUP }] })
  await slapd.root.del(dn)
})

test('a lost right to read refuses the run, changes nobody and is a fault until a run succeeds', async () => {
  const before = await accounts()
  const mailed = await mails()
  await setReaders(`cn=root,${SUFFIX}`)
  const found = await run()
  await setReaders(READER.dn, `cn=root,${SUFFIX}`)
  expect(await mails()).toBe(mailed + 1)
  const reason = ImportRefusal.NO_BASE
  expect((await mailsTo(app, 'admin@localhost')).at(-1)?.text).toContain(ImportRefusal.labels[reason].en)
  expect(found).toMatchObject({ state: ImportState.REFUSED, refusal: { reason }, counts: { applied: 0 } })
  expect(await accounts()).toEqual(before)
  expect(await faults()).toEqual(['importRefused'])
  expect(await run()).toMatchObject({ state: ImportState.DONE })
  expect(await faults()).toEqual([])
})

test('administrators are mailed when a refusal begins and when its reason changes, not at every run', async () => {
  const mailed = await mails()
  const breaks = (change: Partial<DirectoryInput>) =>
    calls.userSync.set({ ...INPUT, directory: directoryOf(slapd, change) })
  const refuse = async (reason: ImportRefusal) => expect(await run()).toMatchObject({ refusal: { reason } })
  await breaks({ bindPw: 'old' })
  for (let hour = 0; hour < 3; hour++) await refuse(ImportRefusal.SIGN_IN)
  expect(await mails()).toBe(mailed + 1)
  await breaks({ base: `ou=poeple,${SUFFIX}` })
  await refuse(ImportRefusal.NO_BASE)
  await refuse(ImportRefusal.NO_BASE)
  expect(await mails()).toBe(mailed + 2)
  await calls.userSync.set(INPUT)
  await run()
  await breaks({ base: `ou=poeple,${SUFFIX}` })
  await refuse(ImportRefusal.NO_BASE)
  expect(await mails()).toBe(mailed + 3)
})

test('a refused source that is switched off is no fault', async () => {
  expect(await faults()).toEqual(['importRefused'])
  await calls.userSync.set({ ...INPUT, kind: 0, directory: null })
  expect(await faults()).toEqual([])
  await calls.userSync.set(INPUT)
  expect(await faults()).toEqual(['importRefused'])
  await run()
  expect(await faults()).toEqual([])
})

test('runs by the clock start once, on one node, and not while one is open', async () => {
  await calls.userSync.set({ ...INPUT, everyHours: 6 })
  const { nextDT } = await calls.userSync.find({})
  const countRuns = async () => (await as(admin).userImports.search({ rowsCount: 1 })).totalCount
  const before = await countRuns()
  await startDueRun(app)
  expect(await countRuns()).toBe(before)
  clock.set(new Date(Date.parse(nextDT ?? '') + 1))
  await Promise.all([startDueRun(app), startDueRun(app), startDueRun(app)])
  expect(await countRuns()).toBe(before + 1)
  clock.advance(hours(6))
  await startDueRun(app)
  expect(await countRuns()).toBe(before + 1)
  await settle()
  await startDueRun(app)
  await settle()
  expect(await countRuns()).toBe(before + 2)
  const found = (await as(admin).userImports.search({ rowsCount: 1 })).items[0]
  expect(found).toMatchObject({ state: ImportState.DONE, authorName: '' })
})
