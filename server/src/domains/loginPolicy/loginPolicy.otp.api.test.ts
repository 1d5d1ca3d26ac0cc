// The default OTP setting and its exceptions.
import { SettingManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'

const { app, as, fetchAs, admin } = await startTestApp()
const { db } = app
const { sales } = await buildGroups(db, 'sales')
const client = as(admin)
const useOtpOf = async (...users: { idx: number }[]) =>
  Promise.all(users.map(async ({ idx }) => (await client.users.find({ idx })).useOtp))
const lastLogs = async (count: number) => (await historyOf(db, 'settingManage')).slice(-count)

test('the default is off, and each change of it is in the history', async () => {
  expect(await client.loginPolicy.findDefaultOtp({})).toMatchObject({ defaultOtp: 0 })
  await client.loginPolicy.setDefaultOtp({ defaultOtp: 0 })
  await client.loginPolicy.setDefaultOtp({ defaultOtp: 1 })
  await client.loginPolicy.setDefaultOtp({ defaultOtp: 1 })
  expect(await client.loginPolicy.findDefaultOtp({})).toMatchObject({ defaultOtp: 1 })
  await client.loginPolicy.setDefaultOtp({ defaultOtp: 0 })
  const rows = await historyOf(db, 'settingManage')
  expect(rows.map(({ type }) => type)).toEqual([SettingManage.DEFAULT_OTP_ON, SettingManage.DEFAULT_OTP_OFF])
})

test('users with an exception are not counted for the default', async () => {
  const { userCount } = await client.loginPolicy.findDefaultOtp({})
  const users = [await buildUser(db), await buildUser(db), await buildUser(db)]
  expect(await client.loginPolicy.findDefaultOtp({})).toEqual({ defaultOtp: 0, userCount: userCount + 3 })
  const [never = 0, always = 0] = users.map(({ idx }) => idx)
  await client.loginPolicy.addOtpExceptions({ userIdxes: [never], useOtp: 0 })
  await client.loginPolicy.addOtpExceptions({ userIdxes: [always], useOtp: 1 })
  expect(await client.loginPolicy.findDefaultOtp({})).toEqual({ defaultOtp: 0, userCount: userCount + 1 })
  await client.loginPolicy.removeOtpExceptions({ userIdxes: [never, always] })
})

test('users are added to a list, shown by it and removed from it', async () => {
  const [never, always] = [await buildUser(db, { group: sales }), await buildUser(db)]
  await client.loginPolicy.addOtpExceptions({ userIdxes: [never.idx], useOtp: 0 })
  await client.loginPolicy.addOtpExceptions({ userIdxes: [always.idx], useOtp: 1 })
  expect(await useOtpOf(never, always)).toEqual([0, 1])
  expect(await lastLogs(2)).toMatchObject([
    {
      type: SettingManage.ADD_OTP_NEVER,
      actorIdx: admin.idx,
      detail: {
        targetName: never.name,
        users: [{ userIdx: never.idx, userId: never.id, userGroupName: 'sales', isOld: 0 }],
      },
    },
    { type: SettingManage.ADD_OTP_ALWAYS, detail: { users: [{ userIdx: always.idx, isOld: 0 }] } },
  ])
  const { items, totalCount } = await client.loginPolicy.searchOtpExceptions({ useOtp: 0 })
  expect(totalCount).toBe(1)
  expect(items).toEqual([
    {
      idx: never.idx,
      id: never.id,
      name: never.name,
      email: never.email,
      groupName: 'sales',
      useOtp: 0,
      role: 2,
      expireDT: null,
    },
  ])
  await client.loginPolicy.removeOtpExceptions({ userIdxes: [never.idx, always.idx] })
  expect(await useOtpOf(never, always)).toEqual([null, null])
  expect(await lastLogs(2)).toMatchObject([
    { type: SettingManage.REMOVE_OTP_NEVER, detail: { users: [{ userIdx: never.idx, isOld: 1 }] } },
    { type: SettingManage.REMOVE_OTP_ALWAYS, detail: { users: [{ userIdx: always.idx, isOld: 1 }] } },
  ])
})

test('one user who cannot be added prevents the addition of all', async () => {
  const [fresh, known, boss] = [await buildUser(db), await buildUser(db), await buildUser(db, { isAdmin: 1 })]
  await client.loginPolicy.addOtpExceptions({ userIdxes: [known.idx], useOtp: 0 })
  const count = (await historyOf(db, 'settingManage')).length
  for (const [other, code] of [
    [999_999, 980],
    [admin.idx, 126],
    [boss.idx, 126],
    [known.idx, 127],
  ] as const)
    for (const useOtp of [0, 1] as const) {
      const add = client.loginPolicy.addOtpExceptions({ userIdxes: [fresh.idx, other], useOtp })
      await expect(add).rejects.toMatchObject({ code })
    }
  expect(await useOtpOf(fresh, known)).toEqual([null, 0])
  for (const other of [999_999, fresh.idx]) {
    const remove = client.loginPolicy.removeOtpExceptions({ userIdxes: [known.idx, other] })
    await expect(remove).rejects.toMatchObject({ code: 980 })
  }
  expect(await useOtpOf(known)).toEqual([0])
  expect(await historyOf(db, 'settingManage')).toHaveLength(count)
})

test.each([
  ['no user', { userIdxes: [], useOtp: 0 }, 'userIdxes'],
  ['a user twice', { userIdxes: [1, 1], useOtp: 0 }, 'userIdxes'],
  ['too many users', { userIdxes: Array.from({ length: 10_001 }, (_, i) => i + 1), useOtp: 0 }, 'userIdxes'],
  ['a list that there is not', { userIdxes: [1], useOtp: 2 }, 'useOtp'],
])('%s is refused', async (_, body, field) => {
  const response = await fetchAs(admin)('/LoginPolicy/OtpExceptionUsers', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify(body),
  })
  expect(await response.json()).toMatchObject({ errorCode: 983, data: { fields: [field] } })
})

test('of two who add one user at once, the second gets an error', async () => {
  const user = await buildUser(db)
  const add = (useOtp: 0 | 1) => client.loginPolicy.addOtpExceptions({ userIdxes: [user.idx], useOtp })
  const results = await Promise.allSettled([add(0), add(1)])
  expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 127 } }])
})

test('the list is paged, sorted and searched, and available as CSV', async () => {
  const people = []
  for (const name of ['나나', '가가', '다다']) people.push(await buildUser(db, { name, group: sales }))
  await client.loginPolicy.addOtpExceptions({ userIdxes: people.map(({ idx }) => idx), useOtp: 1 })
  const page = await client.loginPolicy.searchOtpExceptions({
    useOtp: 1,
    groupName: 'sales',
    sort: 'name',
    sortOrder: 0,
    rowsCount: 2,
  })
  expect([page.totalCount, page.items.map(({ name }) => name)]).toEqual([3, ['가가', '나나']])
  const found = await client.loginPolicy.searchOtpExceptions({
    id: '다다',
    name: '다다',
    groupName: '다다',
    filterType: 0,
  })
  expect(found.items.map(({ name }) => name)).toEqual(['다다'])
  const csv = await fetchAs(admin)('/LoginPolicy/OtpExceptionUsers?name=%EB%8B%A4%EB%8B%A4', {
    headers: { accept: 'text/csv', 'accept-language': 'en' },
  })
  expect((await csv.text()).split('\r\n')[1]).toMatch(/^Always,.*,다다,/)
})
