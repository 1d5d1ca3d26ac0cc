// Decisions by week, the groups with most rows, and the client versions in use.
import { type DecisionWeek, MAX_TOP_GROUPS } from '@acc/contract/dashboard'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildDevice } from '../../../test/build/devices.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildSignIns } from '../../../test/build/signIns.ts'
import { buildUser } from '../../../test/build/users.ts'
import { days, hours, later, minutes } from '../../clock.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
const { sales, east, front, rnd, lab } = await buildGroups(
  db,
  'sales',
  'sales/east',
  'sales/east/front',
  'rnd',
  'rnd/lab',
)
const [inSales, inEast, inFront, inLab] = await Promise.all(
  [sales, east, front, lab].map((group) => buildUser(db, { group })),
)
const manager = await buildManager(db, { groups: [east], log: 1 })

const { APPROVED, REJECTED, CANCELED, REQUESTED, ALLOWED } = RequestState
const between = (from: Date, to: Date) => ({ logSDT: from.toISOString(), logEDT: to.toISOString() })
const seoul = { headers: { 'X-Time-Zone': 'Asia/Seoul' } }

async function addDecided(person: typeof inEast, requestDT: Date, state: RequestState, waited?: number) {
  if (person === undefined) throw new Error('no person')
  const { idx } = await buildRequest(app, person, { state, requestDT })
  if (waited === undefined) return
  // The files arrived a minute after the request; the decision waits from then on.
  const completeDT = later(requestDT, minutes(1))
  await db.write
    .updateTable('fileEximports')
    .set({ completeDT, approveDT: later(completeDT, waited) })
    .where('idx', '=', idx)
    .execute()
}

test('decisions by week of the viewer, with the median of the time that they waited', async () => {
  // Sunday 24:00 in Seoul is 15:00 in UTC.
  const monday = new Date('2026-03-01T15:00:00Z')
  const justBefore = later(monday, -1)
  await addDecided(inFront, justBefore, APPROVED, minutes(10))
  await addDecided(inFront, monday, APPROVED, minutes(1))
  await addDecided(inFront, monday, APPROVED, minutes(30))
  await addDecided(inFront, later(monday, days(6)), REJECTED, hours(5))
  await addDecided(inFront, monday, CANCELED)
  for (const state of [REQUESTED, ALLOWED]) await addDecided(inFront, monday, state)
  await addDecided(inLab, monday, REJECTED, hours(1))
  // A confirmed urgent export, which nobody waited for.
  const nextWeek = later(monday, days(8))
  await addDecided(inFront, nextWeek, APPROVED, hours(2))
  await db.write.updateTable('fileEximports').set({ reviewDueDT: nextWeek }).where('requestDT', '=', nextWeek).execute()
  const period = { ...between(later(monday, -days(7)), later(monday, days(14))), type: Transfer.EXPORT as Transfer }
  const weeksOf = async (viewer: { idx: number }, input: Partial<typeof period> & { groupIdxes?: number[] } = {}) =>
    (await as(viewer).dashboard.searchDecisions({ ...period, ...input }, seoul)).weeks
  const week = (dt: string, counts: Partial<DecisionWeek> = {}) => ({
    dt,
    approveCounts: 0,
    rejectCounts: 0,
    cancelCounts: 0,
    waitSeconds: null,
    ...counts,
  })
  const before = week('2026-02-23', { approveCounts: 1, waitSeconds: 600 })
  const after = week('2026-03-09', { approveCounts: 1 })
  expect(await weeksOf(manager)).toEqual([
    before,
    week('2026-03-02', { approveCounts: 2, rejectCounts: 1, cancelCounts: 1, waitSeconds: 1800 }),
    after,
  ])
  expect(await weeksOf(admin)).toEqual([
    before,
    week('2026-03-02', { approveCounts: 2, rejectCounts: 2, cancelCounts: 1, waitSeconds: 1800 }),
    after,
  ])
  expect(await weeksOf(admin, { type: Transfer.IMPORT })).toEqual([
    week('2026-02-23'),
    week('2026-03-02'),
    week('2026-03-09'),
  ])
  // Groups of others are as if they did not exist; the period cuts its first and last week.
  expect(await weeksOf(manager, { groupIdxes: [lab.idx] })).toEqual(await weeksOf(admin, { type: Transfer.IMPORT }))
  expect(await weeksOf(admin, between(monday, later(monday, 1)))).toEqual([
    week('2026-03-02', { approveCounts: 2, rejectCounts: 1, cancelCounts: 1, waitSeconds: 1800 }),
  ])
  expect(await weeksOf(admin, between(justBefore, monday))).toEqual([before])
})

test('the groups with most rows are those below what all rows have in common, as far as the viewer sees them', async () => {
  const day = later(new Date(clock.now().toISOString().slice(0, 10)), -days(3))
  const at = (count: number) => Array.from({ length: count }, () => ({ loginDT: day }))
  const people = [inSales, inEast, inFront, inLab]
  for (const [number, person] of people.entries()) {
    if (person === undefined) throw new Error('no person')
    await buildSignIns(app, person, at(number + 1))
    await buildSignIns(app, person, [
      { loginDT: day, kind: 'web' },
      { loginDT: day, type: 3 },
      { loginDT: later(day, days(1)) },
    ])
  }
  const input = { ...between(day, later(day, days(1))), kind: 'clientLogin' as const }
  const top = async (viewer: { idx: number }, groupIdxes?: number[]): Promise<Record<string, number>> => {
    const { groups, totalCount } = await as(viewer).dashboard.findTopGroups({
      ...input,
      ...(groupIdxes && { groupIdxes }),
    })
    return { totalCount, ...Object.fromEntries(groups.map(({ groupName, count }) => [groupName, count])) }
  }
  expect(await top(admin)).toEqual({ totalCount: 10, sales: 6, rnd: 4 })
  // People directly in sales are in none of the groups below it.
  expect(await top(admin, [sales.idx])).toEqual({ totalCount: 6, east: 5 })
  expect(await top(admin, [front.idx])).toEqual({ totalCount: 3, front: 3 })
  expect(await top(admin, [front.idx, lab.idx])).toEqual({ totalCount: 7, front: 3, lab: 4 })
  expect(await top(manager)).toEqual({ totalCount: 5, front: 3 })
  expect(await top(manager, [lab.idx, sales.idx])).toEqual({ totalCount: 0 })
  // Two groups of different branches: those above them are not the viewer's.
  const apart = await buildManager(db, { groups: [front, lab], log: 1 })
  expect(await top(apart)).toEqual({ totalCount: 7, front: 3, lab: 4 })
  // The history of a group has as many rows.
  const { groups } = await as(admin).dashboard.findTopGroups(input)
  for (const { groupIdx, count } of groups) {
    const { kind: _kind, ...period } = input
    const rows = await as(admin).history.clientLogin({ ...period, groupIdxes: [groupIdx], rowsCount: 100 })
    expect(rows.items.filter(({ type }) => type === 0)).toHaveLength(count)
  }
})

test('groups are compared by requests of a direction, at most five, and deleted ones where their people moved to', async () => {
  const many = await buildGroups(db, 'top', ...Array.from({ length: 7 }, (_, number) => `top/g${number}`))
  const at = new Date('2026-02-10T00:00:00Z')
  for (const number of [0, 1, 2, 3, 4, 5, 6]) {
    const group = many[`g${number}`]
    if (group === undefined) throw new Error('no group')
    const person = await buildUser(db, { group })
    for (let made = 0; made <= number; made++) await buildRequest(app, person, { type: Transfer.IMPORT, requestDT: at })
  }
  const input = { ...between(at, later(at, 1)), kind: 'fileImport' as const }
  const found = await as(admin).dashboard.findTopGroups(input)
  expect(found.groups.map(({ count }) => count)).toEqual([7, 6, 5, 4, 3])
  expect(found.groups).toHaveLength(MAX_TOP_GROUPS)
  expect(found.totalCount).toBe(28)
  expect(await as(admin).dashboard.findTopGroups({ ...input, kind: 'fileExport' })).toEqual({
    groups: [],
    totalCount: 0,
  })
  await expect(
    as(admin).dashboard.findTopGroups({ ...input, kind: 'userManage' as 'fileImport' }),
  ).rejects.toMatchObject({ error: 'INVALID_INPUT', data: { fields: ['kind'] } })
})

test('sign-ins of a deleted group count for its heir', async () => {
  const { heir, old, other } = await buildGroups(db, 'heir', 'heir/old', 'heir/other')
  const at = later(clock.now(), -days(5))
  await buildSignIns(app, await buildUser(db, { group: old }), [{ loginDT: at }])
  await buildSignIns(app, await buildUser(db, { group: other }), [{ loginDT: at }])
  await as(admin).groups.remove({ idx: old.idx })
  const input = { ...between(at, later(at, 1)), kind: 'clientLogin' as const }
  expect(await as(admin).dashboard.findTopGroups({ ...input, groupIdxes: [heir.idx] })).toEqual({
    groups: [{ groupIdx: other.idx, groupName: 'other', count: 1 }],
    totalCount: 2,
  })
})

test('client versions on PCs that were seen in the last 30 days, and the one that is deployed', async () => {
  const used = (person: typeof inEast, clientVersion: string, ago = 0) =>
    person && buildDevice(app, person, { clientVersion, useDT: later(clock.now(), -ago) })
  await used(inEast, '2.0.0')
  await used(inFront, '2.0.0', days(30))
  await used(inFront, '1.9.0', days(1))
  await used(inFront, '1.8.0', days(30) + 1)
  await used(inLab, '1.9.0')
  await used(inLab, '1.9.0')
  const find = (viewer: { idx: number }, groupIdxes?: number[]) =>
    as(viewer).dashboard.findUsedVersions({ ...(groupIdxes && { groupIdxes }) })
  const [two, one] = [
    { version: '2.0.0', count: 2 },
    { version: '1.9.0', count: 1 },
  ]
  expect(await find(admin)).toEqual({ versions: [{ ...one, count: 3 }, two], totalCount: 5, deployed: null })
  expect(await find(manager)).toEqual({ versions: [two, one], totalCount: 3, deployed: null })
  expect(await find(manager, [lab.idx])).toEqual({ versions: [], totalCount: 0, deployed: null })
  expect(await find(admin, [rnd.idx])).toEqual({ versions: [{ ...one, count: 2 }], totalCount: 2, deployed: null })
  const version = {
    version: '2.1.0',
    fileName: 'c.zip',
    fileSize: 1,
    sha256: '0',
    storeName: 'c',
    uploadDT: clock.now(),
  }
  await db.write
    .insertInto('clientVersions')
    .values({ ...version, isDeploy: 1, wrappedKey: Buffer.from('') })
    .execute()
  expect(await find(manager)).toMatchObject({ deployed: { version: '2.1.0', count: 0 } })
  await db.write.updateTable('clientVersions').set({ version: '1.9.0' }).execute()
  expect(await find(manager)).toMatchObject({ deployed: one })
})
