// The links of history rows: an idx is there only if its object still exists and the viewer may open it.
import { Transfer } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy, openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildSignIns } from '../../../test/build/signIns.ts'
import { buildUser } from '../../../test/build/users.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
await openExports(db)
const { sales, east, rnd } = await buildGroups(db, 'sales', 'sales/east', 'rnd')
const employee = await buildUser(db, { group: east })
const gone = await buildUser(db, { group: east })
/** Reads the history of sales, where they may open users, but not policies. */
const reader = await buildManager(db, { groups: [sales], log: 1, user: 2 })
const logOnly = await buildManager(db, { groups: [sales], log: 1 })
/** Reads the history of sales, but opens users and policies of another group alone. */
const elsewhere = await buildManager(db, { groups: [sales], log: 1 })
await buildAuthority(db, { groups: [rnd], users: [elsewhere], user: 2, policy: 2, fileExportApprove: 2 })

const newest = <T extends { items: unknown[] }>({ items }: T) => items[0]

test('a sign-in leads to its user, as long as they exist and can be opened', async () => {
  await buildSignIns(app, employee, [{}])
  const linkFor = async (user: { idx: number }) => newest(await as(user).history.clientLogin({}))
  for (const viewer of [admin, reader]) expect(await linkFor(viewer)).toMatchObject({ targetIdx: employee.idx })
  for (const viewer of [logOnly, elsewhere]) expect(await linkFor(viewer)).toMatchObject({ targetIdx: null })
  await buildSignIns(app, gone, [{}])
  await as(admin).users.remove({ idxes: [gone.idx] })
  expect(await linkFor(admin)).toMatchObject({ userId: gone.id, targetIdx: null })
})

test('an edited user and its author', async () => {
  await as(reader).users.update({ idx: employee.idx, name: 'edited' })
  const byReader = { targetName: 'edited' }
  expect(newest(await as(admin).history.userManage(byReader))).toMatchObject({
    targetIdx: employee.idx,
    actorIdx: reader.idx,
  })
  const [entry] = (await as(reader).history.userManage(byReader)).items
  expect(entry).toMatchObject({ targetIdx: employee.idx, actorIdx: null })
  expect((await as(logOnly).history.find({ log: 'userManage', idx: entry?.idx ?? 0 })).entry).toMatchObject({
    targetIdx: null,
    actorIdx: null,
  })
})

test('a group and its policy with the right to policies, the policy of a user with the right to users', async () => {
  const policyReader = await buildManager(db, { groups: [sales], log: 1, policy: 1 })
  await as(admin).groups.update({ idx: east.idx, description: 'edited', revision: 1 })
  await as(admin).policies.update({ idx: (await buildPolicy(db, { group: east, fileExport: 2 })).idx, print: 1 })
  await as(admin).policies.update({ idx: (await buildPolicy(db, { user: employee, fileExport: 2 })).idx, print: 1 })
  for (const [viewer, opensGroups, opensUsers] of [
    [admin, true, true],
    [policyReader, true, false],
    [reader, false, true],
    [elsewhere, false, false],
  ] as const) {
    const { history } = as(viewer)
    const group = opensGroups ? east.idx : null
    expect(newest(await history.groupManage({}))).toMatchObject({ targetIdx: group })
    expect(newest(await history.policyManage({ targetType: 0 }))).toMatchObject({ targetIdx: group })
    expect(newest(await history.policyManage({ targetType: 1 }))).toMatchObject({
      targetIdx: opensUsers ? employee.idx : null,
    })
  }
})

test('a downloaded request, by its direction', async () => {
  const request = await buildRequest(app, employee, { type: Transfer.EXPORT })
  await (await as(admin).requests.download({ fileEximport: request.idx })).arrayBuffer()
  const approver = await buildManager(db, { groups: [east], log: 1, fileExportApprove: 1 })
  const importer = await buildManager(db, { groups: [east], log: 1, fileImportApprove: 1 })
  for (const viewer of [admin, approver])
    expect(newest(await as(viewer).history.fileDownload({}))).toMatchObject({ targetIdx: request.idx })
  for (const viewer of [importer, elsewhere])
    expect(newest(await as(viewer).history.fileDownload({}))).toMatchObject({ targetIdx: null })
})

test('an authority, until it is deleted', async () => {
  const levels = { policy: 1, user: 0, fileImportApprove: 0, fileExportApprove: 0, log: 0 } as const
  const { idx } = await as(admin).authorities.create({ name: 'short', groupIdxes: [rnd.idx], userIdxes: [], ...levels })
  expect(newest(await as(admin).history.authManage({}))).toMatchObject({ targetIdx: idx })
  await as(admin).authorities.remove({ idx })
  const { items } = await as(admin).history.authManage({ targetName: 'short' })
  expect(items.map(({ targetIdx }) => targetIdx)).toEqual([null, null])
})

test('an address that is let through, never the BIM server of the same number', async () => {
  const { bim, history } = as(admin)
  const { idx } = await bim.createException({ ip: '10.1.2.3' })
  const linkOf = async () => (await history.bimManage({})).items[0]?.targetIdx
  expect(await linkOf()).toBe(idx)
  await bim.updateException({ idx, ip: '10.1.2.4' })
  expect(await linkOf()).toBe(idx)
  await bim.removeExceptions({ idxes: [idx] })
  const server = await bim.createServer({ pcName: 'BIM-1', ip: '10.1.2.5' })
  expect(server.idx).toBe(idx)
  const { items } = await history.bimManage({})
  expect(items.map(({ targetIdx }) => targetIdx)).toEqual([server.idx, null, null, null])
})
