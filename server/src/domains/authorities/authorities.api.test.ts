// Creating, changing and removing authorities: rows, history, and effects on the members.
import { AuthManage, UserManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const { sales, east, rnd } = await buildGroups(db, 'sales', 'sales/east', 'rnd')
const client = as(admin)

const LEVELS = { policy: 0, user: 0, fileImportApprove: 0, fileExportApprove: 0, log: 0 } as const
let made = 0
const newAuthority = (over: object = {}) => ({
  name: `권한 ${++made}`,
  description: '',
  ...LEVELS,
  user: 1 as const,
  groupIdxes: [sales.idx],
  userIdxes: [] as number[],
  ...over,
})

const logsOf = async (idx: number) => (await historyOf(db, 'authManage')).filter((row) => row.subjectIdx === idx)
const rightsRevision = async () => (await client.session.find({})).rightsRevision
/** Builds a user with an open session and typed calls. */
async function signedIn(over: object = {}) {
  const user = await buildUser(db, over)
  const calls = as(user)
  await calls.session.find({})
  return { ...user, calls }
}

test('an authority makes its members managers, who must sign in again', async () => {
  const holder = await signedIn({ group: rnd })
  expect(await holder.calls.session.find({})).toMatchObject({ role: 2 })
  const before = await rightsRevision()
  const { idx } = await client.authorities.create(
    newAuthority({ user: 2, log: 1, groupIdxes: [sales.idx, rnd.idx], userIdxes: [holder.idx] }),
  )
  await expect(holder.calls.session.find({})).rejects.toMatchObject({ code: 962 })
  expect(await rightsRevision()).toBeGreaterThan(before)
  const session = await as(holder).session.find({})
  expect(session).toMatchObject({ role: 1, pageAuth: { ...LEVELS, user: 2, log: 1 } })
  const { items } = await as(holder).users.search({ groupIdx: rnd.idx })
  expect(items.map((user) => user.idx)).toContain(holder.idx)
  expect(await client.authorities.find({ idx })).toMatchObject({
    user: 2,
    log: 1,
    revision: 1,
    users: [{ idx: holder.idx, id: holder.id, groupName: 'rnd', state: 0, expireDT: null }],
    groups: [
      { idx: rnd.idx, name: 'rnd', path: ['전체 조직', 'rnd'] },
      { idx: sales.idx, name: 'sales', path: ['전체 조직', 'sales'] },
    ],
  })
})

test('the history of a new authority has its levels, groups and members', async () => {
  const holder = await buildUser(db, { group: east })
  const { idx } = await client.authorities.create(newAuthority({ description: '설명', userIdxes: [holder.idx] }))
  expect(await logsOf(idx)).toMatchObject([
    {
      type: AuthManage.CREATE,
      actorIdx: admin.idx,
      groupIdx: null,
      detail: {
        targetName: `권한 ${made}`,
        targetDescription: '설명',
        targetUser: 1,
        targetOldName: null,
        targetOldUser: null,
        groups: [{ groupIdx: sales.idx, groupName: 'sales', groupKey: sales.key, isOld: 0 }],
        users: [{ userIdx: holder.idx, userId: holder.id, userName: holder.name, userGroupName: 'east', isOld: 0 }],
      },
    },
  ])
})

test('a name is unique in any case', async () => {
  const { name } = newAuthority({ name: 'Sales Team' })
  const { idx } = await client.authorities.create(newAuthority({ name }))
  await expect(client.authorities.create(newAuthority({ name: 'SALES TEAM' }))).rejects.toMatchObject({ code: 140 })
  const other = await client.authorities.create(newAuthority())
  const rename = client.authorities.update({ ...newAuthority({ name: 'sales team' }), idx: other.idx })
  await expect(rename).rejects.toMatchObject({ code: 140 })
  await client.authorities.update({ ...newAuthority({ name: 'SALES team' }), idx })
})

test.each([
  ['no name', { name: ' ' }],
  ['a long name', { name: '가'.repeat(31) }],
  ['a name of another format', { name: 'a/b' }],
  ['a long description', { description: 'x'.repeat(101) }],
  ['all levels blocked', { user: 0 }],
  ['no group', { groupIdxes: [] }],
  ['a group twice', { groupIdxes: [sales.idx, sales.idx] }],
  ['a level that there is not', { user: 3 }],
  ['log at 2', { log: 2 }],
])('an authority with %s is refused', async (_, over) => {
  await expect(client.authorities.create(newAuthority(over))).rejects.toMatchObject({ code: 983 })
  const { idx } = await client.authorities.create(newAuthority())
  await expect(client.authorities.update({ ...newAuthority(over), idx })).rejects.toMatchObject({ code: 983 })
})

test('nonexistent users and system administrators cannot be members', async () => {
  const { idx } = await client.authorities.create(newAuthority())
  const one = await buildUser(db)
  const boss = await buildUser(db, { isAdmin: 1 })
  for (const [userIdx, code] of [
    [999_999, 980],
    [boss.idx, 126],
    [admin.idx, 126],
  ] as const) {
    const userIdxes = [one.idx, userIdx]
    await expect(client.authorities.create(newAuthority({ userIdxes }))).rejects.toMatchObject({ code })
    await expect(client.authorities.update({ ...newAuthority({ userIdxes }), idx })).rejects.toMatchObject({ code })
    await expect(client.authorities.setMembers({ idx, userIdxes })).rejects.toMatchObject({ code })
  }
  const groupIdxes = [sales.idx, 999_999]
  await expect(client.authorities.create(newAuthority({ groupIdxes }))).rejects.toMatchObject({ code: 122 })
  await expect(client.authorities.update({ ...newAuthority({ groupIdxes }), idx })).rejects.toMatchObject({ code: 122 })
  for (const call of [client.authorities.find({ idx: 999_999 }), client.authorities.remove({ idx: 999_999 })])
    await expect(call).rejects.toMatchObject({ code: 980 })
  expect(await client.authorities.find({ idx })).toMatchObject({ users: [], revision: 1 })
})

test('changed levels apply at once and end the sessions of every member', async () => {
  const holder = await signedIn()
  const wanted = newAuthority({ user: 2, userIdxes: [holder.idx] })
  const { idx } = await client.authorities.create(wanted)
  const calls = as(holder)
  const target = await buildUser(db, { group: sales })
  await calls.users.update({ idx: target.idx, name: '하나' })
  await client.authorities.update({ ...wanted, idx, user: 1 })
  await expect(calls.users.update({ idx: target.idx, name: '둘' })).rejects.toMatchObject({ code: 962 })
  await expect(as(holder).users.update({ idx: target.idx, name: '둘' })).rejects.toMatchObject({ code: 980 })
  expect(await logsOf(idx)).toMatchObject([
    { type: AuthManage.CREATE },
    { type: AuthManage.UPDATE_AUTH, detail: { targetUser: 1, targetOldUser: 2, targetOldLog: 0 } },
  ])
})

test('changed groups and changed members are separate rows with old and new values', async () => {
  const [stays, goes, comes] = [await signedIn(), await signedIn(), await signedIn()]
  const { idx } = await client.authorities.create(newAuthority({ userIdxes: [stays.idx, goes.idx] }))
  const wanted = { ...newAuthority({ groupIdxes: [rnd.idx], userIdxes: [stays.idx, comes.idx] }), idx }
  await client.authorities.update(wanted)
  const [, update, managers] = await logsOf(idx)
  expect(update).toMatchObject({
    type: AuthManage.UPDATE_AUTH,
    detail: {
      groups: [
        { groupName: 'sales', isOld: 1 },
        { groupName: 'rnd', isOld: 0 },
      ],
    },
  })
  expect(managers?.type).toBe(AuthManage.UPDATE_MANAGER)
  const users = managers?.detail.users as { userIdx: number; isOld: number }[]
  const idxesOf = (isOld: number) => users.filter((user) => user.isOld === isOld).map((user) => user.userIdx)
  expect(idxesOf(1).toSorted()).toEqual([stays.idx, goes.idx].toSorted())
  expect(idxesOf(0).toSorted()).toEqual([stays.idx, comes.idx].toSorted())
})

test('if levels and members change in one call, the second row starts where the first one ends', async () => {
  const holder = await buildUser(db)
  const wanted = newAuthority({ user: 1 })
  const { idx } = await client.authorities.create(wanted)
  const renamed = `${wanted.name} 2`
  await client.authorities.update({ ...wanted, idx, name: renamed, user: 2, userIdxes: [holder.idx] })
  const after = { targetName: renamed, targetUser: 2 }
  expect((await logsOf(idx)).slice(1)).toMatchObject([
    { type: AuthManage.UPDATE_AUTH, detail: { ...after, targetOldName: wanted.name, targetOldUser: 1 } },
    { type: AuthManage.UPDATE_MANAGER, detail: { ...after, targetOldName: renamed, targetOldUser: 2 } },
  ])
})

test('an edit without members keeps them and their sessions, changed members must sign in again', async () => {
  const holder = await buildUser(db)
  const wanted = newAuthority({ userIdxes: [holder.idx] })
  const { idx } = await client.authorities.create(wanted)
  const calls = as(holder)
  await calls.session.find({})
  const { userIdxes, ...rest } = wanted
  await client.authorities.update({ ...rest, idx, name: '새 이름' })
  const coming = await signedIn()
  await client.authorities.setMembers({ idx, userIdxes: [...userIdxes, coming.idx] })
  await expect(coming.calls.session.find({})).rejects.toMatchObject({ code: 962 })
  const { name, users } = await client.authorities.find({ idx })
  expect([name, users.length]).toEqual(['새 이름', 2])
  const going = as(coming)
  await going.session.find({})
  await client.authorities.setMembers({ idx, userIdxes })
  await expect(going.session.find({})).rejects.toMatchObject({ code: 962 })
  await calls.session.find({})
})

test('members of a deleted authority lose its levels', async () => {
  const holder = await signedIn({ group: rnd })
  const { idx } = await client.authorities.create(newAuthority({ userIdxes: [holder.idx] }))
  const other = await buildAuthority(db, { groups: [rnd], log: 1, users: [holder] })
  const calls = as(holder)
  await calls.users.search({})
  await client.authorities.remove({ idx })
  await expect(calls.users.search({})).rejects.toMatchObject({ code: 962 })
  const session = await as(holder).session.find({})
  expect(session).toMatchObject({ role: 1, pageAuth: { user: 0, log: 1 } })
  expect((await logsOf(idx))[1]).toMatchObject({
    type: AuthManage.DELETE,
    detail: { groups: [{ isOld: 1 }], users: [{ userIdx: holder.idx, isOld: 1 }], targetUser: 1 },
  })
  await client.authorities.remove({ idx: other.idx })
  expect(await as(holder).session.find({})).toMatchObject({ role: 2 })
})

test('the list counts groups and members', async () => {
  const { idx } = await buildAuthority(db, {
    groups: [sales, rnd],
    log: 1,
    users: [await buildUser(db)],
    name: '가나다',
  })
  const { auths } = await client.authorities.search({})
  expect(auths.find((one) => one.idx === idx)).toEqual({ idx, name: '가나다', userCount: 1, groupCount: 2 })
  const names = auths.map((one) => one.name)
  expect(names).toEqual(names.toSorted(new Intl.Collator('und', { numeric: true }).compare))
})

test('members can be searched, each with their authorities', async () => {
  const [both, single] = [
    await buildUser(db, { name: '홀더 하나', group: east }),
    await buildUser(db, { name: '홀더 둘' }),
  ]
  await buildUser(db, { name: '홀더 아닌' })
  const a = await buildAuthority(db, { groups: [sales], log: 1, users: [both, single], name: '나 권한' })
  const b = await buildAuthority(db, { groups: [rnd], log: 1, users: [both], name: '가 권한' })
  const found = await client.authorities.searchMembers({ name: '홀더', sort: 'name', sortOrder: 0 })
  expect(found).toMatchObject({
    totalCount: 2,
    items: [
      { idx: single.idx, groupName: '전체 조직', authorities: [{ idx: a.idx }] },
      {
        idx: both.idx,
        groupName: 'east',
        authorities: [
          { idx: b.idx, name: '가 권한' },
          { idx: a.idx, name: '나 권한' },
        ],
      },
    ],
  })
  const byGroup = await client.authorities.searchMembers({
    groupName: 'east',
    filterType: 1,
    name: '홀더',
    sort: 'groupName',
  })
  expect(byGroup.items.map((user) => user.idx)).toEqual([both.idx])
})

test('a use of a withdrawn right happens before the withdrawal or not at all', async () => {
  for (let round = 0; round < 15; round++) {
    const holder = await buildUser(db)
    const wanted = newAuthority({ user: 2, userIdxes: [holder.idx] })
    const { idx } = await client.authorities.create(wanted)
    const target = await buildUser(db, { group: sales })
    const calls = as(holder)
    await calls.session.find({})
    const [, used] = await Promise.allSettled([
      client.authorities.update({ ...wanted, idx, user: 1 }),
      calls.users.update({ idx: target.idx, name: '씀' }),
    ])
    const rows = await db.read.selectFrom('history').select(['kind', 'type', 'subjectIdx']).orderBy('idx').execute()
    const takenAt = rows.findIndex(
      (row) => row.kind === 'authManage' && row.type === AuthManage.UPDATE_AUTH && row.subjectIdx === idx,
    )
    const usedAt = rows.findIndex(
      (row) => row.kind === 'userManage' && row.type === UserManage.UPDATE && row.subjectIdx === target.idx,
    )
    if (used.status === 'rejected') {
      expect([962, 980]).toContain((used.reason as { code: number }).code)
      expect(usedAt).toBe(-1)
    } else expect(usedAt).toBeLessThan(takenAt)
  }
})

test('of two concurrent changes from one revision, exactly one succeeds', async () => {
  const [a, b] = [await buildUser(db), await buildUser(db)]
  const { idx } = await client.authorities.create(newAuthority())
  const results = await Promise.allSettled([
    client.authorities.setMembers({ idx, userIdxes: [a.idx], revision: 1 }),
    client.authorities.setMembers({ idx, userIdxes: [b.idx], revision: 1 }),
  ])
  const lost = results.filter((result) => result.status === 'rejected')
  expect(lost).toMatchObject([{ reason: { code: 984 } }])
  expect((await client.authorities.find({ idx })).users).toHaveLength(1)
})

test('authorities with common members can change concurrently', async () => {
  const people = [await buildUser(db), await buildUser(db), await buildUser(db)]
  const userIdxes = people.map((user) => user.idx)
  const made = await Promise.all([1, 2, 3].map(() => client.authorities.create(newAuthority())))
  await Promise.all(
    made.map(({ idx }, i) =>
      client.authorities.setMembers({ idx, userIdxes: i === 1 ? userIdxes.toReversed() : userIdxes }),
    ),
  )
  for (const { idx } of made) expect((await client.authorities.find({ idx })).users).toHaveLength(3)
})
