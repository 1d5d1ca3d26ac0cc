// Ends of own policies and of network exceptions: what may be set, when they stop to apply, and what the job leaves.
import type { EndChange } from '@acc/contract/ends'
import { PolicyManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy, PORTAL_EXCEPTION } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { days, hours } from '../../clock.ts'
import { findEffectivePolicy } from '../policies/policies.service.ts'
import { runEnds } from './ends.jobs.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const { sales } = await buildGroups(db, 'sales')
const manager = await buildManager(db, { groups: [sales], policy: 2, as: { group: sales } })
const calls = as(admin)

/** A moment relative to the database's clock, which is that of this machine. */
const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const employee = () => buildUser(db, { group: sales })
const ownerOf = (user: { idx: number }) => ({ ownerIdx: user.idx, ownerType: OwnerType.USER })
const policyOf = (user: { idx: number }) => calls.policies.find(ownerOf(user))
const own = (user: { idx: number }, end: EndChange = {}) =>
  calls.users.setIsMyPolicy({ idx: user.idx, isMyPolicy: 1, ...end })
const userRow = (user: { idx: number }) =>
  db.read.selectFrom('users').select(['isMyPolicy']).where('idx', '=', user.idx).executeTakeFirstOrThrow()
const logOf = async (user: { idx: number }) =>
  (await historyOf(db, 'policyManage')).filter(({ subjectIdx }) => subjectIdx === user.idx)
/** Moves an end that was set into the past. */
const endPolicy = (user: { idx: number }) =>
  db.write
    .updateTable('policies')
    .set({ endDT: new Date(at(-1000)) })
    .where('userIdx', '=', user.idx)
    .execute()
const revisionOf = async (user: { idx: number }) => (await findEffectivePolicy(db.read, user.idx))?.revision

const REFUSED = (field: string) => ({ error: 'INVALID_INPUT', data: { fields: [field] } })

test.each<[string, EndChange]>([
  ['in the past', { endDT: at(-1000) }],
  ['in 100 years', { endDT: at(days(36_500)) }],
  ['in more than a year', { endDT: at(days(367)) }],
  ['missing without a reason', { endDT: null }],
  ['missing with a reason of blanks', { endDT: null, endReason: '   ' }],
])('an end %s is refused, and nothing changes', async (_, end) => {
  const user = await employee()
  await expect(own(user, end)).rejects.toMatchObject(REFUSED('endDT'))
  expect(await userRow(user)).toMatchObject({ isMyPolicy: 0 })
  await own(user, { endDT: at(days(1)) })
  await expect(own(user, end)).rejects.toMatchObject(REFUSED('endDT'))
  const { idx } = await policyOf(user)
  for (const list of ['policyNetworkExceptions', 'policyLocalNetworkExceptions'] as const)
    await expect(calls.policies.update({ idx, [list]: [{ ...PORTAL_EXCEPTION, ...end }] })).rejects.toMatchObject(
      REFUSED(list),
    )
  expect((await policyOf(user)).policyNetworkExceptions).toEqual([])
  expect(await logOf(user)).toHaveLength(1)
})

test('an own policy has an end, or none for a reason, and both are in the history', async () => {
  const user = await employee()
  const end = at(days(7))
  await own(user, { endDT: end })
  expect(await policyOf(user)).toMatchObject({ isMyPolicy: 1, endDT: end, endReason: null, revision: 1 })
  await own(user, { endDT: null, endReason: '  상시 업무  ' })
  expect(await policyOf(user)).toMatchObject({ isMyPolicy: 1, endDT: null, endReason: '상시 업무', revision: 2 })
  await own(user, { endDT: null, endReason: '상시 업무' })
  await own(user)
  expect(await logOf(user)).toMatchObject([
    { type: PolicyManage.SEPARATE, detail: { targetEndDT: end, targetOldEndDT: null } },
    {
      type: PolicyManage.UPDATE_END,
      detail: { targetEndDT: null, targetOldEndDT: end, targetEndReason: '상시 업무', targetOldEndReason: null },
    },
  ])
})

test('an ended policy no longer applies, and nobody brings it back by an old screen', async () => {
  const user = await employee()
  const inherited = await revisionOf(user)
  await own(user, { endDT: at(hours(1)) })
  const opened = await policyOf(user)
  await calls.policies.update({ idx: opened.idx, print: 1, revision: opened.revision })
  expect(await revisionOf(user)).not.toBe(inherited)
  await endPolicy(user)
  expect(await revisionOf(user)).toBe(inherited)
  expect(await policyOf(user)).toMatchObject({ isMyPolicy: 0, endDT: null, print: 0 })
  const edit = { idx: opened.idx, print: 1 } as const
  await expect(calls.policies.update({ ...edit, revision: opened.revision + 1 })).rejects.toMatchObject({
    error: 'NOT_ALLOWED',
  })
  await expect(calls.policies.update(edit)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  expect(await policyOf(user)).toMatchObject({ isMyPolicy: 0, print: 0 })
})

test('the job lets the person inherit once more and leaves a row without an author', async () => {
  const user = await employee()
  const end = at(hours(1))
  await own(user, { endDT: end })
  await runEnds(app)
  expect(await userRow(user)).toEqual({ isMyPolicy: 1 })
  await endPolicy(user)
  const events = await announced(app, () => Promise.all([runEnds(app), runEnds(app)]))
  expect(events).toContainEqual(expect.objectContaining({ topic: 'policies', groupIdx: sales.idx }))
  expect(events).toContainEqual(expect.objectContaining({ topic: 'users', idx: user.idx }))
  expect(await userRow(user)).toEqual({ isMyPolicy: 0 })
  expect(await db.read.selectFrom('policies').select('idx').where('userIdx', '=', user.idx).execute()).toEqual([])
  const rows = await logOf(user)
  expect(rows).toHaveLength(2)
  expect(rows[1]).toMatchObject({
    type: PolicyManage.INHERIT,
    actorIdx: null,
    groupIdx: sales.idx,
    detail: { targetEndDT: null, targetOldEndDT: expect.any(String) },
  })
})

test('a new own policy begins after the ended one, before the job has run', async () => {
  const user = await employee()
  await own(user, { endDT: at(hours(1)) })
  const { idx } = await policyOf(user)
  await calls.policies.update({ idx, print: 1 })
  await endPolicy(user)
  await own(user, { endDT: at(hours(2)) })
  expect(await policyOf(user)).toMatchObject({ isMyPolicy: 1, print: 0 })
  expect((await logOf(user)).map(({ type, actorIdx }) => [type, actorIdx])).toEqual([
    [PolicyManage.SEPARATE, admin.idx],
    [PolicyManage.UPDATE_DESKTOP_ENVIRONMENT, admin.idx],
    [PolicyManage.INHERIT, null],
    [PolicyManage.SEPARATE, admin.idx],
  ])
})

test('an exception without an end keeps its row, an edited one needs an end or a reason', async () => {
  const user = await employee()
  const { idx } = await buildPolicy(db, { user })
  // Callers who know no ends.
  await calls.policies.update({ idx, policyNetworkExceptions: [PORTAL_EXCEPTION] })
  const [stored] = (await policyOf(user)).policyNetworkExceptions
  if (stored === undefined) throw new Error('no exception')
  expect(stored).toMatchObject({ endDT: null, endReason: null })
  const other = { ...PORTAL_EXCEPTION, description: 'Wiki', ip1: 'wiki.example.com', endDT: at(days(30)) }
  await calls.policies.update({ idx, policyNetworkExceptions: [stored, other] })
  const renamed = { ...stored, description: 'Renamed' }
  await expect(calls.policies.update({ idx, policyNetworkExceptions: [renamed] })).rejects.toMatchObject(
    REFUSED('policyNetworkExceptions'),
  )
  await calls.policies.update({ idx, policyNetworkExceptions: [{ ...renamed, endReason: 'Always needed' }] })
  // The end is kept where the caller does not name it.
  const { endDT: _, endReason: __, ...bare } = renamed
  await calls.policies.update({ idx, policyNetworkExceptions: [{ ...bare, port: 0 }] })
  expect((await policyOf(user)).policyNetworkExceptions).toMatchObject([
    { description: 'Renamed', port: 0, endDT: null, endReason: 'Always needed' },
  ])
})

test('an ended exception leaves the policy at once, and its row with the job', async () => {
  const user = await employee()
  const { idx } = await buildPolicy(db, { user })
  const before = await revisionOf(user)
  const end = at(hours(1))
  await calls.policies.update({ idx, policyNetworkExceptions: [{ ...PORTAL_EXCEPTION, endDT: end }] })
  const { policyNetworkExceptions, revision } = await policyOf(user)
  expect(policyNetworkExceptions).toMatchObject([{ endDT: end }])
  expect(await revisionOf(user)).not.toBe(before)
  await db.write
    .updateTable('policyNetworkExceptions')
    .set({ endDT: new Date(at(-1000)) })
    .where('policyIdx', '=', idx)
    .execute()
  expect(await revisionOf(user)).toBe(before)
  expect((await policyOf(user)).policyNetworkExceptions).toEqual([])
  // An old screen saves the list that it shows: the row is still ended.
  const shown = policyNetworkExceptions.map((row) => ({ ...row, endDT: undefined, endReason: undefined }))
  await calls.policies.update({ idx, policyNetworkExceptions: shown, revision })
  expect((await policyOf(user)).policyNetworkExceptions).toEqual([])
  await Promise.all([runEnds(app), runEnds(app)])
  expect(
    await db.read.selectFrom('policyNetworkExceptions').select('idx').where('policyIdx', '=', idx).execute(),
  ).toEqual([])
  const rows = await logOf(user)
  expect(rows).toHaveLength(2)
  expect(rows[1]).toMatchObject({
    type: PolicyManage.UPDATE_NETWORK,
    actorIdx: null,
    detail: { policyNetworkExceptions: [{ description: 'Portal', isOld: 1, endDT: expect.any(String) }] },
  })
  await expect(calls.policies.update({ idx, print: 1, revision })).rejects.toMatchObject({ error: 'CHANGED_MEANWHILE' })
})

test('a copy of a policy keeps the ends of its exceptions', async () => {
  const { lab } = await buildGroups(db, 'lab')
  const { idx } = await buildPolicy(db, { group: lab })
  const ended = { ...PORTAL_EXCEPTION, idx: -2, description: 'Ended', ip1: 'ended.example.com', endDT: at(days(1)) }
  const end = at(days(3))
  await calls.policies.update({ idx, policyNetworkExceptions: [{ ...PORTAL_EXCEPTION, endDT: end }, ended] })
  await db.write
    .updateTable('policyNetworkExceptions')
    .set({ endDT: new Date(at(-1000)) })
    .where('description', '=', 'Ended')
    .execute()
  const user = await buildUser(db, { group: lab })
  await own(user)
  expect((await policyOf(user)).policyNetworkExceptions).toMatchObject([{ description: 'Portal', endDT: end }])
  const { policyNetworkExceptions } = await policyOf(user)
  expect(policyNetworkExceptions).toHaveLength(1)
})

test('a manager sets ends for people in reach, never for themselves', async () => {
  const user = await employee()
  const end = { isMyPolicy: 1, endDT: at(days(1)) } as const
  await as(manager).users.setIsMyPolicy({ idx: user.idx, ...end })
  await own(manager, { endDT: at(days(1)) })
  const longer = { idx: manager.idx, isMyPolicy: 1, endDT: at(days(300)) } as const
  await expect(as(manager).users.setIsMyPolicy(longer)).rejects.toMatchObject({ error: 'SELF_ACTION' })
  const { idx } = await policyOf(manager)
  const exceptions = [{ ...PORTAL_EXCEPTION, endDT: at(days(300)) }]
  await expect(as(manager).policies.update({ idx, policyNetworkExceptions: exceptions })).rejects.toMatchObject({
    error: 'SELF_ACTION',
  })
})
