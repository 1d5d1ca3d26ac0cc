// Suspending and releasing accounts, resetting passwords, ending sessions, removing PCs.
import { LicenseUse, PolicyManage, UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildDevice } from '../../../test/build/devices.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { mailsTo, temporaryPasswordIn } from '../../../test/mails.ts'

const { app, as, admin, anonymous, baseUrl } = await startTestApp()
const { db } = app
const { sales, rnd } = await buildGroups(db, 'sales', 'rnd')
const manager = await buildManager(db, { groups: [sales], user: 2, policy: 2, as: { group: sales } })
const PASSWORD = 'Qa9!zebra-Lm'

const rowOf = (idx: number) => db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirst()
const logsOf = async (kind: 'userManage' | 'policyManage' | 'licenseUse', idx: number) =>
  (await historyOf(db, kind)).filter((row) => row.subjectIdx === idx)
const suspend = (by: { idx: number }, idx: number) => as(by).users.setDisabled({ idx, state: UserState.DISABLED })
const release = (by: { idx: number }, idx: number) => as(by).users.setDisabled({ idx, state: UserState.NORMAL })

test.each([
  ['an active', UserState.NORMAL],
  ['a new', UserState.NEW],
])('suspending and releasing %s account restores its state', async (_, state) => {
  const user = await buildUser(db, { group: sales, state })
  await suspend(manager, user.idx)
  expect(await rowOf(user.idx)).toMatchObject({ state: state | UserState.DISABLED })
  await suspend(manager, user.idx)
  await release(manager, user.idx)
  expect(await rowOf(user.idx)).toMatchObject({ state, revision: 3 })
  expect(await logsOf('userManage', user.idx)).toMatchObject([
    { type: UserManage.DISABLED, detail: { targetState: state | 2, targetOldState: state } },
    { type: UserManage.ENABLED, detail: { targetState: state, targetOldState: state | 2 } },
  ])
})

test('a reset password is mailed, ends the sessions and voids the old one', async () => {
  const user = await buildUser(db, { group: sales, password: PASSWORD, loginFails: 3 })
  const client = as(user)
  await client.session.find({})
  await as(manager).users.resetPw({ idx: user.idx })
  await expect(client.session.find({})).rejects.toMatchObject({ code: 962 })
  expect(await rowOf(user.idx)).toMatchObject({ state: UserState.NEW, pwHash: null, loginFails: 0 })
  await expect(anonymous.session.login({ id: user.id, pw: PASSWORD })).rejects.toMatchObject({ code: 100 })
  const [mail] = await mailsTo(app, user.email)
  expect(mail?.text).toContain('Your previous password no longer works')
  const pw = temporaryPasswordIn(mail?.text ?? '')
  await expect(anonymous.session.login({ id: user.id, pw })).rejects.toMatchObject({ code: 104 })
  const [log] = await logsOf('userManage', user.idx)
  expect(log).toMatchObject({
    type: UserManage.RESET_PW,
    detail: { targetState: 1, targetOldState: 0 },
  })
  expect(JSON.stringify(log)).not.toContain(pw)
})

test('the password of a suspended user is not reset', async () => {
  const user = await buildUser(db, { group: sales, state: UserState.DISABLED })
  await expect(as(manager).users.resetPw({ idx: user.idx })).rejects.toMatchObject({ code: 123 })
  const nameless = await buildUser(db, { group: sales, email: '' })
  await expect(as(manager).users.resetPw({ idx: nameless.idx })).rejects.toMatchObject({ code: 116 })
})

test('removing PCs frees their licenses, and their clients get an error', async () => {
  const user = await buildUser(db, { group: sales })
  const { ip: deviceIp } = await buildDevice(app, user)
  const { token } = await openDesktopClient({ app, baseUrl }, user)
  await as(manager).users.resetLicense({ idx: user.idx })
  expect(await db.read.selectFrom('devices').selectAll().where('userIdx', '=', user.idx).execute()).toEqual([])
  const logs = await logsOf('licenseUse', user.idx)
  expect(logs).toHaveLength(2)
  expect(logs[0]).toMatchObject({ type: LicenseUse.RETRIEVE, groupIdx: sales.idx, detail: { deviceIp } })
  const headers = { authorization: `Bearer ${token}`, 'x-requested-with': 'XMLHttpRequest' }
  const response = await fetch(`${baseUrl}/Agent/Policy`, { headers })
  expect(await response.json()).toMatchObject({ errorCode: 162 })
  await as(manager).users.resetLicense({ idx: user.idx })
  expect(await logsOf('licenseUse', user.idx)).toHaveLength(2)
})

test('the restriction to one PC is a policy change in the history', async () => {
  const user = await buildUser(db, { group: sales })
  await as(manager).users.setIsSinglePC({ idx: user.idx, isSinglePC: 1 })
  await as(manager).users.setIsSinglePC({ idx: user.idx, isSinglePC: 1 })
  expect(await rowOf(user.idx)).toMatchObject({ isSinglePC: 1, revision: 2 })
  expect(await logsOf('policyManage', user.idx)).toMatchObject([
    {
      type: PolicyManage.UPDATE_ISSINGLEPC,
      subject: user.id,
      groupIdx: sales.idx,
      detail: { targetType: 1, targetGroupName: 'sales', targetIsSinglePC: 1, targetOldIsSinglePC: 0 },
    },
  ])
})

test('ending one sign-in of a person leaves the others open', async () => {
  const user = await buildUser(db, { group: sales })
  const [first, second] = [as(user), as(user)]
  await first.session.find({})
  await second.session.find({})
  const { sessions } = await as(manager).users.find({ idx: user.idx })
  const [newest] = sessions
  await as(manager).users.endSession({ idx: user.idx, sessionIdx: newest?.idx ?? 0 })
  await first.session.find({})
  await expect(second.session.find({})).rejects.toMatchObject({ code: 962 })
  const rows = await logsOf('userManage', user.idx)
  expect(rows).toMatchObject([{ type: UserManage.END_SESSION, actorIdx: manager.idx, detail: { targetId: user.id } }])
  const again = as(manager).users.endSession({ idx: user.idx, sessionIdx: newest?.idx ?? 0 })
  await expect(again).rejects.toMatchObject({ code: 980 })
})

test('a write of a user who is being suspended happens before the suspension or not at all', async () => {
  for (let round = 0; round < 15; round++) {
    const boss = await buildManager(db, { groups: [sales], user: 2, as: { group: rnd } })
    const target = await buildUser(db, { group: sales })
    const client = as(boss)
    await client.session.find({})
    const [, written] = await Promise.allSettled([
      suspend(admin, boss.idx),
      client.users.update({ idx: target.idx, name: '바뀜' }),
    ])
    const history = await historyOf(db, 'userManage')
    const suspendedAt = history.findIndex((row) => row.type === UserManage.DISABLED && row.subjectIdx === boss.idx)
    const writtenAt = history.findIndex((row) => row.type === UserManage.UPDATE && row.subjectIdx === target.idx)
    expect(suspendedAt).toBeGreaterThanOrEqual(0)
    if (written.status === 'rejected') {
      expect(written.reason).toMatchObject({ code: 962 })
      expect(writtenAt).toBe(-1)
    } else expect(writtenAt).toBeLessThan(suspendedAt)
    expect((await rowOf(target.idx))?.name).toBe(written.status === 'rejected' ? target.name : '바뀜')
  }
})

test('a new manager is out of reach of other managers, also while a call waits', async () => {
  for (let round = 0; round < 10; round++) {
    const target = await buildUser(db, { group: sales })
    const [written] = await Promise.allSettled([
      as(manager).users.update({ idx: target.idx, email: `taken${round}@example.com` }),
      buildAuthority(db, { groups: [rnd], user: 2, users: [target] }),
    ])
    if (written.status === 'rejected') expect(written.reason).toMatchObject({ code: 980 })
    await expect(as(manager).users.resetPw({ idx: target.idx })).rejects.toMatchObject({ code: 980 })
  }
})
