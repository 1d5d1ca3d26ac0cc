// Managers and the approval steps of their own requests: they add steps, and remove or weaken none in any way.
import { FileExport, OwnerType } from '@acc/contract/labels/policies'
import { Transfer } from '@acc/contract/labels/requests'
import type { StepChoice } from '@acc/contract/policySteps'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { findUserSteps } from './policies.steps.ts'

const { app, as, admin, owner } = await startTestApp()
const { db } = app
const { IMPORT, EXPORT } = Transfer
const REFUSED = { error: 'SELF_ACTION' }

const { office } = await buildGroups(db, 'office')
const member = await buildUser(db, { group: office })
const both = { groups: [office], users: [member], fileExportApprove: 2, fileImportApprove: 2 } as const
const security = await buildAuthority(db, { name: 'Security', ...both })
const board = await buildAuthority(db, { name: 'Board', ...both })

const step = (type: Transfer, step: 2 | 3, { idx }: { idx: number }): StepChoice => ({ type, step, authorityIdx: idx })
const ONE = [step(EXPORT, 2, security)]
const update = (person: { idx: number }, idx: number, approvalSteps: StepChoice[]) =>
  as(person).policies.update({ idx, approvalSteps })
const inherit = (person: { idx: number }, group: { idx: number }) =>
  as(person).groups.setIsMyPolicy({ idx: group.idx, isMyPolicy: 0 })
const authoritiesOf = async (person: { idx: number }) =>
  (await findUserSteps(db.read, person.idx)).map(({ authorityName }) => authorityName)

/** Builds a manager over a group and one below it, where the manager is. The policy of the lower one has a step. */
async function buildOwnSteps(name: string, above: StepChoice[] = []) {
  const { [name]: upper, [`${name}-low`]: lower } = await buildGroups(db, name, `${name}/${name}-low`)
  if (upper === undefined || lower === undefined) throw new Error('groups')
  const top = await buildPolicy(db, { group: upper, fileExport: FileExport.APPROVAL })
  const own = await buildPolicy(db, { group: lower, fileExport: FileExport.APPROVAL })
  await update(admin, top.idx, above)
  await update(admin, own.idx, ONE)
  const manager = await buildManager(db, { groups: [upper], policy: 2, user: 2, as: { group: lower } })
  return { upper, lower, top: top.idx, own: own.idx, manager }
}

test('a manager neither removes nor replaces a step of their own requests by an edit', async () => {
  const { own, lower, manager } = await buildOwnSteps('edit')
  const before = await historyOf(db, 'policyManage')
  for (const steps of [
    [],
    [step(EXPORT, 2, board)],
    [step(IMPORT, 2, security)],
    [step(IMPORT, 2, security), step(EXPORT, 2, board)],
  ]) {
    await expect(update(manager, own, steps)).rejects.toMatchObject(REFUSED)
    // Nothing else of the edit is stored either.
    await expect(as(manager).policies.update({ idx: own, print: 1, approvalSteps: steps })).rejects.toMatchObject(
      REFUSED,
    )
  }
  expect(await authoritiesOf(manager)).toEqual(['Security'])
  expect(await historyOf(db, 'policyManage')).toEqual(before)
  const policy = await as(manager).policies.find({ ownerIdx: lower.idx, ownerType: OwnerType.GROUP })
  expect(policy).toMatchObject({ print: 0, approvalSteps: ONE })
})

test('the steps of imports are protected like those of exports', async () => {
  const { own, manager } = await buildOwnSteps('imports')
  await update(admin, own, [...ONE, step(IMPORT, 2, board)])
  await expect(update(manager, own, ONE)).rejects.toMatchObject(REFUSED)
  expect(await authoritiesOf(manager)).toEqual(['Board', 'Security'])
})

test('a manager adds steps to their own policy, and changes their order', async () => {
  const { own, manager } = await buildOwnSteps('more')
  await update(manager, own, [step(EXPORT, 2, board), step(EXPORT, 3, security)])
  await update(manager, own, [...ONE, step(EXPORT, 3, board), step(IMPORT, 2, board)])
  expect(await authoritiesOf(manager)).toEqual(['Board', 'Security', 'Board'])
  await expect(update(manager, own, ONE)).rejects.toMatchObject(REFUSED)
})

test('a manager does not lose a step by dropping a policy or deleting a group', async () => {
  const { lower, manager } = await buildOwnSteps('drop')
  await expect(inherit(manager, lower)).rejects.toMatchObject(REFUSED)
  await expect(as(manager).groups.remove({ idx: lower.idx })).rejects.toMatchObject(REFUSED)
  expect(await authoritiesOf(manager)).toEqual(['Security'])
  await inherit(admin, lower)
  expect(await authoritiesOf(manager)).toEqual([])
})

test('a policy above that has the step too may apply instead, and is then protected', async () => {
  const { lower, top, manager } = await buildOwnSteps('above', [step(EXPORT, 2, board), step(EXPORT, 3, security)])
  await inherit(manager, lower)
  expect(await authoritiesOf(manager)).toEqual(['Board', 'Security'])
  await expect(update(manager, top, ONE)).rejects.toMatchObject(REFUSED)
})

test('a policy that does not apply to the manager is theirs to change, but opens no way to drop their own', async () => {
  const { lower, top, manager } = await buildOwnSteps('other', ONE)
  await update(manager, top, [])
  await expect(inherit(manager, lower)).rejects.toMatchObject(REFUSED)
  expect(await authoritiesOf(manager)).toEqual(['Security'])
})

test('a copy of the policy keeps its steps, which its author cannot remove', async () => {
  const { copy } = await buildGroups(db, 'copy')
  const { idx } = await buildPolicy(db, { group: copy, fileExport: FileExport.APPROVAL })
  await update(admin, idx, ONE)
  const { room } = await buildGroups(db, 'copy/room')
  const manager = await buildManager(db, { groups: [room], policy: 2, as: { group: room } })
  await as(manager).groups.setIsMyPolicy({ idx: room.idx, isMyPolicy: 1 })
  const own = await as(manager).policies.find({ ownerIdx: room.idx, ownerType: OwnerType.GROUP })
  expect(own).toMatchObject({ isMyPolicy: 1, approvalSteps: ONE })
  await expect(update(manager, own.idx, [])).rejects.toMatchObject(REFUSED)
})

test('allowing exports oneself does not end the steps', async () => {
  const { own, manager } = await buildOwnSteps('allowed')
  await as(manager).policies.update({ idx: own, fileExport: FileExport.ALLOW })
  await expect(update(manager, own, [])).rejects.toMatchObject(REFUSED)
  expect(await authoritiesOf(manager)).toEqual(['Security'])
})

test('neither a personal policy nor a move takes a manager out of the steps', async () => {
  const { upper, manager } = await buildOwnSteps('person')
  await expect(as(manager).users.setIsMyPolicy({ idx: manager.idx, isMyPolicy: 1 })).rejects.toMatchObject(REFUSED)
  const { idx } = await buildPolicy(db, { user: manager })
  await update(admin, idx, ONE)
  await expect(update(manager, idx, [])).rejects.toMatchObject(REFUSED)
  await expect(as(manager).users.setIsMyPolicy({ idx: manager.idx, isMyPolicy: 0 })).rejects.toMatchObject(REFUSED)
  await expect(as(manager).users.move({ idxes: [manager.idx], groupIdx: upper.idx })).rejects.toMatchObject(REFUSED)
  await expect(as(manager).users.update({ idx: manager.idx, groupIdx: upper.idx })).rejects.toMatchObject(REFUSED)
})

test('an edit above and dropping the own policy, at once, do not end a step that each alone keeps', async () => {
  const { lower, top, manager } = await buildOwnSteps('twice', ONE)
  const calls = await owner.transaction().execute(async (tx) => {
    // Both calls come to their history rows, the last that they write, unless one waits for the other before.
    await sql`lock table history in share mode`.execute(tx)
    const pair = Promise.allSettled([update(manager, top, []), inherit(manager, lower)])
    const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(async () => (await waiting.execute(db.write)).rows.length).toBe(2)
    return { pair }
  })
  const refused = (await calls.pair).filter((call) => call.status === 'rejected')
  expect(refused).toMatchObject([{ reason: REFUSED }])
  expect(await authoritiesOf(manager)).toEqual(['Security'])
})
