// Policies that reach the person who changes them: a manager never changes their own personal policy, and the policy of
// their own group says who allowed file exports.
import { FileExport, OwnerType } from '@acc/contract/labels/policies'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { isUrgentFree } from './policies.own.ts'
import { findUserPolicy } from './policies.queries.ts'
import { findEffectivePolicy } from './policies.service.ts'

const testApp = await startTestApp()
const { app, as, admin, owner } = testApp
const { db } = app

const exportOf = async (user: { idx: number }) => {
  const policy = await findEffectivePolicy(db.read, user.idx)
  return [policy?.values.fileExport, policy?.fileExportSetBy]
}
const mayBeUrgent = async ({ idx }: { idx: number }) => isUrgentFree(await findUserPolicy(db.read, idx), idx)
const policyIdxOf = async (group: { idx: number }) =>
  (await as(admin).policies.find({ ownerIdx: group.idx, ownerType: OwnerType.GROUP })).idx

test('a manager neither makes, changes nor drops their own personal policy; an administrator does', async () => {
  const { office } = await buildGroups(db, 'office')
  const manager = await buildManager(db, { groups: [office], policy: 2, user: 2, as: { group: office } })
  const refused = { error: 'SELF_ACTION' }
  await expect(as(manager).users.setIsMyPolicy({ idx: manager.idx, isMyPolicy: 1 })).rejects.toMatchObject(refused)
  const { idx } = await buildPolicy(db, { user: manager })
  await expect(as(manager).policies.update({ idx, fileExport: 1 })).rejects.toMatchObject(refused)
  await expect(as(manager).users.setIsMyPolicy({ idx: manager.idx, isMyPolicy: 0 })).rejects.toMatchObject(refused)
  expect(await exportOf(manager)).toEqual([FileExport.BLOCK, null])
  expect(await historyOf(db, 'policyManage')).toEqual([])
  await as(admin).users.setIsMyPolicy({ idx: admin.idx, isMyPolicy: 1 })
  await as(admin).policies.update({ idx: (await findEffectivePolicy(db.read, admin.idx))?.idx ?? 0, fileExport: 1 })
  expect(await exportOf(admin)).toEqual([FileExport.ALLOW, admin.idx])
})

test('a policy keeps the author of its file export when others change other values', async () => {
  const { desk } = await buildGroups(db, 'desk')
  const manager = await buildManager(db, { groups: [desk], policy: 2, as: { group: desk } })
  const colleague = await buildUser(db, { group: desk })
  const { idx } = await buildPolicy(db, { group: desk })
  await as(manager).policies.update({ idx, fileExport: FileExport.ALLOW })
  await as(admin).policies.update({ idx, fileExport: FileExport.ALLOW, print: 1 })
  expect(await exportOf(manager)).toEqual([FileExport.ALLOW, manager.idx])
  expect(await exportOf(colleague)).toEqual([FileExport.ALLOW, manager.idx])
  await as(admin).policies.update({ idx, fileExport: FileExport.APPROVAL })
  expect(await exportOf(manager)).toEqual([FileExport.APPROVAL, admin.idx])
  await as(admin).users.remove({ idxes: [manager.idx] })
  expect(await exportOf(colleague)).toEqual([FileExport.APPROVAL, admin.idx])
})

test('the person who separates a policy becomes the author of the copied values', async () => {
  const { area, zone } = await buildGroups(db, 'area', 'area/zone')
  await buildPolicy(db, { group: area, fileExport: FileExport.ALLOW })
  const manager = await buildManager(db, { groups: [zone], policy: 2, as: { group: zone } })
  await as(manager).groups.setIsMyPolicy({ idx: zone.idx, isMyPolicy: 1 })
  await as(admin).policies.update({ idx: await policyIdxOf(area), fileExport: FileExport.BLOCK })
  expect(await exportOf(manager)).toEqual([FileExport.ALLOW, manager.idx])
})

test('a manager does not let their own exports pass by dropping a policy or a group above them', async () => {
  const { open, strict } = await buildGroups(db, 'open', 'open/strict', 'open/strict/below')
  await buildPolicy(db, { group: open, fileExport: FileExport.ALLOW })
  await buildPolicy(db, { group: strict, fileExport: FileExport.APPROVAL })
  const manager = await buildManager(db, { groups: [open], policy: 2, as: { group: strict } })
  const refused = { error: 'SELF_ACTION' }
  await expect(as(manager).groups.setIsMyPolicy({ idx: strict.idx, isMyPolicy: 0 })).rejects.toMatchObject(refused)
  await expect(as(manager).groups.remove({ idx: strict.idx })).rejects.toMatchObject(refused)
  expect(await exportOf(manager)).toEqual([FileExport.APPROVAL, null])
  const other = await buildManager(db, { groups: [open], policy: 2 })
  await as(other).groups.setIsMyPolicy({ idx: strict.idx, isMyPolicy: 0 })
  expect(await exportOf(manager)).toEqual([FileExport.ALLOW, null])
})

/** Builds a manager with policy level 2 over an open group and a stricter one below, where the manager is. */
async function buildOwnStrict(name: string) {
  const { [name]: open, [`${name}-strict`]: strict } = await buildGroups(db, name, `${name}/${name}-strict`)
  if (open === undefined || strict === undefined) throw new Error('groups')
  await buildPolicy(db, { group: open, fileExport: FileExport.ALLOW })
  const { idx } = await buildPolicy(db, { group: strict, fileExport: FileExport.APPROVAL })
  const manager = await buildManager(db, { groups: [open], policy: 2, as: { group: strict } })
  const pc = await openDesktopClient(testApp, manager)
  const file = { name: 'a.txt', size: 0, sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }
  const requestExport = async () =>
    (await pc.requests.create({ type: Transfer.EXPORT, purpose: 'x', files: [file] })).state
  return { open, strict, idx, manager, requestExport }
}
const inherits = (manager: { idx: number }, { idx }: { idx: number }) =>
  as(manager).groups.setIsMyPolicy({ idx, isMyPolicy: 0 })
const REFUSED = { error: 'SELF_ACTION' }

test('allowing exports first does not open the way to drop a policy or to delete a group', async () => {
  const { strict, idx, manager, requestExport } = await buildOwnStrict('steps')
  await expect(inherits(manager, strict)).rejects.toMatchObject(REFUSED)
  await as(manager).policies.update({ idx, fileExport: FileExport.ALLOW })
  expect(await requestExport()).toBe(RequestState.REQUESTED)
  await expect(inherits(manager, strict)).rejects.toMatchObject(REFUSED)
  await expect(as(manager).groups.remove({ idx: strict.idx })).rejects.toMatchObject(REFUSED)
  expect(await requestExport()).toBe(RequestState.REQUESTED)
  expect(await exportOf(manager)).toEqual([FileExport.ALLOW, manager.idx])
})

test('a copy of an allowed policy is one that its author allowed, and is not dropped by them', async () => {
  const { strict, manager, requestExport } = await buildOwnStrict('copy')
  await inherits(admin, strict)
  expect(await requestExport()).toBe(RequestState.ALLOWED)
  await as(manager).groups.setIsMyPolicy({ idx: strict.idx, isMyPolicy: 1 })
  expect(await requestExport()).toBe(RequestState.REQUESTED)
  await expect(inherits(manager, strict)).rejects.toMatchObject(REFUSED)
})

test('a manager drops a policy whose exports pass already', async () => {
  const { strict, idx, manager, requestExport } = await buildOwnStrict('passing')
  await as(admin).policies.update({ idx, fileExport: FileExport.ALLOW })
  await inherits(manager, strict)
  expect(await requestExport()).toBe(RequestState.ALLOWED)
})

test('the policy of the person who allowed exports above lets nothing of theirs pass', async () => {
  const { open, strict, manager, requestExport } = await buildOwnStrict('above')
  const above = await policyIdxOf(open)
  await as(manager).policies.update({ idx: above, fileExport: FileExport.BLOCK })
  await as(manager).policies.update({ idx: above, fileExport: FileExport.ALLOW })
  await inherits(manager, strict)
  expect(await requestExport()).toBe(RequestState.REQUESTED)
})

test('two groups at once do not open what either alone keeps shut', async () => {
  const { strict, manager } = await buildOwnStrict('both')
  const { desk } = await buildGroups(db, 'both/both-strict/desk')
  await buildPolicy(db, { group: desk, fileExport: FileExport.APPROVAL })
  await as(admin).users.update({ idx: manager.idx, groupIdx: desk.idx })
  const calls = await owner.transaction().execute(async (tx) => {
    // Both calls come to their history rows, the last that they write, unless one waits for the other before.
    await sql`lock table history in share mode`.execute(tx)
    const both = Promise.allSettled([inherits(manager, strict), inherits(manager, desk)])
    const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(async () => (await waiting.execute(db.write)).rows.length).toBe(2)
    return { both }
  })
  const refused = (await calls.both).filter((call) => call.status === 'rejected')
  expect(refused).toMatchObject([{ reason: REFUSED }])
  expect(await exportOf(manager)).toEqual([FileExport.APPROVAL, null])
})

test('exports are urgent by no switch of the requester: neither set nor copied, until another person sets it', async () => {
  const { ward, room } = await buildGroups(db, 'ward', 'ward/room')
  const manager = await buildManager(db, { groups: [ward], policy: 2, as: { group: room } })
  const colleague = await buildUser(db, { group: room })
  const { idx } = await buildPolicy(db, { group: ward, fileExport: FileExport.APPROVAL })
  await as(manager).policies.update({ idx, urgentExport: 1 })
  await as(admin).policies.update({ idx, urgentExport: 1, urgentReviewHours: 8 })
  expect([await mayBeUrgent(manager), await mayBeUrgent(colleague)]).toEqual([false, true])
  await as(admin).policies.update({ idx, urgentExport: 0 })
  await as(admin).policies.update({ idx, urgentExport: 1 })
  expect(await mayBeUrgent(manager)).toBe(true)
  await as(manager).policies.update({ idx, fileExport: FileExport.BLOCK })
  expect(await mayBeUrgent(colleague)).toBe(false)
  await as(manager).policies.update({ idx, fileExport: FileExport.APPROVAL })
  expect([await mayBeUrgent(manager), await mayBeUrgent(colleague)]).toEqual([false, true])
  await as(admin).policies.update({ idx, fileExport: FileExport.BLOCK })
  await as(admin).policies.update({ idx, fileExport: FileExport.APPROVAL })
  expect(await mayBeUrgent(manager)).toBe(true)
  await as(manager).groups.setIsMyPolicy({ idx: room.idx, isMyPolicy: 1 })
  expect([await mayBeUrgent(manager), await mayBeUrgent(colleague)]).toEqual([false, true])
})

test.each([
  ['asks', { fileExport: FileExport.APPROVAL }],
  ['blocks', { fileExport: FileExport.BLOCK, urgentExport: 1 }],
] as const)('a manager whose policy %s does not let own exports be urgent by inheriting', async (name, values) => {
  const { [name]: fast } = await buildGroups(db, name)
  const { slow } = await buildGroups(db, `${name}/slow`)
  await buildPolicy(db, { group: fast, fileExport: FileExport.APPROVAL, urgentExport: 1 })
  const { idx } = await buildPolicy(db, { group: slow, ...values })
  const manager = await buildManager(db, { groups: [fast], policy: 2, as: { group: slow } })
  const expectRefused = async () => {
    await expect(inherits(manager, slow)).rejects.toMatchObject(REFUSED)
    await expect(as(manager).groups.remove({ idx: slow.idx })).rejects.toMatchObject(REFUSED)
  }
  await expectRefused()
  await as(manager).policies.update({ idx, urgentExport: 1, fileExport: FileExport.APPROVAL })
  await expectRefused()
  expect(await mayBeUrgent(manager)).toBe(false)
  await as(admin).policies.update({ idx, fileExport: FileExport.ALLOW })
  await inherits(manager, slow)
  expect(await mayBeUrgent(manager)).toBe(true)
})
