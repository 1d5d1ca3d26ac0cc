// The groups that each viewer sees, their order and their levels.
import type { Group } from '@acc/contract/groups'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'

const { app, as, admin } = await startTestApp()
const { db } = app

const forestOf = async (viewer: { idx: number }) => (await as(viewer).groups.searchAuthGroups({})).groups
const namesOf = (groups: readonly Group[]): unknown[] =>
  groups.map((group) => (group.children.length > 0 ? [group.name, ...namesOf(group.children)] : group.name))
const find = (groups: readonly Group[], idx: number): Group | undefined => {
  for (const group of groups) {
    const found = group.idx === idx ? group : find(group.children, idx)
    if (found) return found
  }
  return undefined
}
const levelsOf = (group: Group | undefined) =>
  group && [group.maxPolicy, group.maxUser, group.maxFileExportApprove, group.maxFileImportApprove, group.maxLog]

const { sales, east, tokyo, west, lab } = await buildGroups(
  db,
  'sales',
  'sales/east',
  'sales/east/tokyo',
  'sales/west',
  'rnd',
  'rnd/lab',
)

test('a system administrator sees every group with every level, key and head count, children in order', async () => {
  await buildUser(db, { group: tokyo })
  await buildUser(db, { group: tokyo })
  await buildPolicy(db, { group: west })
  const groups = await forestOf(admin)
  expect(namesOf(groups)).toEqual([['전체 조직', ['sales', ['east', 'tokyo'], 'west'], ['rnd', 'lab']]])
  expect(find(groups, tokyo.idx)).toEqual({
    idx: tokyo.idx,
    parentIdx: east.idx,
    name: 'tokyo',
    key: tokyo.key,
    description: '',
    isMyPolicy: 0,
    isDmsParent: 0,
    isUnderDmsParent: 0,
    isTop: 0,
    isSync: 0,
    userCount: 2,
    maxUser: 2,
    maxPolicy: 2,
    maxFileExportApprove: 2,
    maxFileImportApprove: 2,
    maxLog: 1,
    revision: 1,
    children: [],
  })
  expect(groups[0]).toMatchObject({ isTop: 1, parentIdx: null, isMyPolicy: 1 })
  expect(find(groups, west.idx)).toMatchObject({ isMyPolicy: 1 })
})

test('a manager sees covered groups and all below, without keys and groups above', async () => {
  const manager = await buildManager(db, { groups: [east], policy: 2, log: 1 })
  const groups = await forestOf(manager)
  expect(namesOf(groups)).toEqual([['east', 'tokyo']])
  expect(groups[0]).toMatchObject({ isTop: 1, parentIdx: null, maxPolicy: 2, maxUser: 0, maxLog: 1 })
  expect(groups[0]?.children[0]).toMatchObject({ isTop: 0, parentIdx: east.idx, maxPolicy: 2, maxUser: 0, maxLog: 1 })
  expect(JSON.stringify(groups)).not.toContain(east.key)
  expect(JSON.stringify(groups)).not.toContain('"key"')
})

test('the highest level of several authorities counts, for each page and group', async () => {
  const manager = await buildManager(db, { groups: [sales], policy: 1, user: 2 })
  await buildAuthority(db, { groups: [east, lab], users: [manager], policy: 2, user: 1, fileExportApprove: 1 })
  await buildAuthority(db, { groups: [tokyo, lab], users: [manager], fileImportApprove: 2, log: 1 })
  // Another manager's authority gives this manager nothing.
  await buildManager(db, { groups: [west], policy: 2, fileExportApprove: 2 })
  const groups = await forestOf(manager)
  expect(namesOf(groups)).toEqual([['sales', ['east', 'tokyo'], 'west'], 'lab'])
  expect(levelsOf(find(groups, sales.idx))).toEqual([1, 2, 0, 0, 0])
  expect(levelsOf(find(groups, east.idx))).toEqual([2, 2, 1, 0, 0])
  expect(levelsOf(find(groups, tokyo.idx))).toEqual([2, 2, 1, 2, 1])
  expect(levelsOf(find(groups, west.idx))).toEqual([1, 2, 0, 0, 0])
  expect(levelsOf(find(groups, lab.idx))).toEqual([2, 1, 1, 2, 1])
  expect(find(groups, lab.idx)).toMatchObject({ isTop: 1, parentIdx: null })
})

test('an authority without groups shows nothing, and users see nothing', async () => {
  expect(await forestOf(await buildManager(db, { groups: [], policy: 2 }))).toEqual([])
  expect(await forestOf(await buildUser(db, { group: sales }))).toEqual([])
})

test('a manager of thousands of groups gets the same forest as of the group above them', async () => {
  const paths = Array.from({ length: 150 }, (_, number) => `many/group${number}`)
  const { many } = await buildGroups(db, 'many')
  const children = Object.values(await buildGroups(db, ...paths))
  const byOne = await buildManager(db, { groups: [many], policy: 2 })
  const byAll = await buildManager(db, { groups: [many, ...children], policy: 2 })
  expect(await forestOf(byAll)).toEqual(await forestOf(byOne))
  const onlyChildren = await buildManager(db, { groups: children, policy: 2 })
  expect(namesOf(await forestOf(onlyChildren))).toEqual(children.map(({ name }) => name))
})

test('groups below the DMS root are partner groups, also for a manager who does not see the root', async () => {
  const { partners, acme, plant } = await buildGroups(db, 'partners', 'partners/acme', 'partners/acme/plant')
  await as(admin).groups.setIsDmsParent({ idx: partners.idx })
  const all = await forestOf(admin)
  expect(find(all, partners.idx)).toMatchObject({ isDmsParent: 1, isUnderDmsParent: 0 })
  expect(find(all, acme.idx)).toMatchObject({ isDmsParent: 0, isUnderDmsParent: 1 })
  expect(find(all, sales.idx)).toMatchObject({ isDmsParent: 0, isUnderDmsParent: 0 })
  const manager = await buildManager(db, { groups: [plant], policy: 2 })
  expect(await forestOf(manager)).toMatchObject([{ idx: plant.idx, isTop: 1, isUnderDmsParent: 1 }])
})

test('every change of the groups raises the revision of loaded groups', async () => {
  const revision = async () => (await as(admin).groups.searchAuthGroups({})).rightsRevision
  const calls = as(admin).groups
  let before = await revision()
  const expectRaised = async (change: Promise<unknown>) => {
    await change
    const after = await revision()
    expect(after).toBeGreaterThan(before)
    before = after
  }
  await expectRaised(calls.create({ parentIdx: lab.idx, name: 'bench1' }))
  await expectRaised(calls.create({ parentIdx: lab.idx, name: 'bench2' }))
  const [one, two] = find(await forestOf(admin), lab.idx)?.children ?? []
  if (one === undefined || two === undefined) throw new Error('the groups are not there')
  await expectRaised(calls.update({ idx: one.idx, name: 'bench3' }))
  await expectRaised(calls.reorder({ orderedIdxes: [two.idx, one.idx] }))
  await expectRaised(calls.setIsMyPolicy({ idx: one.idx, isMyPolicy: 1 }))
  await expectRaised(calls.setIsDmsParent({ idx: two.idx }))
  await expectRaised(calls.remove({ idx: one.idx }))
})
