// Policies: the applied policy, own policies, their values; responses, rows and history.
import { PolicyManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { NO_EXCEPTIONS } from '@acc/contract/policyExceptions'
import { NO_SHORTCUTS } from '@acc/contract/policyShortcuts'
import { DEFAULT_POLICY } from '@acc/contract/policyValues'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'
import type { HubEvent } from '../../events/eventHub.ts'
import { findEffectivePolicy } from './policies.service.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const { GROUP, USER } = OwnerType

const ofGroup = (group: { idx: number }) => ({ ownerIdx: group.idx, ownerType: GROUP })
const ofUser = (user: { idx: number }) => ({ ownerIdx: user.idx, ownerType: USER })
const policyRow = (idx: number) =>
  db.read.selectFrom('policies').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const lastOf = async (subjectIdx: number) =>
  (await historyOf(db, 'policyManage')).filter((row) => row.subjectIdx === subjectIdx)

test('an owner without a policy of its own gets that of the nearest group above, with the way there', async () => {
  const { factory, line1 } = await buildGroups(db, 'factory', 'factory/line1', 'factory/line2')
  const policy = await buildPolicy(db, { group: factory, fileExport: 2 })
  const worker = await buildUser(db, { group: line1, name: 'Worker' })
  expect(await as(admin).policies.find(ofUser(worker))).toEqual({
    ...DEFAULT_POLICY,
    approvalSteps: [],
    ...NO_EXCEPTIONS,
    ...NO_SHORTCUTS,
    fileExport: 2,
    idx: policy.idx,
    ...ofGroup(factory),
    ownerName: 'factory',
    owner: { name: 'Worker', id: worker.id, groupName: 'line1', isSinglePC: 0, isEditable: 1 },
    endDT: null,
    endReason: null,
    isMyPolicy: 0,
    chain: [
      { ownerIdx: 1, ownerType: GROUP, ownerName: '전체 조직', isMyPolicy: 1 },
      { ...ofGroup(factory), ownerName: 'factory', isMyPolicy: 1 },
      { ...ofGroup(line1), ownerName: 'line1', isMyPolicy: 0 },
      { ...ofUser(worker), ownerName: 'Worker', isMyPolicy: 0 },
    ],
    above: null,
    aboveOwnerName: null,
    reach: { users: 1, groups: 0 },
    revision: 1,
  })
  expect(await as(admin).policies.findOwnerName(ofUser(worker))).toEqual({ ownerName: 'factory' })
})

test('a policy that is dropped while a change of it waits is not changed', async () => {
  const { depot } = await buildGroups(db, 'depot')
  const policy = await buildPolicy(db, { group: depot })
  const overtaken = overtake(db, {
    lock: (tx) => tx.selectFrom('groups').select('idx').where('idx', '=', depot.idx).forNoKeyUpdate().execute(),
    call: () => as(admin).policies.update({ idx: policy.idx, fileExport: 2 }),
    change: (tx) => tx.deleteFrom('policies').where('idx', '=', policy.idx).execute(),
  })
  expect(await overtaken).toMatchObject({ error: 'NOT_ALLOWED' })
})

test('an own policy shows the values above it and its reach', async () => {
  const { plant, hall, lab, cell } = await buildGroups(db, 'plant', 'plant/hall', 'plant/lab', 'plant/lab/cell')
  await buildPolicy(db, { group: plant, clipboard: 3 })
  await buildPolicy(db, { group: lab })
  const own = await buildUser(db, { group: hall })
  for (const group of [plant, hall, hall, lab, cell]) await buildUser(db, { group })
  await buildPolicy(db, { user: own })
  const found = await as(admin).policies.find(ofGroup(plant))
  expect(found).toMatchObject({ isMyPolicy: 1, ownerName: 'plant', clipboard: 3 })
  expect(found.above).toEqual({ ...DEFAULT_POLICY, approvalSteps: [], ...NO_EXCEPTIONS, ...NO_SHORTCUTS })
  expect(found.aboveOwnerName).toBe('전체 조직')
  // plant and hall; not lab, which has an own policy, nor the groups below it, nor the user with an own policy.
  expect(found.reach).toEqual({ users: 3, groups: 2 })
  expect((await as(admin).policies.find(ofGroup(cell))).reach).toEqual({ users: 1, groups: 1 })
  expect(await as(admin).policies.find(ofUser(own))).toMatchObject({ aboveOwnerName: 'plant', above: { clipboard: 3 } })
  expect(await as(admin).policies.find(ofGroup({ idx: 1 }))).toMatchObject({ isMyPolicy: 1, above: null })
})

test('a manager sees where a policy comes from, but no number of a group outside', async () => {
  const { area, zone } = await buildGroups(db, 'area', 'area/zone')
  await buildPolicy(db, { group: area })
  const manager = await buildManager(db, { groups: [zone], policy: 1 })
  const found = await as(manager).policies.find(ofGroup(zone))
  expect(found).toMatchObject({ ownerName: 'area', ownerIdx: null, isMyPolicy: 0 })
  expect(found.chain.map(({ ownerIdx, ownerName }) => [ownerIdx, ownerName])).toEqual([
    [null, '전체 조직'],
    [null, 'area'],
    [zone.idx, 'zone'],
  ])
})

test('values of an own policy change, with a history row for the environment and one for the network', async () => {
  const { desk } = await buildGroups(db, 'desk')
  const policy = await buildPolicy(db, { group: desk })
  const change = { clipboard: 1, fileExport: 2, network: 0, loopback: 1 } as const
  await as(admin).policies.update({ idx: policy.idx, ...change, revision: policy.revision })
  expect(await policyRow(policy.idx)).toMatchObject({ ...DEFAULT_POLICY, ...change, revision: 2 })
  const target = { targetType: GROUP, targetName: 'desk', targetId: null, targetGroupName: null }
  const environment = { policyClipboard: 1, policyOldClipboard: 0, policyFileExport: 2, policyOldFileExport: 0 }
  const unchanged = {
    policyUninstall: 0,
    policyOldUninstall: 0,
    policyLocalNetwork: 0,
    policyOldLocalNetwork: 0,
    policyLoopback: 1,
    policyOldLoopback: 1,
  }
  expect(await lastOf(desk.idx)).toMatchObject([
    {
      type: PolicyManage.UPDATE_DESKTOP_ENVIRONMENT,
      actorIdx: admin.idx,
      subject: 'desk',
      groupIdx: desk.idx,
      detail: { ...target, ...unchanged, ...environment, policyNetwork: 1, policyOldNetwork: 1 },
    },
    {
      type: PolicyManage.UPDATE_NETWORK,
      detail: {
        ...target,
        ...unchanged,
        policyClipboard: 1,
        policyOldClipboard: 1,
        policyNetwork: 0,
        policyOldNetwork: 1,
      },
    },
  ])
})

test('urgent exports and limits of downloads have bounds, and the history has their old and new values', async () => {
  const { dock } = await buildGroups(db, 'dock')
  const { idx } = await buildPolicy(db, { group: dock })
  for (const wrong of [
    { urgentExport: 2 as 1 },
    { urgentReviewHours: 0 },
    { urgentReviewHours: 73 },
    { downloadCount: -1 },
    { downloadCount: 101 },
    { downloadCount: 1.5 },
    { downloadDays: -1 },
    { downloadDays: 366 },
  ]) {
    await expect(as(admin).policies.update({ idx, ...wrong })).rejects.toMatchObject({
      error: 'INVALID_INPUT',
      data: { fields: Object.keys(wrong) },
    })
  }
  const change = { urgentExport: 1, urgentReviewHours: 72, downloadCount: 100, downloadDays: 365 } as const
  await as(admin).policies.update({ idx, ...change })
  expect(await policyRow(idx)).toMatchObject(change)
  expect(await lastOf(dock.idx)).toMatchObject([
    {
      type: PolicyManage.UPDATE_DESKTOP_ENVIRONMENT,
      detail: {
        ...{ policyUrgentExport: 1, policyOldUrgentExport: 0 },
        ...{ policyUrgentReviewHours: 72, policyOldUrgentReviewHours: 24 },
        ...{ policyDownloadCount: 100, policyOldDownloadCount: 0 },
        ...{ policyDownloadDays: 365, policyOldDownloadDays: 0 },
      },
    },
  ])
})

test('of edits at once with one revision one wins', async () => {
  const { busy } = await buildGroups(db, 'busy')
  const { idx } = await buildPolicy(db, { group: busy })
  const edits = await Promise.allSettled(
    [1, 2, 3].map((clipboard) => as(admin).policies.update({ idx, clipboard: clipboard as 1 | 2 | 3, revision: 1 })),
  )
  const [winner, ...others] = edits.filter(({ status }) => status === 'fulfilled')
  expect(winner).toBeDefined()
  expect(others).toEqual([])
  for (const edit of edits)
    if (edit.status === 'rejected') expect(edit.reason).toMatchObject({ error: 'CHANGED_MEANWHILE' })
  expect(await policyRow(idx)).toMatchObject({ revision: 2 })
  expect(await lastOf(busy.idx)).toHaveLength(1)
})

test.each([
  { encryptionDefaultCapacity: 101 },
  { encryptionMaxCapacity: 19 },
  { encryptionDefaultCapacity: 60, encryptionMaxCapacity: 50 },
])('%j is bad input', async (values) => {
  const { idx } = await as(admin).policies.find(ofGroup({ idx: 1 }))
  const before = await policyRow(idx)
  const call = as(admin).policies.update({ idx, ...values })
  await expect(call).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  expect(await policyRow(idx)).toEqual(before)
})

test('both capacities together may pass where one alone would not', async () => {
  const { vault } = await buildGroups(db, 'vault')
  const { idx } = await buildPolicy(db, { group: vault })
  await as(admin).policies.update({ idx, encryptionDefaultCapacity: 150, encryptionMaxCapacity: 200 })
  expect(await policyRow(idx)).toMatchObject({ encryptionDefaultCapacity: 150, encryptionMaxCapacity: 200 })
})

test("the history of a user's policy names the user and the group", async () => {
  const { unit } = await buildGroups(db, 'unit')
  const manager = await buildManager(db, { groups: [unit], policy: 2 })
  const member = await buildUser(db, { group: unit })
  const { idx } = await buildPolicy(db, { user: member })
  await as(manager).policies.update({ idx, vmExecution: 1 })
  const detail = { targetType: USER, targetId: member.id, targetName: member.name, targetGroupName: 'unit' }
  expect(await lastOf(member.idx)).toMatchObject([{ subject: member.id, groupIdx: unit.idx, detail }])
})

test('open screens hear of a changed policy', async () => {
  const { heard } = await buildGroups(db, 'heard')
  const { idx } = await buildPolicy(db, { group: heard })
  const { promise, resolve } = Promise.withResolvers<HubEvent>()
  const stop = app.events.subscribe((event) => event.topic === 'policies' && event.idx === idx && resolve(event))
  await as(admin).policies.update({ idx, print: 1 })
  expect(await promise).toEqual({ topic: 'policies', idx, groupIdx: heard.idx })
  stop()
})

test('the revision that clients compare differs exactly where what applies differs', async () => {
  const { team, squad } = await buildGroups(db, 'team', 'team/squad')
  const user = await buildUser(db, { group: squad })
  const revision = async () => (await findEffectivePolicy(db.read, user.idx))?.revision
  const first = await revision()
  const { idx } = await buildPolicy(db, { group: team })
  expect(await revision()).toBe(first)
  await as(admin).policies.update({ idx, print: 1 })
  const printing = await revision()
  expect(printing).not.toBe(first)
  await buildPolicy(db, { group: squad, print: 1 })
  expect(await revision()).toBe(printing)
  await as(admin).policies.update({ idx, print: 0 })
  expect(await revision()).toBe(printing)
  await buildPolicy(db, { user })
  expect(await revision()).toBe(first)
  expect(await findEffectivePolicy(db.read, 987_654)).toBeUndefined()
})

test('without `isMyPolicy` a call switches between an own and the inherited policy', async () => {
  const { toggled } = await buildGroups(db, 'toggled')
  const person = await buildUser(db, { group: toggled })
  const modes = async () =>
    Promise.all(
      [ofGroup(toggled), ofUser(person)].map(async (owner) => (await as(admin).policies.find(owner)).isMyPolicy),
    )
  const toggle = async () => {
    await as(admin).groups.setIsMyPolicy({ idx: toggled.idx })
    await as(admin).users.setIsMyPolicy({ idx: person.idx })
    return modes()
  }
  expect([await toggle(), await toggle()]).toEqual([
    [1, 1],
    [0, 0],
  ])
  // A group may have the same idx as the user.
  const own = (await lastOf(person.idx)).filter(({ detail }) => detail.targetType === OwnerType.USER)
  const types = own.map(({ type }) => type)
  expect(types).toEqual([PolicyManage.SEPARATE, PolicyManage.INHERIT])
})

test('a manager of policies lists the people of a group without a level on users', async () => {
  const { hall, attic } = await buildGroups(db, 'hall', 'hall/attic', 'cellar')
  const manager = await buildManager(db, { groups: [hall], policy: 2, as: { group: hall } })
  const rival = await buildManager(db, { groups: [hall], policy: 1, as: { group: hall } })
  const member = await buildUser(db, { group: hall, name: '김하늘', isSinglePC: 1 })
  await buildUser(db, { group: attic })
  const { items, totalCount } = await as(manager).policies.searchUsers({
    groupIdx: hall.idx,
    sort: 'idx',
    sortOrder: 0,
  })
  expect([totalCount, items.map(({ idx }) => idx)]).toEqual([3, [manager.idx, rival.idx, member.idx]])
  expect(items[2]).toEqual({ idx: member.idx, id: member.id, name: '김하늘', isMyPolicy: 0, isSinglePC: 1 })
  expect((await as(manager).policies.searchUsers({ groupIdx: hall.idx, search: '하늘' })).totalCount).toBe(1)
  const editable = async (user: { idx: number }) => (await as(manager).policies.find(ofUser(user))).owner.isEditable
  expect([await editable(member), await editable(rival), await editable(manager)]).toEqual([1, 0, 0])
  expect((await as(rival).policies.find(ofUser(member))).owner.isEditable).toBe(0)
})
