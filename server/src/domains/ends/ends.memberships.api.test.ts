// Ends of memberships of authorities: what may be set, when the rights end, and what the job leaves.
import type { EndChange } from '@acc/contract/ends'
import { AuthManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { days, hours } from '../../clock.ts'
import { runEnds } from './ends.jobs.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const { sales } = await buildGroups(db, 'sales')
const calls = as(admin)

const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const LEVELS = { policy: 2, user: 2, fileImportApprove: 0, fileExportApprove: 0, log: 0 } as const
const membersOf = async (idx: number) =>
  (await calls.authorities.find({ idx })).users.map(({ idx: userIdx, endDT, endReason }) => ({
    userIdx,
    endDT,
    endReason,
  }))
const logOf = async (idx: number) => (await historyOf(db, 'authManage')).filter(({ subjectIdx }) => subjectIdx === idx)
const endMembership = (authorityIdx: number) =>
  db.write
    .updateTable('authorityUsers')
    .set({ endDT: new Date(at(-1000)) })
    .where('authorityIdx', '=', authorityIdx)
    .where('endDT', 'is not', null)
    .execute()

test.each<[string, EndChange]>([
  ['in the past', { endDT: at(-1000) }],
  ['in 100 years', { endDT: at(days(36_500)) }],
  ['missing without a reason', { endDT: null }],
  ['missing with a reason of blanks', { endDT: null, endReason: '   ' }],
])('an end %s is refused, and nothing changes', async (_, end) => {
  const user = await buildUser(db)
  const { idx } = await buildAuthority(db, { groups: [sales], ...LEVELS })
  const ends = [{ userIdx: user.idx, ...end }]
  const refused = { error: 'INVALID_INPUT', data: { fields: ['ends'] } }
  await expect(calls.authorities.setMembers({ idx, userIdxes: [user.idx], ends })).rejects.toMatchObject(refused)
  expect(await membersOf(idx)).toEqual([])
  const created = { name: `A ${idx}`, ...LEVELS, groupIdxes: [sales.idx], userIdxes: [user.idx] }
  await expect(calls.authorities.create({ ...created, ends })).rejects.toMatchObject(refused)
  expect(await logOf(idx)).toEqual([])
})

test('an end belongs to a member', async () => {
  const [user, other] = [await buildUser(db), await buildUser(db)]
  const { idx } = await buildAuthority(db, { groups: [sales], ...LEVELS })
  const ends = [{ userIdx: other.idx, endDT: at(days(1)) }]
  await expect(calls.authorities.setMembers({ idx, userIdxes: [user.idx], ends })).rejects.toMatchObject({
    error: 'NOT_ALLOWED',
  })
  const twice = [...ends, ...ends]
  await expect(calls.authorities.setMembers({ idx, userIdxes: [other.idx], ends: twice })).rejects.toMatchObject({
    error: 'INVALID_INPUT',
  })
})

test('members keep their ends until an edit names them, and the history has both', async () => {
  const [first, second] = [await buildUser(db, { name: 'A' }), await buildUser(db, { name: 'B' })]
  const end = at(days(7))
  const { idx } = await calls.authorities.create({
    name: 'Night shift',
    ...LEVELS,
    groupIdxes: [sales.idx],
    userIdxes: [first.idx],
    ends: [{ userIdx: first.idx, endDT: end }],
  })
  const userIdxes = [first.idx, second.idx]
  await calls.authorities.setMembers({
    idx,
    userIdxes,
    ends: [{ userIdx: second.idx, endDT: null, endReason: 'Team lead' }],
  })
  expect(await membersOf(idx)).toEqual([
    { userIdx: first.idx, endDT: end, endReason: null },
    { userIdx: second.idx, endDT: null, endReason: 'Team lead' },
  ])
  await calls.authorities.setMembers({ idx, userIdxes })
  const later = at(days(14))
  await calls.authorities.setMembers({ idx, userIdxes, ends: [{ userIdx: first.idx, endDT: later }] })
  const log = await logOf(idx)
  expect(log.map(({ type }) => type)).toEqual([AuthManage.CREATE, AuthManage.UPDATE_MANAGER, AuthManage.UPDATE_MANAGER])
  expect(log[2]?.detail.users).toMatchObject([
    { userIdx: first.idx, endDT: end, isOld: 1 },
    { userIdx: second.idx, endReason: 'Team lead', isOld: 1 },
    { userIdx: first.idx, endDT: later, isOld: 0 },
    { userIdx: second.idx, isOld: 0 },
  ])
})

test('an ended membership gives nothing, at once', async () => {
  const target = await buildUser(db, { group: sales })
  const member = await buildManager(db, { groups: [sales], ...LEVELS })
  const colleague = await buildManager(db, { groups: [sales], user: 2 })
  await db.write
    .updateTable('authorityUsers')
    .set({ endDT: new Date(at(hours(1))) })
    .where('userIdx', '=', member.idx)
    .execute()
  const rename = { idx: target.idx, name: 'Renamed' }
  await as(member).users.update(rename)
  await expect(as(colleague).users.update({ idx: member.idx, name: 'X' })).rejects.toMatchObject({
    error: 'NOT_ALLOWED',
  })
  await endMembership(member.authorityIdx)
  await expect(as(member).users.update(rename)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(as(member).users.search({})).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  const session = await as(member).session.find({})
  expect(session.pageAuth).toMatchObject({ policy: 0, user: 0 })
})

test('the job removes the membership, ends the sessions and leaves a row without an author', async () => {
  const member = await buildManager(db, { groups: [sales], ...LEVELS })
  const stays = await buildUser(db)
  const idx = member.authorityIdx
  const userIdxes = [member.idx, stays.idx]
  await calls.authorities.setMembers({ idx, userIdxes, ends: [{ userIdx: member.idx, endDT: at(hours(1)) }] })
  const { revision } = await calls.authorities.find({ idx })
  const [memberCalls, stayingCalls] = [as(member), as(stays)]
  await memberCalls.users.search({})
  await stayingCalls.users.search({})
  await runEnds(app)
  await memberCalls.users.search({})
  await endMembership(idx)
  const events = await announced(app, () => Promise.all([runEnds(app), runEnds(app)]))
  expect(events).toContainEqual(expect.objectContaining({ topic: 'authorities', idx }))
  await expect(memberCalls.users.search({})).rejects.toMatchObject({ error: 'SESSION_ENDED' })
  await stayingCalls.users.search({})
  expect(await membersOf(idx)).toMatchObject([{ userIdx: stays.idx }])
  const log = await logOf(idx)
  expect(log).toHaveLength(2)
  expect(log[1]).toMatchObject({ type: AuthManage.UPDATE_MANAGER, actorIdx: null, groupIdx: null })
  await expect(calls.authorities.setMembers({ idx, userIdxes, revision })).rejects.toMatchObject({
    error: 'CHANGED_MEANWHILE',
  })
})
