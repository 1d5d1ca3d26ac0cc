// Since when each value of a policy applies, who may see who set it, and the values of all groups.
import { PolicyManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import type { PolicyOrigin } from '@acc/contract/policies'
import { POLICY_FIELDS } from '@acc/contract/policyValues'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { minutes } from '../../clock.ts'
import { insertHistory, SYSTEM } from '../../core/change.ts'
import { policyLog } from './policies.history.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
const calls = as(admin)
const { GROUP, USER } = OwnerType
const ofGroup = (group: { idx: number }) => ({ ownerIdx: group.idx, ownerType: GROUP })
const ofUser = (user: { idx: number }) => ({ ownerIdx: user.idx, ownerType: USER })

const byName = (origins: readonly PolicyOrigin[]) => Object.fromEntries(origins.map((origin) => [origin.name, origin]))
const now = () => clock.now().toISOString()
/** Separates a group, and returns its policy. */
async function separate(group: { idx: number }) {
  clock.advance(minutes(1))
  await calls.groups.setIsMyPolicy({ idx: group.idx, isMyPolicy: 1 })
  return { separated: now(), policy: await calls.policies.find(ofGroup(group)) }
}

test('each value names the change that set it: the copy, or the last one that changed the value', async () => {
  const { shop, till } = await buildGroups(db, 'shop', 'shop/till')
  const cashier = await buildUser(db, { group: till })
  const { separated, policy } = await separate(shop)
  const change = async (input: object) => {
    clock.advance(minutes(1))
    await calls.policies.update({ idx: policy.idx, ...input })
    return now()
  }
  await change({ print: 1, network: 0 })
  const printed = await change({ print: 0, screenCapture: 1 })
  const listed = await change({
    policyLoopbackExceptions: [{ idx: -1, description: 'Browser', processName: 'chrome.exe' }],
  })
  const web = await calls.shortcuts.createWeb({ name: 'Till', url: 'https://till.example.com' })
  const linked = await change({ shortcutWebIdxes: [web.idx] })
  const blocked = await change({ loopback: 0 })

  const { ownerName, origins } = await calls.policies.findOrigins(ofUser(cashier))
  expect(ownerName).toBe('shop')
  const found = byName(origins)
  expect(origins).toHaveLength(POLICY_FIELDS.length + 6)
  expect(found.clipboard).toMatchObject({ logDT: separated, copiedFrom: '전체 조직', actorName: 'Administrator' })
  expect(found.print).toMatchObject({ logDT: printed, copiedFrom: null })
  expect(found.screenCapture).toMatchObject({ logDT: printed })
  expect(found.policyLoopbackExceptions).toMatchObject({ logDT: listed, copiedFrom: null })
  expect(found.policyNetworkExceptions).toMatchObject({ logDT: separated })
  expect(found.shortcutWebs).toMatchObject({ logDT: linked })
  expect(found.shortcutPrograms).toMatchObject({ logDT: separated })
  expect(found.loopback).toMatchObject({ logDT: blocked })
  const entry = await calls.history.find({ log: 'policyManage', idx: found.print?.logIdx ?? 0 })
  expect(entry.entry).toMatchObject({ logDT: printed, policyPrint: 0, policyOldPrint: 1 })
})

test('a policy that began anew does not name changes of its predecessor', async () => {
  const { annex } = await buildGroups(db, 'annex')
  const { policy } = await separate(annex)
  await calls.policies.update({ idx: policy.idx, print: 1 })
  await calls.groups.setIsMyPolicy({ idx: annex.idx, isMyPolicy: 0 })
  const { separated } = await separate(annex)
  const { origins } = await calls.policies.findOrigins(ofGroup(annex))
  expect(byName(origins).print).toMatchObject({ logDT: separated, copiedFrom: '전체 조직' })
})

test('values without a change in the history are missing, and a user does not share rows with a group', async () => {
  const { depot } = await buildGroups(db, 'depot')
  await buildPolicy(db, { group: depot })
  const driver = await buildUser(db, { group: depot })
  await db.write.transaction().execute(async (tx) => {
    const person = { ...ofUser(depot), name: 'x', id: 'x', groupIdx: depot.idx, groupName: 'x' }
    const owner = { ...person, path: [depot.idx], isMyPolicy: 1 as const, isSinglePC: 0 as const }
    await insertHistory(tx, SYSTEM, clock.now(), [policyLog(PolicyManage.SEPARATE, owner, {})])
  })
  expect(await calls.policies.findOrigins(ofUser(driver))).toEqual({ ownerName: 'depot', origins: [] })
})

test('who set a value is hidden from those who may not read that row, also of a policy above', async () => {
  const { plant, hall } = await buildGroups(db, 'plant', 'plant/hall')
  const { separated } = await separate(plant)
  const isHidden = { logDT: separated, actorName: null, logIdx: null }
  const seenBy = async (manager: { idx: number }) =>
    byName((await as(manager).policies.findOrigins(ofGroup(hall))).origins).print
  expect(await seenBy(await buildManager(db, { groups: [plant], policy: 1 }))).toMatchObject(isHidden)
  expect(await seenBy(await buildManager(db, { groups: [hall], policy: 1, log: 1 }))).toMatchObject(isHidden)
  expect(await seenBy(await buildManager(db, { groups: [plant], policy: 1, log: 1 }))).toMatchObject({
    actorName: 'Administrator',
    logIdx: expect.any(Number),
  })
})

test('the origins of a foreign owner are as if it did not exist', async () => {
  const { east, west } = await buildGroups(db, 'east', 'west')
  const manager = await buildManager(db, { groups: [east], policy: 2, log: 1 })
  for (const owner of [ofGroup(west), ofUser(admin), { ownerIdx: 999_999, ownerType: GROUP }])
    await expect(as(manager).policies.findOrigins(owner)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

test('the map has the own policies of the viewer, and what the topmost groups inherit', async () => {
  const { mill, saw, blade, wood } = await buildGroups(db, 'mill', 'mill/saw', 'mill/saw/blade', 'mill/wood')
  await buildPolicy(db, { group: mill, print: 1 })
  await buildPolicy(db, { group: blade, clipboard: 3 })
  await buildPolicy(db, { group: wood })
  await buildPolicy(db, { user: await buildUser(db, { group: saw }) })
  const manager = await buildManager(db, { groups: [saw, blade], policy: 1, log: 1 })
  const { policies } = await as(manager).policies.findMap({})
  expect(policies).toHaveLength(2)
  expect(policies).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ groupIdx: saw.idx, inheritedFrom: 'mill', print: 1, clipboard: 0 }),
      expect.objectContaining({ groupIdx: blade.idx, inheritedFrom: null, clipboard: 3 }),
    ]),
  )
  const all = (await calls.policies.findMap({})).policies
  const own = await db.read.selectFrom('policies').select('groupIdx').where('groupIdx', 'is not', null).execute()
  expect(all.map(({ groupIdx }) => groupIdx).sort()).toEqual(own.map(({ groupIdx }) => groupIdx).sort())
  expect(all.every(({ inheritedFrom }) => inheritedFrom === null)).toBe(true)
})

test('a level on another page does not show the map', async () => {
  const { farm, barn } = await buildGroups(db, 'farm', 'barn')
  await buildPolicy(db, { group: farm })
  const user = await buildManager(db, { groups: [farm], user: 2, log: 1 })
  await expect(as(user).policies.findMap({})).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  const elsewhere = await buildManager(db, { groups: [barn], policy: 1 })
  const { policies } = await as(elsewhere).policies.findMap({})
  expect(policies).toMatchObject([{ groupIdx: barn.idx, inheritedFrom: '전체 조직' }])
})
