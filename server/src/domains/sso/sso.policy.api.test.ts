// The policy of single sign-on: its group, its fixed rules, and sign-in methods.
import { SettingManage, UserManage } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'

const { app, as, fetchAs, admin } = await startTestApp()
const { db } = app
const { east, sales } = await buildGroups(db, 'sales', 'sales/east')
const client = as(admin)
const settingLogs = () => historyOf(db, 'settingManage')

test('until a group is chosen, new users are created in the root group', async () => {
  expect(await client.sso.findPolicy({})).toEqual({
    userMatchProps: ['key'],
    singleMatchPolicy: 1,
    partialMatchPolicy: 0,
    noPartialMatchPolicy: 2,
    manyMatchPolicy: 0,
    ssoUpdateProps: ['key', 'email', 'id', 'name', 'group'],
    userCreateGroupIdx: 1,
    userCreateGroupName: '전체 조직',
  })
})

test('a changed group leaves a row in the history, an unchanged one does not', async () => {
  const policy = await client.sso.findPolicy({})
  await client.sso.setPolicy({ ...policy, userCreateGroupIdx: sales.idx })
  await client.sso.setPolicy({ userCreateGroupIdx: sales.idx })
  expect(await client.sso.findPolicy({})).toMatchObject({
    userCreateGroupIdx: sales.idx,
    userCreateGroupName: sales.name,
  })
  expect(await settingLogs()).toMatchObject([
    {
      type: SettingManage.UPDATE_SSO_POLICY,
      actorIdx: admin.idx,
      detail: { targetValue: 'sales', targetOldValue: '전체 조직' },
    },
  ])
})

test.each([
  ['no criterion', { userMatchProps: [] }, 'userMatchProps'],
  ['another criterion', { userMatchProps: ['email'] }, 'userMatchProps'],
  ['other refreshed fields', { ssoUpdateProps: ['name'] }, 'ssoUpdateProps'],
  ['sign-in with one of several accounts', { manyMatchPolicy: 1 }, 'manyMatchPolicy'],
  ['a group that is no number', { userCreateGroupIdx: 'sales' }, 'userCreateGroupIdx'],
])('%s is refused', async (_, over, field) => {
  const response = await fetchAs(admin)('/Sso/Policy', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ userCreateGroupIdx: sales.idx, ...over }),
  })
  expect(await response.json()).toMatchObject({ errorCode: 983, data: { fields: [field] } })
})

test('a group that does not exist is refused', async () => {
  const before = await client.sso.findPolicy({})
  const set = client.sso.setPolicy({ userCreateGroupIdx: 999_999 })
  await expect(set).rejects.toMatchObject({ code: 122 })
  expect(await client.sso.findPolicy({})).toEqual(before)
})

test('the policy follows the users of a deleted group', async () => {
  await client.sso.setPolicy({ userCreateGroupIdx: east.idx })
  await client.groups.remove({ idx: east.idx })
  expect(await client.sso.findPolicy({})).toMatchObject({ userCreateGroupIdx: sales.idx })
  await client.groups.remove({ idx: sales.idx })
  expect(await client.sso.findPolicy({})).toMatchObject({ userCreateGroupIdx: 1 })
})

test('of two changes at once, each logs the value that it replaced', async () => {
  const { a, b } = await buildGroups(db, 'a', 'b')
  const count = (await settingLogs()).length
  await Promise.all([a, b].map(({ idx }) => client.sso.setPolicy({ userCreateGroupIdx: idx })))
  const [first, second] = (await settingLogs()).slice(count).map(({ detail }) => detail)
  expect(second?.targetOldValue).toBe(first?.targetValue)
})

test('sign-in methods are set for all users or for none', async () => {
  const [one, other] = [await buildUser(db), await buildUser(db)]
  const loginTypes = async () =>
    [await client.users.find({ idx: one.idx }), await client.users.find({ idx: other.idx })].map((u) => u.loginType)
  for (const [userIdx, code] of [
    [999_999, 980],
    [admin.idx, 126],
  ] as const) {
    const set = client.sso.setUserPolicy({ userIdxes: [one.idx, other.idx, userIdx], loginType: 2 })
    await expect(set).rejects.toMatchObject({ code })
  }
  expect(await loginTypes()).toEqual([1, 1])
  await client.sso.setUserPolicy({ userIdxes: [one.idx, other.idx], loginType: 3 })
  await client.sso.setUserPolicy({ userIdxes: [one.idx, other.idx, admin.idx], loginType: 3 })
  expect(await loginTypes()).toEqual([3, 3])
  const rows = (await historyOf(db, 'userManage')).filter(({ type }) => type === UserManage.UPDATE)
  expect(rows.map(({ subjectIdx }) => subjectIdx)).toEqual([one.idx, other.idx, admin.idx])
  expect(rows[0]).toMatchObject({ detail: { targetLoginType: 3, targetOldLoginType: 1 } })
})
