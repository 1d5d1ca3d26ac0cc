// Runs against a real directory: people come, change, move and leave, and every brake holds. The tests are one story.
import { ImportAction, ImportFault, ImportRefusal, ImportState } from '@acc/contract/labels/userImports'
import { UserState } from '@acc/contract/labels/users'
import type { DirectoryInput } from '@acc/contract/userSync'
import { Attribute, Change } from 'ldapts'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { mailsTo } from '../../../test/mails.ts'
import { COUNT, dnOf, PEOPLE, personOf, READER, READERS, SUFFIX, startSlapd } from '../../../test/slapd.ts'
import { hours } from '../../clock.ts'
import { directoryOf, syncOf, syncsOf } from './userSync.fixture.ts'
import { startDueRun } from './userSync.runs.ts'

const { app, as, admin, clock } = await startTestApp()
const { company } = await buildGroups(app.db, 'company')
const slapd = await startSlapd()
const calls = as(admin)
const { settle, run, apply, rows } = syncsOf(app, calls)
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

test('a unit that is renamed or moved is the same group', async () => {
  const before = await accounts()
  await slapd.root.modifyDN(`ou=Team 1,ou=영업본부,${PEOPLE}`, `ou=Platform,ou=East,${PEOPLE}`)
  const { counts } = await run()
  expect(counts).toMatchObject({ create: 0, move: 0, disable: 0, error: 0, groups: 0 })
  const after = await accounts()
  expect(after.get('person1')?.groupIdx).toBe(before.get('person1')?.groupIdx)
  await slapd.root.modifyDN(`ou=Platform,ou=East,${PEOPLE}`, `ou=Team 1,ou=영업본부,${PEOPLE}`)
})

test('people who leave all units belong to the group of the setting', async () => {
  await slapd.root.modifyDN(dnOf(16), `uid=person16,${PEOPLE}`)
  expect((await run()).counts).toMatchObject({ move: 1, error: 0, groups: 0 })
  expect((await accounts()).get('person16')).toMatchObject({ groupIdx: company.idx })
  await slapd.root.modifyDN(`uid=person16,${PEOPLE}`, dnOf(16))
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

test('two people who exchange their addresses and IDs keep their accounts', async () => {
  const before = await accounts()
  await slapd.root.modify(dnOf(20), replace('mail', 'person24@example.com'))
  await slapd.root.modify(dnOf(24), replace('mail', 'person20@example.com'))
  expect(await run()).toMatchObject({ counts: { update: 2, error: 0, applied: 2 } })
  const after = await accounts()
  expect(after.get('person20')).toMatchObject({ email: 'person24@example.com', idx: before.get('person20')?.idx })
  expect(after.get('person24')).toMatchObject({ email: 'person20@example.com', idx: before.get('person24')?.idx })
})

test('an account that was made by hand, and one that two people name, are errors of their rows', async () => {
  const byHand = await buildUser(app.db, { group: company, id: 'byhand' })
  await slapd.root.add(`uid=byhand,ou=East,${PEOPLE}`, { ...personOf(9_001), uid: 'byhand' })
  await slapd.root.modify(dnOf(28), replace('mail', 'person32@example.com'))
  const { idx, counts } = await run()
  expect(counts.error).toBeGreaterThanOrEqual(2)
  const failed = await rows(idx, ImportAction.ERROR)
  const faultsOf = (id: string) => failed.find((row) => row.id === id)?.faults.map(({ fault }) => fault)
  expect([ImportFault.OTHER_SOURCE, ImportFault.TAKEN]).toContain(faultsOf('byhand')?.[0])
  expect(faultsOf('person28')).toEqual([ImportFault.REPEATED])
  expect((await suspended()).map(({ id }) => id)).toEqual(['person9'])
  await slapd.root.del(`uid=byhand,ou=East,${PEOPLE}`)
  await slapd.root.modify(dnOf(28), replace('mail', 'person28@example.com'))
  expect(byHand.idx).toBeGreaterThan(0)
})

const REFUSED: [string, () => Promise<unknown>, () => Promise<unknown>, ImportRefusal][] = [
  [
    'a lost right to read',
    () => setReaders(`cn=root,${SUFFIX}`),
    () => setReaders(READER.dn, `cn=root,${SUFFIX}`),
    ImportRefusal.NO_BASE,
  ],
  [
    'an empty directory',
    () => calls.userSync.set({ ...INPUT, directory: directoryOf(slapd, { base: `ou=empty,${SUFFIX}` }) }),
    () => calls.userSync.set(INPUT),
    ImportRefusal.EMPTY,
  ],
  [
    'a wrong base',
    () => calls.userSync.set({ ...INPUT, directory: directoryOf(slapd, { base: `ou=poeple,${SUFFIX}` }) }),
    () => calls.userSync.set(INPUT),
    ImportRefusal.NO_BASE,
  ],
  [
    'a changed password',
    () => calls.userSync.set({ ...INPUT, directory: directoryOf(slapd, { bindPw: 'old' }) }),
    () => calls.userSync.set(INPUT),
    ImportRefusal.SIGN_IN,
  ],
  [
    'a misspelt attribute',
    () =>
      calls.userSync.set({
        ...INPUT,
        directory: directoryOf(slapd, { attributes: { ...INPUT.directory?.attributes, key: 'entryUID' } as never }),
      }),
    () => calls.userSync.set(INPUT),
    ImportRefusal.MISSING_COLUMN,
  ],
]

test.each(REFUSED)('%s refuses the run, changes nobody and is a fault', async (_, breakIt, mend, reason) => {
  const before = await accounts()
  const mailed = await mails()
  await breakIt()
  const found = await run()
  await mend()
  expect(await mails()).toBe(mailed + 1)
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

test('6 % missing wait for a person who confirms exactly this number', async () => {
  const gone = Array.from({ length: COUNT * 0.06 }, (_, at) => 100 + at)
  for (const at of gone) await slapd.root.del(dnOf(at))
  const before = await accounts()
  const mailed = await mails()
  const stopped = await run()
  expect(await mails()).toBe(mailed + 1)
  expect(stopped).toMatchObject({
    state: ImportState.PLANNED,
    brake: { disables: gone.length },
    counts: { disable: gone.length },
  })
  expect(await accounts()).toEqual(before)
  expect(await faults()).toEqual(['importBraked'])
  await expect(calls.userSync.run({})).rejects.toMatchObject({ code: 170 })
  for (const disables of [undefined, gone.length - 1, gone.length + 1])
    await expect(calls.userImports.apply({ idx: stopped.idx, disables })).rejects.toMatchObject({ code: 984 })
  expect(await suspended()).toHaveLength(1)
  expect(await apply(stopped.idx, gone.length)).toMatchObject({
    state: ImportState.DONE,
    counts: { applied: gone.length },
  })
  expect(await suspended()).toHaveLength(1 + gone.length)
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
