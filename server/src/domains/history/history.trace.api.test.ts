// Filters by what changed, by object and by person: they follow numbers and not names.
import { OwnerType } from '@acc/contract/labels/policies'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { days, later } from '../../clock.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
const calls = as(admin)

/** Each step has a moment of its own. */
async function step<T>(work: () => Promise<T>): Promise<T> {
  clock.advance(1_000)
  return work()
}
const own = (idx: number) => step(() => calls.groups.setIsMyPolicy({ idx, isMyPolicy: 1 }))
const allow = async (ownerIdx: number, ownerType: OwnerType = OwnerType.GROUP, fileExport: 0 | 1 | 2 = 1) =>
  step(async () => {
    const { idx } = await calls.policies.find({ ownerType, ownerIdx })
    await calls.policies.update({ idx, fileExport })
  })

test('a page of more changes than are counted is in the order of time, across months and years', async () => {
  const person = await buildUser(db, { name: '오래된 이' })
  await calls.users.update({ idx: person.idx, name: '새 이' })
  const ages = [-2, 1, 40, 400, 4_000]
  const moments = ages.map((age) => later(clock.now(), -days(age)).toISOString())
  await sql`
    insert into history (kind, "logDT", "actorIdx", "actorId", "actorName", "actorGroupName", subject, "subjectIdx",
      "groupIdx", ip, type, result, detail)
    select kind, at, "actorIdx", "actorId", "actorName", "actorGroupName", subject, "subjectIdx", "groupIdx", ip, type,
      result, detail
    from history, unnest(${moments}::timestamptz[]) at where "subjectIdx" = ${person.idx}`.execute(db.write)
  const inTime = [...moments, clock.now().toISOString()].sort()
  const page = (paging: { sortOrder: 0 | 1; rowsAfter?: number; rowsCount?: number; maxCount?: number }) =>
    calls.history.userManage({ targetIdx: person.idx, changed: 'targetName', sort: 'logDT', maxCount: 1, ...paging })
  const momentsOf = async (paging: Parameters<typeof page>[0]) => (await page(paging)).items.map(({ logDT }) => logDT)
  expect(await page({ sortOrder: 1 })).toMatchObject({ totalCount: 2 })
  expect(await momentsOf({ sortOrder: 0 })).toEqual(inTime)
  expect(await momentsOf({ sortOrder: 1 })).toEqual(inTime.toReversed())
  expect(await momentsOf({ sortOrder: 1, maxCount: 100 })).toEqual(inTime.toReversed())
  expect(await momentsOf({ sortOrder: 1, rowsAfter: 2, rowsCount: 2 })).toEqual(inTime.toReversed().slice(2, 4))
})

test('rows are found by what they changed, not by what they hold', async () => {
  const { shop } = await buildGroups(db, 'shop')
  const person = await buildUser(db, { group: shop, name: '바뀌는 이' })
  await calls.users.update({ idx: person.idx, name: '바뀐 이' })
  await calls.users.update({ idx: person.idx, email: 'changed@example.com' })
  await calls.users.remove({ idxes: [person.idx] })
  const found = async (changed: string) =>
    (await calls.history.userManage({ targetIdx: person.idx, changed })).items.map(({ targetName }) => targetName)
  expect(await found('targetName')).toEqual(['바뀐 이'])
  expect(await found('targetEmail')).toHaveLength(1)
  expect(await found('targetState')).toEqual([])
  await own(shop.idx)
  await allow(shop.idx)
  const { items } = await calls.history.policyManage({
    targetIdx: shop.idx,
    targetType: 0,
    changed: 'policyFileExport',
  })
  expect(items).toMatchObject([{ policyFileExport: 1, policyOldFileExport: 0 }])
  const { idx } = await calls.policies.find({ ownerType: OwnerType.GROUP, ownerIdx: shop.idx })
  const exception = {
    idx: -1,
    description: '본사',
    type: 0 as const,
    ip1: 'a.example.com',
    ip2: '',
    port: 0,
    access: 1 as const,
  }
  await calls.policies.update({ idx, policyNetworkExceptions: [exception] })
  const lists = { targetIdx: shop.idx, changed: 'policyNetworkExceptions' }
  expect((await calls.history.policyManage(lists)).totalCount).toBe(1)
  expect((await calls.history.policyManage({ ...lists, changed: 'policyLoopbackExceptions' })).totalCount).toBe(0)
  // Keys are for administrators, whose lists show them; nobody searches for their change.
  for (const changed of ['targetKey', 'policyOldFileExport', '', "x'"])
    await expect(calls.history.userManage({ changed })).rejects.toMatchObject({ error: 'INVALID_INPUT' })
})

test('the history of an object has its rows alone, also under another name, within the groups of the reader', async () => {
  const { left, right } = await buildGroups(db, 'left', 'right')
  const [one, other] = [
    await buildUser(db, { group: left, name: '같은 이름' }),
    await buildUser(db, { group: right, name: '같은 이름' }),
  ]
  for (const { idx } of [one, other]) await calls.users.update({ idx, name: '다른 이름' })
  await calls.users.update({ idx: one.idx, name: '같은 이름' })
  expect((await calls.history.userManage({ targetIdx: one.idx })).totalCount).toBe(2)
  const manager = await buildManager(db, { groups: [left], log: 1 })
  expect((await as(manager).history.userManage({ targetIdx: one.idx })).totalCount).toBe(2)
  expect((await as(manager).history.userManage({ targetIdx: other.idx })).items).toEqual([])
  expect((await as(manager).history.userManage({ targetIdx: 999_999 })).items).toEqual([])
  expect(
    (await calls.history.userManageCounts({ targetIdx: one.idx })).parts.reduce((sum, { count }) => sum + count, 0),
  ).toBe(2)
})

test('policies that applied to a person follow the groups above at the time', async () => {
  const { top, team, unit, away } = await buildGroups(db, 'top', 'top/team', 'top/team/unit', 'away')
  const person = await buildUser(db, { group: unit })
  for (const { idx } of [top, team, unit, away]) await own(idx)
  await allow(away.idx, OwnerType.GROUP, 2)
  await allow(team.idx, OwnerType.GROUP, 2)
  await step(() => calls.groups.remove({ idx: team.idx }))
  await allow(unit.idx, OwnerType.GROUP, 2)
  await step(() => calls.users.move({ idxes: [person.idx], groupIdx: away.idx }))
  await allow(unit.idx, OwnerType.GROUP, 0)
  await allow(top.idx, OwnerType.GROUP, 2)
  await allow(away.idx, OwnerType.GROUP, 1)
  await step(() => calls.users.setIsMyPolicy({ idx: person.idx, isMyPolicy: 1 }))
  const namesOf = async (reader: { idx: number }, appliesTo = person.id) => {
    const { items } = await as(reader).history.policyManage({ appliesTo, changed: 'policyFileExport', sortOrder: 0 })
    return items.map(({ targetName, policyFileExport }) => `${targetName} ${policyFileExport}`)
  }
  // Not `away` before the move, nor `unit` and `top` after it.
  expect(await namesOf(admin)).toEqual(['team 2', 'unit 2', 'away 1'])
  const all = await calls.history.policyManage({ appliesTo: person.id.toUpperCase() })
  expect(all.items.map(({ targetType }) => targetType)).toContain(OwnerType.USER)
  const counts = await calls.history.policyManageCounts({ appliesTo: person.id })
  expect(counts.parts.reduce((sum, { count }) => sum + count, 0)).toBe(all.totalCount)
  // The viewer reads only rows of their own groups, and nothing about people of others.
  const ofAway = await buildManager(db, { groups: [away], log: 1 })
  expect(await namesOf(ofAway)).toEqual(['away 1'])
  const ofTop = await buildManager(db, { groups: [top], log: 1, user: 2, policy: 2 })
  expect(await namesOf(ofTop)).toEqual([])
  expect(await namesOf(admin, 'no.such.person')).toEqual([])
  expect(await namesOf(admin, '%')).toEqual([])
  await expect(namesOf(admin, 'x'.repeat(31))).rejects.toMatchObject({ error: 'INVALID_INPUT' })
})

test('rows of a deletion without the numbers of its subgroups leave the chain as it is now', async () => {
  const { over, below } = await buildGroups(db, 'over', 'over/below')
  const person = await buildUser(db, { group: below })
  const former = { idx: 888_888, heirIdx: over.idx }
  await db.write.insertInto('deletedGroups').values(former).execute()
  const actor = { actorId: 'a', actorName: 'a', actorGroupName: 'a', ip: '', subject: 'x', subjectIdx: former.idx }
  const rows = [
    { kind: 'policyManage', type: 2, detail: JSON.stringify({ targetType: 0, targetName: 'former' }) },
    { kind: 'groupManage', type: 2, detail: JSON.stringify({ targetName: 'former', movedGroups: 'below' }) },
  ]
  for (const row of rows)
    await step(() =>
      db.write
        .insertInto('history')
        .values({ ...actor, ...row, groupIdx: over.idx, logDT: clock.now() })
        .execute(),
    )
  expect((await calls.history.policyManage({ targetIdx: former.idx, targetType: 0 })).totalCount).toBe(1)
  expect((await calls.history.policyManage({ appliesTo: person.id })).totalCount).toBe(0)
})
