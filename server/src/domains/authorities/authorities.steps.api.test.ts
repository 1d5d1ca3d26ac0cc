// Authorities that decide approval steps: they keep what policies and waiting requests need.
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import type { StepChoice } from '@acc/contract/policySteps'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'
import { findApprovalSteps } from '../policies/policies.steps.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const { IMPORT, EXPORT } = Transfer
const LEVELS = { policy: 0, user: 0, fileImportApprove: 2, fileExportApprove: 2, log: 0 } as const

let built = 0
/** Builds a group with a person, and an authority over it that decides both directions. */
async function build() {
  const name = `Deciders ${++built}`
  const { [name]: group } = await buildGroups(db, name)
  if (group === undefined) throw new Error('no group')
  const person = await buildUser(db, { group })
  const authority = await buildAuthority(db, { name, groups: [group], users: [person], ...LEVELS })
  const whole = { idx: authority.idx, name, description: '', ...LEVELS, groupIdxes: [group.idx] }
  return { group, person, authority, whole, policy: await buildPolicy(db, { group }) }
}
const exportStep = ({ idx }: { idx: number }): StepChoice => ({ type: EXPORT, step: 2, authorityIdx: idx })
const name = (policy: { idx: number }, authority: { idx: number }) =>
  as(admin).policies.update({ idx: policy.idx, approvalSteps: [exportStep(authority)] })
const inUse = (policies: number, requests: number) => ({ error: 'AUTHORITY_IN_USE', data: { policies, requests } })
const remove = (authority: { idx: number }) => as(admin).authorities.remove({ idx: authority.idx })
const isThere = async ({ idx }: { idx: number }) =>
  (await db.read.selectFrom('authorities').select('idx').where('idx', '=', idx).executeTakeFirst()) !== undefined

/** Builds a request of three steps that is at one of them, and whose `decides` is the authority's. */
async function buildWaiting(
  person: Awaited<ReturnType<typeof buildUser>>,
  authority: { idx: number; name: string },
  { step, decides, ...columns }: { step: 1 | 2 | 3; decides: 2 | 3; type?: Transfer; state?: RequestState },
) {
  const request = await buildRequest(app, person, columns)
  await db.write.updateTable('fileEximports').set({ step, steps: 3 }).where('idx', '=', request.idx).execute()
  await db.write
    .insertInto('requestSteps')
    .values({
      fileEximportIdx: request.idx,
      step: decides,
      authorityIdx: authority.idx,
      authorityName: authority.name,
    })
    .execute()
}

test('an authority that policies name is not deleted, and keeps the level of their direction', async () => {
  const { authority, whole, policy } = await build()
  await name(policy, authority)
  const before = await historyOf(db, 'authManage')
  await expect(remove(authority)).rejects.toMatchObject(inUse(1, 0))
  const lowered = as(admin).authorities.update({ ...whole, fileExportApprove: 1 })
  await expect(lowered).rejects.toMatchObject(inUse(1, 0))
  expect(await historyOf(db, 'authManage')).toEqual(before)
  // The other direction, names and members are not needed.
  await as(admin).authorities.update({ ...whole, fileImportApprove: 0, name: `${whole.name} new` })
  await as(admin).authorities.setMembers({ idx: authority.idx, userIdxes: [] })
  await as(admin).policies.update({ idx: policy.idx, approvalSteps: [] })
  await as(admin).authorities.update({ ...whole, fileExportApprove: 1 })
  await remove(authority)
  expect(await isThere(authority)).toBe(false)
})

test('each policy counts once, and a policy above with a copy below as two', async () => {
  const { authority, policy, group } = await build()
  const steps = [exportStep(authority), { ...exportStep(authority), type: IMPORT }]
  await as(admin).policies.update({ idx: policy.idx, approvalSteps: steps })
  const { room } = await buildGroups(db, `${group.name}/room`)
  await as(admin).groups.setIsMyPolicy({ idx: room.idx, isMyPolicy: 1 })
  await expect(remove(authority)).rejects.toMatchObject(inUse(2, 0))
})

test('waiting requests that need the authority now or later keep it; decided and passed ones do not', async () => {
  const { authority, person, whole } = await build()
  await buildWaiting(person, authority, { step: 1, decides: 3 })
  await buildWaiting(person, authority, { step: 2, decides: 2 })
  await buildWaiting(person, authority, { step: 3, decides: 2 })
  await buildWaiting(person, authority, { step: 1, decides: 2, state: RequestState.REJECTED })
  await buildWaiting(person, authority, { step: 3, decides: 3, state: RequestState.APPROVED })
  await buildWaiting(person, authority, { step: 1, decides: 2, type: IMPORT })
  await expect(remove(authority)).rejects.toMatchObject(inUse(0, 3))
  const lowered = as(admin).authorities.update({ ...whole, fileExportApprove: 0 })
  await expect(lowered).rejects.toMatchObject(inUse(0, 2))
  await db.write
    .updateTable('fileEximports')
    .set({ state: RequestState.CANCELED, waitDT: null })
    .where('requesterIdx', '=', person.idx)
    .where('state', '=', RequestState.REQUESTED)
    .execute()
  await remove(authority)
  const kept = await db.read.selectFrom('requestSteps').select('authorityIdx').where('authorityName', '=', whole.name)
  expect((await kept.execute()).map(({ authorityIdx }) => authorityIdx)).toEqual(Array.from({ length: 6 }, () => null))
})

test('the last group of a needed authority is not deleted, by managers and administrators alike', async () => {
  const { authority, whole, group, policy } = await build()
  const { shelf, drawer } = await buildGroups(db, `${group.name}/shelf`, `${group.name}/drawer`)
  await as(admin).authorities.update({ ...whole, groupIdxes: [shelf.idx] })
  await name(policy, authority)
  const manager = await buildManager(db, { groups: [group], policy: 2 })
  for (const caller of [manager, admin])
    await expect(as(caller).groups.remove({ idx: shelf.idx })).rejects.toMatchObject(inUse(1, 0))
  await as(admin).authorities.update({ ...whole, groupIdxes: [shelf.idx, drawer.idx] })
  await as(manager).groups.remove({ idx: shelf.idx })
  await expect(as(manager).groups.remove({ idx: drawer.idx })).rejects.toMatchObject(inUse(1, 0))
})

test('of 50 edits and deletions at once, no policy names an authority that is gone or has lost its level', async () => {
  const parts = await Promise.all(Array.from({ length: 25 }, build))
  const calls = await Promise.allSettled(
    parts.flatMap(({ authority, whole, policy }, at) => [
      name(policy, authority),
      at % 2 === 0 ? remove(authority) : as(admin).authorities.update({ ...whole, fileExportApprove: 1 }),
    ]),
  )
  for (const [at, { authority }] of parts.entries()) {
    const [edit, loss] = calls.slice(at * 2, at * 2 + 2)
    expect([edit?.status, loss?.status].sort()).toEqual(['fulfilled', 'rejected'])
    if (edit?.status === 'rejected') expect(edit.reason).toMatchObject({ error: 'UNFIT_AUTHORITY' })
    if (loss?.status === 'rejected') {
      expect(loss.reason).toMatchObject(inUse(1, 0))
      expect(await isThere(authority)).toBe(true)
    }
  }
})

test('a request that keeps its steps makes a deletion of their authority wait, which then finds it', async () => {
  const { authority, person, policy } = await build()
  await name(policy, authority)
  const removal = await overtake(db, {
    lock: (tx) => findApprovalSteps(tx, person.idx, EXPORT),
    call: () => remove(authority),
    change: async (tx) => {
      await tx.deleteFrom('policyApprovalSteps').where('policyIdx', '=', policy.idx).execute()
      const { idx } = await buildRequest(app, person)
      await tx.updateTable('fileEximports').set({ steps: 2 }).where('idx', '=', idx).execute()
      const row = { fileEximportIdx: idx, step: 2, authorityIdx: authority.idx, authorityName: authority.name }
      await tx.insertInto('requestSteps').values(row).execute()
    },
  })
  expect(removal).toMatchObject(inUse(0, 1))
})

test('a request that comes after a deletion has the steps of the policy as it is then', async () => {
  const { authority, person, policy } = await build()
  const { authority: other } = await build()
  await name(policy, authority)
  const steps = await overtake(db, {
    lock: (tx) => tx.selectFrom('authorities').select('idx').where('idx', '=', authority.idx).forUpdate().execute(),
    call: () => db.write.transaction().execute((tx) => findApprovalSteps(tx, person.idx, EXPORT)),
    change: async (tx) => {
      await tx.deleteFrom('policyApprovalSteps').where('policyIdx', '=', policy.idx).execute()
      await tx
        .insertInto('policyApprovalSteps')
        .values({ policyIdx: policy.idx, ...exportStep(other) })
        .execute()
      await tx.deleteFrom('authorities').where('idx', '=', authority.idx).execute()
    },
  })
  expect(steps).toMatchObject([{ step: 2, authorityIdx: other.idx }])
})
