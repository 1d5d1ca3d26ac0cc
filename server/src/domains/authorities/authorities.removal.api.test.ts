// Deleted groups and users in the histories of authorities and BIM, and the rights of members who lose their last
// group.
import { NO_PAGE_AUTH } from '@acc/contract/core/access'
import { AuthManage, BimManage, GroupManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest, insertWaiting } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'
import { lockAuthoritiesOver } from './authorities.queries.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
await openExports(db)
const NOT_ALLOWED = { error: 'NOT_ALLOWED' }
const LEVELS = { policy: 0, user: 1, fileImportApprove: 0, fileExportApprove: 0, log: 0 } as const

const rowsOf = async (authority: { idx: number }) =>
  (await historyOf(db, 'authManage')).filter(({ subjectIdx }) => subjectIdx === authority.idx)
const groupEntry = ({ idx, name, key }: { idx: number; name: string; key: string }, isOld: 0 | 1) => ({
  ...{ groupIdx: idx, groupName: name, groupKey: key },
  isOld,
})
const userEntry = ({ idx, id, name }: { idx: number; id: string; name: string }, isOld: 0 | 1, group: string) => ({
  ...{ userIdx: idx, userId: id, userName: name, userGroupName: group },
  isOld,
})
/** Returns the people of an authority according to its last row of the history. */
const lastUsersOf = async (authority: { idx: number }) => {
  const rows = (await rowsOf(authority)).filter(({ detail }) => Array.isArray(detail.users))
  const users = (rows.at(-1)?.detail.users ?? []) as { userIdx: number; isOld: 0 | 1 }[]
  return users.filter(({ isOld }) => isOld === 0).map(({ userIdx }) => userIdx)
}

test('a deleted group leaves a row in each authority over it and one in the history of BIM', async () => {
  const { hq, team, lab } = await buildGroups(db, 'hq', 'hq/team', 'lab')
  const [one, both, other] = [
    await buildAuthority(db, { groups: [team], user: 1, name: 'one group' }),
    await buildAuthority(db, { groups: [team, lab], log: 1, name: 'two groups' }),
    await buildAuthority(db, { groups: [lab], user: 2 }),
  ]
  await as(admin).bim.addGroups({ groupIdxes: [team.idx, lab.idx] })
  const manager = await buildManager(db, { groups: [hq], policy: 2, log: 1 })
  const before = await historyOf(db, 'bimManage')
  await as(manager).groups.remove({ idx: team.idx })

  const row = { type: AuthManage.UPDATE_AUTH, actorIdx: manager.idx, groupIdx: null }
  const same = { targetName: 'one group', targetOldName: 'one group', targetUser: 1, targetOldUser: 1 }
  expect(await rowsOf(one)).toMatchObject([{ ...row, detail: { ...same, groups: [groupEntry(team, 1)] } }])
  const sets = [groupEntry(lab, 1), groupEntry(team, 1), groupEntry(lab, 0)]
  expect(await rowsOf(both)).toMatchObject([{ ...row, subject: 'two groups', detail: { groups: sets } }])
  expect(await rowsOf(other)).toEqual([])
  expect((await historyOf(db, 'bimManage')).slice(before.length)).toMatchObject([
    {
      ...{ type: BimManage.REMOVE_TARGETS, actorIdx: manager.idx, subject: 'team', groupIdx: null },
      detail: { groups: [groupEntry(team, 1)] },
    },
  ])
  const [deleted] = (await historyOf(db, 'groupManage')).filter(({ subjectIdx }) => subjectIdx === team.idx)
  expect(deleted?.detail).toMatchObject({ authorityCount: 2, bimTargetCount: 1 })
  for (const log of ['authManage', 'bimManage'] as const)
    await expect(as(manager).history[log]({})).rejects.toMatchObject(NOT_ALLOWED)
  const { items } = await as(admin).history.authManage({ targetName: 'one group' })
  expect(items).toMatchObject([{ actorId: manager.id, groups: [groupEntry(team, 1)] }])
})

test('deleted users leave one row in each of their authorities, and one in the history of BIM', async () => {
  const { desk } = await buildGroups(db, 'desk')
  const [kim, lee, stays] = [
    await buildUser(db, { group: desk, name: '김하나' }),
    await buildUser(db, { group: desk, name: '이두리' }),
    await buildUser(db, { group: desk, name: '최세영' }),
  ]
  const shared = await buildAuthority(db, { groups: [desk], user: 1, users: [kim, lee, stays] })
  const single = await buildAuthority(db, { groups: [desk], log: 1, users: [lee] })
  await as(admin).bim.addUsers({ userIdxes: [kim.idx, lee.idx, stays.idx] })
  const before = await historyOf(db, 'bimManage')
  await as(admin).users.remove({ idxes: [lee.idx, kim.idx] })

  const entries = [kim, lee, stays].map((user) => userEntry(user, 1, 'desk'))
  const row = { type: AuthManage.UPDATE_MANAGER, actorIdx: admin.idx, groupIdx: null }
  expect(await rowsOf(shared)).toMatchObject([
    { ...row, detail: { targetUser: 1, targetOldUser: 1, users: [...entries, userEntry(stays, 0, 'desk')] } },
  ])
  expect(await rowsOf(single)).toMatchObject([{ ...row, detail: { users: [userEntry(lee, 1, 'desk')] } }])
  const targets = (await historyOf(db, 'bimManage')).slice(before.length)
  const gone = [kim, lee].map((user) => userEntry(user, 1, 'desk'))
  expect(targets).toMatchObject([{ type: BimManage.REMOVE_TARGETS, detail: { users: gone } }])
  expect(targets[0]?.detail.users).toHaveLength(2)
  expect(await as(admin).authorities.find({ idx: shared.idx })).toMatchObject({
    revision: 2,
    users: [{ idx: stays.idx }],
  })
})

test('deleting unused groups and users leaves no rows of authorities and BIM', async () => {
  const { plain } = await buildGroups(db, 'plain')
  const user = await buildUser(db, { group: plain })
  const count = async () => [(await historyOf(db, 'authManage')).length, (await historyOf(db, 'bimManage')).length]
  const before = await count()
  await as(admin).users.remove({ idxes: [user.idx] })
  await as(admin).groups.remove({ idx: plain.idx })
  expect(await count()).toEqual(before)
})

test('a deleted group names the requests that moved, waiting ones first', async () => {
  const { site, room } = await buildGroups(db, 'site', 'site/room')
  const person = await buildUser(db, { group: room, name: '박수진' })
  const decided = await insertWaiting(db, person)
  const waiting = await insertWaiting(db, person)
  const last = await insertWaiting(db, person)
  await as(admin).requests.decide({ idx: last, state: 0, purpose: '반려' })
  await as(admin).requests.decide({ idx: decided, state: 1, purpose: '승인' })
  await as(admin).groups.remove({ idx: room.idx })
  const [row] = (await historyOf(db, 'groupManage')).filter(
    ({ type, subject }) => type === GroupManage.DELETE && subject === 'room',
  )
  const named = { type: 1, requesterId: person.id, requesterName: '박수진' }
  expect(row).toMatchObject({ groupIdx: site.idx, detail: { requestCount: 3, userCount: 1 } })
  expect(row?.detail.movedRequests).toEqual([
    { number: waiting, state: 0, ...named },
    { number: last, state: 2, ...named },
    { number: decided, state: 1, ...named },
  ])
  const reader = await buildManager(db, { groups: [site], log: 1 })
  const { items } = await as(reader).history.groupManage({ targetName: 'room' })
  const { entry } = await as(reader).history.find({ log: 'groupManage', idx: items[0]?.idx ?? 0 })
  expect(entry).toMatchObject({ movedRequests: [{ number: waiting }, { number: last }, { number: decided }] })
})

test('an authority that is being edited is logged with the result of the edit', async () => {
  const { gate, dock } = await buildGroups(db, 'yard', 'yard/gate', 'dock')
  const authority = await buildAuthority(db, { groups: [gate], user: 1 })
  await overtake(db, {
    lock: (tx) => lockAuthoritiesOver(tx, gate.idx),
    call: () => as(admin).groups.remove({ idx: gate.idx }),
    change: (tx) =>
      tx.insertInto('authorityGroups').values({ authorityIdx: authority.idx, groupIdx: dock.idx }).execute(),
  })
  expect(await rowsOf(authority)).toMatchObject([
    { detail: { groups: [groupEntry(dock, 1), groupEntry(gate, 1), groupEntry(dock, 0)] } },
  ])
})

test('in any order, the last row of an authority has its people', async () => {
  const { pool } = await buildGroups(db, 'pool')
  for (let round = 0; round < 4; round++) {
    const [goes, stays] = [await buildUser(db, { group: pool }), await buildUser(db, { group: pool })]
    const authority = await buildAuthority(db, { groups: [pool], user: 1, users: round % 2 === 0 ? [goes] : [stays] })
    const userIdxes = [stays.idx, goes.idx]
    const [removed, set] = await Promise.allSettled([
      as(admin).users.remove({ idxes: [goes.idx] }),
      as(admin).authorities.setMembers({ idx: authority.idx, userIdxes }),
    ])
    expect(removed.status).toBe('fulfilled')
    if (set.status === 'rejected') expect(set.reason).toMatchObject(NOT_ALLOWED)
    const { users } = await as(admin).authorities.find({ idx: authority.idx })
    const listed = users.map(({ idx }) => idx)
    expect(listed).not.toContain(goes.idx)
    if ((await rowsOf(authority)).length > 0) expect(await lastUsersOf(authority)).toEqual(listed)
  }
})

test('a member who loses the last group is signed out until the authority covers a group again', async () => {
  const { base, leaf, wide } = await buildGroups(db, 'base', 'base/leaf', 'wide')
  const holder = await buildManager(db, { groups: [leaf], user: 2, log: 1, as: { group: wide } })
  const spared = await buildManager(db, { groups: [leaf, wide], user: 2 })
  const peer = await buildManager(db, { groups: [wide], user: 2 })
  const [calls, sparedCalls] = [as(holder), as(spared)]
  expect(await calls.session.find({})).toMatchObject({ role: 1, pageAuth: { user: 2, log: 1 } })
  await sparedCalls.session.find({})
  await as(admin).groups.remove({ idx: leaf.idx })
  await expect(calls.session.find({})).rejects.toMatchObject({ code: 962 })
  expect(await sparedCalls.session.find({})).toMatchObject({ role: 1 })
  expect(await as(holder).session.find({})).toMatchObject({ role: 2, pageAuth: NO_PAGE_AUTH })
  await expect(as(holder).users.search({})).rejects.toMatchObject(NOT_ALLOWED)
  await expect(as(holder).history.userManage({})).rejects.toMatchObject(NOT_ALLOWED)
  // Other managers still cannot reach the account, whose rights they could take over later.
  await expect(as(peer).users.update({ idx: holder.idx, name: '다른 이름' })).rejects.toMatchObject(NOT_ALLOWED)
  expect(await as(peer).users.find({ idx: holder.idx })).toMatchObject({ role: 2, isEditable: 0 })
  const { name } = await as(admin).authorities.find({ idx: holder.authorityIdx })
  const again = { idx: holder.authorityIdx, name, ...LEVELS, groupIdxes: [base.idx] }
  await as(admin).authorities.update(again)
  expect(await as(holder).session.find({})).toMatchObject({ role: 1, pageAuth: { user: 1 } })
})

test('findRemoval counts the affected authorities, targets and waiting requests', async () => {
  const { park, bench } = await buildGroups(db, 'park', 'park/bench')
  const [kim, lee] = [await buildUser(db, { group: bench }), await buildUser(db, { group: bench })]
  for (const users of [[kim, lee], [kim]]) await buildAuthority(db, { groups: [bench], user: 1, users })
  await as(admin).bim.addGroups({ groupIdxes: [bench.idx] })
  await as(admin).bim.addUsers({ userIdxes: [lee.idx] })
  await insertWaiting(db, kim)
  const decided = await insertWaiting(db, lee)
  await as(admin).requests.decide({ idx: decided, state: 1, purpose: '승인' })
  await buildRequest(app, lee, { isFileUploaded: 0 })
  const ofGroup = { authorities: 2, bimTargets: 1, waitingRequests: 1 }
  expect(await as(admin).groups.findRemoval({ idx: bench.idx })).toEqual(ofGroup)
  expect(await as(admin).groups.findRemoval({ idx: park.idx })).toEqual({
    ...{ authorities: 0, bimTargets: 0, waitingRequests: 0 },
  })
  const ofUsers = (...users: { idx: number }[]) => as(admin).users.findRemoval({ idxes: users.map(({ idx }) => idx) })
  expect(await ofUsers(kim, lee)).toEqual({ authorities: 2, bimTargets: 1, waitingRequests: 1 })
  expect(await ofUsers(lee)).toEqual({ authorities: 1, bimTargets: 1, waitingRequests: 0 })
})
