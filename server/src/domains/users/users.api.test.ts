// Creating, updating, moving and deleting users: responses, rows, history, mail and sessions.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { localDayOf } from '@acc/contract/labels/formats'
import { UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import { expect, test, vi } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildDevice } from '../../../test/build/devices.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { mailsTo, temporaryPasswordIn } from '../../../test/mails.ts'
import { days, hours, later } from '../../clock.ts'

const { app, as, admin, anonymous, clock } = await startTestApp()
const { db } = app
const { sales, east, rnd, lab } = await buildGroups(db, 'sales', 'sales/east', 'rnd', 'rnd/lab')
const manager = await buildManager(db, { groups: [sales], user: 2, as: { group: east, name: '박관리' } })

const rowOf = (idx: number) => db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirst()
const logsOf = async (idx: number) => (await historyOf(db, 'userManage')).filter((row) => row.subjectIdx === idx)

let made = 0
const newUser = (over: object = {}) => {
  const id = `new.user-${++made}`
  return { id, name: '김하늘', email: `${id}@example.com`, groupIdx: east.idx, isMortal: 0 as const, ...over }
}

test('a new user gets a temporary password by mail and replaces it with an own one', async () => {
  const user = newUser({ isMortal: 1, expireDT: localDayOf(later(clock.now(), days(30))) })
  const { idx } = await as(manager).users.create(user)
  const row = await rowOf(idx)
  expect(row).toMatchObject({ id: user.id, groupIdx: east.idx, state: UserState.NEW, pwHash: null, isMortal: 1 })
  expect(row?.tmpPwExpireDT).toEqual(later(clock.now(), hours(24)))
  const [mail, ...more] = await mailsTo(app, user.email)
  expect(more).toEqual([])
  const pw = temporaryPasswordIn(mail?.text ?? '')
  await expect(anonymous.session.login({ id: user.id, pw })).rejects.toMatchObject({ code: 104 })
  await anonymous.account.changePw({ id: user.id, pw, newPw: 'Qa9!zebra-Lm' })
  await anonymous.session.login({ id: user.id, pw: 'Qa9!zebra-Lm' })
  expect(await rowOf(idx)).toMatchObject({ state: UserState.NORMAL, tmpPwHash: null })
})

test('the history has the new user without secrets', async () => {
  const user = newUser()
  const { idx } = await as(manager).users.create(user)
  const [log, ...more] = await logsOf(idx)
  expect(more).toEqual([])
  expect(log).toMatchObject({
    type: UserManage.CREATE,
    subject: user.id,
    actorIdx: manager.idx,
    groupIdx: east.idx,
    detail: {
      targetId: user.id,
      targetName: '김하늘',
      targetEmail: user.email,
      targetGroupName: 'east',
      targetState: 1,
      targetOldId: null,
      targetOldState: null,
    },
  })
  expect(JSON.stringify(log)).not.toContain('argon2')
})

test('a missing key is generated, and only system administrators set one', async () => {
  const { idx } = await as(admin).users.create(newUser({ key: 'HR-0001' }))
  expect((await rowOf(idx))?.key).toBe('HR-0001')
  await expect(as(admin).users.create(newUser({ key: 'hr-0001' }))).rejects.toMatchObject({ code: 141 })
  await expect(as(manager).users.create(newUser({ key: 'HR-0002' }))).rejects.toMatchObject({ code: 980 })
  const plain = await as(manager).users.create(newUser())
  expect((await rowOf(plain.idx))?.key).toMatch(/^[0-9a-f-]{36}$/)
  await expect(as(manager).users.update({ idx: plain.idx, key: 'HR-0003' })).rejects.toMatchObject({ code: 980 })
})

test('ids and email addresses are unique in any case', async () => {
  const known = await buildUser(db, { group: rnd })
  const [sameId, sameEmail] = [newUser({ id: known.id }), newUser({ email: known.email.toUpperCase() })]
  await expect(as(manager).users.create(sameId)).rejects.toMatchObject({ code: 120 })
  await expect(as(manager).users.create(sameEmail)).rejects.toMatchObject({ code: 121 })
  expect(await mailsTo(app, sameId.email)).toEqual([])
  const other = await buildUser(db, { group: east })
  const change = { idx: other.idx, email: known.email.toUpperCase() }
  await expect(as(manager).users.update(change)).rejects.toMatchObject({ code: 121 })
})

test.each([
  ['an upper-case ID', { id: 'Abcdef' }],
  ['a short ID', { id: 'abcd' }],
  ['a long ID', { id: 'a'.repeat(31) }],
  ['an ID with a blank', { id: 'abc def' }],
  ['an ID that is not text', { id: 12345 }],
  ['no name', { name: ' ' }],
  ['a long name', { name: '가'.repeat(31) }],
  ['several addresses', { email: ['a@example.com', 'b@example.com'] }],
  ['addresses in one text', { email: 'a@example.com,b@example.com' }],
  ['a header in the address', { email: 'a@example.com\r\nBcc: b@example.com' }],
  ['a plus in the address', { email: 'a+b@example.com' }],
  ['a control character', { name: 'a\u0000b' }],
  ['no such day', { isMortal: 1, expireDT: '2027-02-30' }],
  ['an end today', { isMortal: 1, expireDT: localDayOf(new Date()) }],
  ['a group that is no number', { groupIdx: 'x' }],
])('a new user with %s is refused', async (_, over) => {
  await expect(as(admin).users.create(newUser(over))).rejects.toMatchObject({ code: 983 })
})

test('an account that ends without a named day ends after a year', async () => {
  const { idx } = await as(admin).users.create(newUser({ isMortal: 1 }))
  const { expireDT } = await as(admin).users.find({ idx })
  expect(expireDT).toBe(localDayOf(later(clock.now(), days(365))))
  expect((await logsOf(idx))[0]?.detail).toMatchObject({ targetIsMortal: 1, targetExpireDT: expireDT })
})

test('an account ends between tomorrow and the largest number of days that is set, by default on the last one', async () => {
  const file = join(app.env.dataDir, 'console.json')
  await writeFile(file, JSON.stringify({ maxExpireDT: 30 }))
  const strict = await startTestApp({ ACC_CONSOLE_CONFIG: file })
  const { users } = strict.as(strict.admin)
  const until = (count: number) => localDayOf(later(strict.clock.now(), days(count)))
  const create = (change: object) => users.create(newUser({ groupIdx: 1, isMortal: 1, ...change }))
  await expect(create({ expireDT: until(0) })).rejects.toMatchObject({ code: 983 })
  await expect(create({ expireDT: until(31) })).rejects.toMatchObject({ code: 983 })
  await create({ expireDT: until(1) })
  await create({ expireDT: until(30) })
  const { idx } = await create({})
  expect((await users.find({ idx })).expireDT).toBe(until(30))
  // Each with a session of its own: that of before has expired after 40 days.
  const update = (change: object) => strict.as(strict.admin).users.update({ idx, ...change })
  await expect(update({ expireDT: until(31) })).rejects.toMatchObject({ code: 983 })
  await expect(update({ expireDT: null })).rejects.toMatchObject({ code: 983 })
  // An edit of another field does not validate the stored value again.
  strict.clock.advance(days(40))
  await update({ name: '이름' })
  await update({ isMortal: 0 })
  await expect(update({ isMortal: 1 })).rejects.toMatchObject({ code: 983 })
})

test("the days of accounts are those of the server's time zone", async () => {
  // In a time zone with another date than UTC.
  vi.stubEnv('TZ', clock.now().getUTCHours() < 12 ? 'Etc/GMT+12' : 'Etc/GMT-14')
  try {
    const create = (at: Date) => as(admin).users.create(newUser({ isMortal: 1, expireDT: localDayOf(at) }))
    await expect(create(clock.now())).rejects.toMatchObject({ code: 983 })
    await create(later(clock.now(), days(1)))
    const lastDay = await buildUser(db, { isMortal: 1, expireDT: localDayOf(clock.now()) })
    const dayAfter = await buildUser(db, { isMortal: 1, expireDT: localDayOf(later(clock.now(), -days(1))) })
    const isExpired = async (idx: number) => (await as(admin).users.find({ idx })).description.expired
    expect([await isExpired(lastDay.idx), await isExpired(dayAfter.idx)]).toEqual([0, 1])
  } finally {
    vi.unstubAllEnvs()
  }
})

test('a group that is gone is named to a system administrator, and no more than refused to others', async () => {
  const [user, idx] = [await buildUser(db, { group: east }), 999_999]
  await expect(as(admin).users.create(newUser({ groupIdx: idx }))).rejects.toMatchObject({ code: 122 })
  await expect(as(admin).users.update({ idx: user.idx, groupIdx: idx })).rejects.toMatchObject({ code: 122 })
  await expect(as(admin).users.move({ idxes: [user.idx], groupIdx: idx })).rejects.toMatchObject({ code: 122 })
  for (const groupIdx of [idx, rnd.idx]) {
    await expect(as(manager).users.create(newUser({ groupIdx }))).rejects.toMatchObject({ code: 980 })
    await expect(as(manager).users.update({ idx: user.idx, groupIdx })).rejects.toMatchObject({ code: 980 })
    await expect(as(manager).users.move({ idxes: [user.idx], groupIdx })).rejects.toMatchObject({ code: 980 })
  }
})

test('an edit changes what it names, and informs the old address that it is no longer used', async () => {
  const user = await buildUser(db, { group: east, name: '전' })
  await as(manager).users.update({ idx: user.idx, name: '후', email: 'after@example.com', revision: 1 })
  expect(await rowOf(user.idx)).toMatchObject({
    name: '후',
    email: 'after@example.com',
    revision: 2,
    groupIdx: east.idx,
  })
  const [mail] = await mailsTo(app, user.email)
  expect(mail?.text).toContain('a***@example.com')
  expect(await mailsTo(app, 'after@example.com')).toEqual([])
  expect(await logsOf(user.idx)).toMatchObject([
    {
      type: UserManage.UPDATE,
      detail: {
        targetName: '후',
        targetOldName: '전',
        targetEmail: 'after@example.com',
        targetOldEmail: user.email,
        targetId: user.id,
        targetOldId: user.id,
      },
    },
  ])
})

test('the ways to sign in are for system administrators to change', async () => {
  const user = await buildUser(db, { group: east })
  await expect(as(manager).users.update({ idx: user.idx, loginType: 3 })).rejects.toMatchObject({ code: 980 })
  await as(manager).users.update({ idx: user.idx, loginType: 1, name: '그대로' })
  await as(admin).users.update({ idx: user.idx, loginType: 3 })
  expect(await rowOf(user.idx)).toMatchObject({ loginType: 3, name: '그대로' })
})

test('a system administrator’s account neither ends nor loses its password', async () => {
  const boss = await buildUser(db, { isAdmin: 1 })
  const update = (change: object) => as(admin).users.update({ idx: boss.idx, ...change })
  const expireDT = localDayOf(later(clock.now(), days(9)))
  await expect(update({ isMortal: 1, expireDT })).rejects.toMatchObject({ code: 126 })
  await expect(update({ loginType: 2 })).rejects.toMatchObject({ code: 126 })
  await update({ email: 'boss@example.com' })
})

test('moving takes level 2 on the source and on the target, and leaves a row for each', async () => {
  const [a, b, there] = [
    await buildUser(db, { group: east }),
    await buildUser(db, { group: sales }),
    await buildUser(db, { group: sales }),
  ]
  await buildAuthority(db, { groups: [rnd], user: 1, users: [manager] })
  const foreign = await buildUser(db, { group: lab })
  const client = as(manager)
  const out = client.users.move({ idxes: [a.idx], groupIdx: rnd.idx })
  await expect(out).rejects.toMatchObject({ code: 980 })
  const into = client.users.move({ idxes: [foreign.idx, a.idx], groupIdx: sales.idx })
  await expect(into).rejects.toMatchObject({ code: 980 })
  expect(await rowOf(a.idx)).toMatchObject({ groupIdx: east.idx })
  await client.users.move({ idxes: [a.idx, there.idx], groupIdx: sales.idx })
  expect(await rowOf(a.idx)).toMatchObject({ groupIdx: sales.idx, revision: 2 })
  expect(await logsOf(a.idx)).toMatchObject([
    { type: UserManage.UPDATE, groupIdx: sales.idx, detail: { targetGroupName: 'sales', targetOldGroupName: 'east' } },
  ])
  expect(await logsOf(there.idx)).toEqual([])
  const refused = client.users.move({ idxes: [b.idx, there.idx], groupIdx: sales.idx })
  await expect(refused).rejects.toMatchObject({ code: 983 })
})

test('deleting takes everything of an account but its history', async () => {
  const user = await buildUser(db, { group: east })
  await as(user).session.find({})
  const { ip: deviceIp } = await buildDevice(app, user)
  await as(manager).users.remove({ idxes: [user.idx] })
  expect(await rowOf(user.idx)).toBeUndefined()
  expect(await logsOf(user.idx)).toMatchObject([
    { type: UserManage.DELETE, subject: user.id, groupIdx: east.idx, detail: { targetName: user.name } },
  ])
  const licenses = (await historyOf(db, 'licenseUse')).filter((row) => row.subjectIdx === user.idx)
  expect(licenses).toMatchObject([{ type: 1, subject: user.id, detail: { deviceIp } }])
  const signIns = await db.read.selectFrom('signIns').selectAll().where('userIdx', '=', user.idx).execute()
  expect(signIns).toMatchObject([{ logoutDT: clock.now(), userName: user.name }])
})

test('deleting a holder takes them out of their authorities, whose open editors learn of it', async () => {
  const holder = await buildUser(db, { group: rnd })
  const { idx } = await buildAuthority(db, { groups: [rnd], log: 1, users: [holder] })
  await as(admin).users.remove({ idxes: [holder.idx] })
  const authority = await db.read.selectFrom('authorities').select('revision').where('idx', '=', idx).executeTakeFirst()
  expect(authority).toEqual({ revision: 2 })
  const left = await db.read.selectFrom('authorityUsers').selectAll().where('authorityIdx', '=', idx).execute()
  expect(left).toEqual([])
})

test('a list of users is deleted completely or not at all', async () => {
  const [mine, foreign] = [await buildUser(db, { group: east }), await buildUser(db, { group: rnd })]
  const remove = (by: { idx: number }, ...idxes: number[]) => as(by).users.remove({ idxes })
  // One answer for rows out of reach and for rows that do not exist.
  for (const missing of [foreign.idx, 999_999])
    await expect(remove(manager, mine.idx, missing)).rejects.toMatchObject({ code: 980, data: { missing: [missing] } })
  await expect(remove(manager, mine.idx, mine.idx)).rejects.toMatchObject({ code: 983 })
  await expect(remove(manager)).rejects.toMatchObject({ code: 983 })
  expect(await rowOf(mine.idx)).toBeDefined()
})

test('a list of thousands moves and goes at once', async () => {
  const values = Array.from({ length: 6_000 }, (_, i) => ({
    id: `many${i}`,
    name: `Many ${i}`,
    email: `many${i}@example.com`,
    groupIdx: rnd.idx,
    key: `many${i}`,
  }))
  for (let from = 0; from < values.length; from += 1_000)
    await db.write
      .insertInto('users')
      .values(values.slice(from, from + 1_000))
      .execute()
  const rows = await db.read.selectFrom('users').select('idx').where('key', 'like', 'many%').execute()
  const idxes = rows.map(({ idx }) => idx)
  const before = (await historyOf(db, 'userManage')).length
  await as(admin).users.move({ idxes, groupIdx: lab.idx })
  await as(admin).users.remove({ idxes })
  expect((await historyOf(db, 'userManage')).length).toBe(before + 12_000)
})

test('of two new users with one ID at once, exactly one is made', async () => {
  const id = 'twice.at-once'
  const tries = Array.from({ length: 8 }, (_, i) => as(admin).users.create(newUser({ id, email: `t${i}@example.com` })))
  const results = await Promise.allSettled(tries)
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 120 })
  const mails = await Promise.all(tries.map((_, i) => mailsTo(app, `t${i}@example.com`)))
  expect(mails.flat()).toHaveLength(1)
})

test('of two moves of the same people at once, each is complete', async () => {
  const people = [await buildUser(db, { group: east }), await buildUser(db, { group: east })]
  const idxes = people.map(({ idx }) => idx)
  const by = as(admin)
  await Promise.all([
    by.users.move({ idxes, groupIdx: rnd.idx }),
    by.users.move({ idxes: idxes.toReversed(), groupIdx: lab.idx }),
  ])
  const [a, b] = await Promise.all(idxes.map(rowOf))
  expect(a?.groupIdx).toBe(b?.groupIdx)
  expect(await logsOf(idxes[0] ?? 0)).toHaveLength(2)
})

test('columns that are not of the call are not written', async () => {
  const user = await buildUser(db, { group: east })
  const sent = {
    idx: user.idx,
    name: '이름',
    isAdmin: 1,
    state: 0,
    pwHash: 'x',
    otpSecret: 'x',
    id: 'other',
    isSinglePC: 1,
  }
  await as(manager).users.update(sent)
  expect(await rowOf(user.idx)).toMatchObject({ id: user.id, isAdmin: 0, pwHash: null, otpSecret: null, isSinglePC: 0 })
})
