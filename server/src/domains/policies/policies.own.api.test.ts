// Policies that reach the person who changes them: a manager never changes their own personal policy, and the policy of
// their own group says who allowed file exports.
import { FileExport, OwnerType } from '@acc/contract/labels/policies'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { findEffectivePolicy } from './policies.service.ts'

const { app, as, admin } = await startTestApp()
const { db } = app

const exportOf = async (user: { idx: number }) => {
  const policy = await findEffectivePolicy(db.read, user.idx)
  return [policy?.values.fileExport, policy?.fileExportSetBy]
}
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
