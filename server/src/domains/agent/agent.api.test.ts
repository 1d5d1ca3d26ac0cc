// The desktop client's session: sign-in with a PC and a license, the policy, heartbeats.

import { localDayOf } from '@acc/contract/labels/formats'
import { LicenseUse, LogoutType, SignInType } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { callsWithToken, openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'
import { days, later, minutes } from '../../clock.ts'
import { EVALUATION_DEVICES } from '../licenses/licenses.status.ts'
import { endSilentSessions } from '../session/session.service.ts'

const testApp = await startTestApp({ ACC_MAX_LOGIN_FAILS: '3' })
const { app, as, anonymous, admin, clock, baseUrl } = testApp
const { db } = app
const PASSWORD = 'Qa9!zebra-Lm'
const { sales } = await buildGroups(db, 'sales')

const PC = { deviceId: 'pc-1', deviceName: '영업 PC', clientVersion: '1.2.3' }
const login = (id: string, fields: object = {}) => anonymous.agent.login({ id, pw: PASSWORD, ...PC, ...fields })
const signInsOf = (userIdx: number) =>
  db.read.selectFrom('signIns').selectAll().where('userIdx', '=', userIdx).orderBy('idx').execute()
const devicesOf = (userIdx: number) =>
  db.read.selectFrom('devices').selectAll().where('userIdx', '=', userIdx).orderBy('idx').execute()
const freeLicenses = () => db.write.deleteFrom('devices').execute()
const employee = (fields: object = {}) => buildUser(db, { group: sales, password: PASSWORD, ...fields })

test('signing in registers the PC, takes a license and returns the initial data of the client', async () => {
  const user = await employee({ name: '김하늘' })
  const answer = await login(user.id)
  expect(answer).toMatchObject({
    user: { idx: user.idx, id: user.id, name: '김하늘', email: user.email, groupName: 'sales' },
    sessionValidMinutes: app.env.sessionMinutes,
  })
  expect(await devicesOf(user.idx)).toMatchObject([{ ...PC, ip: '127.0.0.1', useDT: clock.now() }])
  expect(await signInsOf(user.idx)).toMatchObject([
    { kind: 'client', type: SignInType.LOGIN, clientVersion: '1.2.3', deviceName: '영업 PC', logoutDT: null },
  ])
  expect((await historyOf(db, 'licenseUse')).at(-1)).toMatchObject({
    type: LicenseUse.USE,
    subjectIdx: user.idx,
    actorIdx: user.idx,
  })
  const used = await db.read
    .selectFrom('history')
    .selectAll()
    .where('kind', '=', 'licenseUse')
    .orderBy('idx', 'desc')
    .executeTakeFirst()
  expect(used).toMatchObject({ actorId: user.id, actorName: '김하늘', actorGroupName: 'sales', ip: '127.0.0.1' })
  const row = await db.read.selectFrom('users').selectAll().where('idx', '=', user.idx).executeTakeFirstOrThrow()
  expect(row.lastClientLoginDT).toEqual(clock.now())
  const policy = await callsWithToken(baseUrl, answer.token).agent.findPolicy({})
  expect(policy).toMatchObject({ revision: answer.policyRevision, isSinglePC: 0, policy: { fileExport: 0 } })
})

test('the same PC takes no second license', async () => {
  const user = await employee()
  await login(user.id)
  const count = (await historyOf(db, 'licenseUse')).length
  const again = () => login(user.id, { deviceName: 'renamed', clientVersion: '1.3' })
  expect(await announced(app, again)).toContainEqual({ topic: 'signIns', groupIdx: sales.idx })
  expect(await devicesOf(user.idx)).toMatchObject([{ deviceName: 'renamed', clientVersion: '1.3' }])
  expect(await historyOf(db, 'licenseUse')).toHaveLength(count)
})

test('failed attempts are in the sign-in log, and too many disable the account', async () => {
  const user = await employee()
  const wrong = { pw: 'wrong-Password1!' }
  for (const error of ['WRONG_CREDENTIALS', 'WRONG_CREDENTIALS', 'PASSWORD_ATTEMPTS_EXCEEDED']) {
    await expect(login(user.id, wrong)).rejects.toMatchObject({ error })
  }
  await expect(login(user.id)).rejects.toMatchObject({ error: 'PASSWORD_ATTEMPTS_EXCEEDED' })
  const { PW_FAILED, PW_DISABLED } = SignInType
  expect((await signInsOf(user.idx)).map(({ type, kind }) => [type, kind])).toEqual([
    [PW_FAILED, 'client'],
    [PW_FAILED, 'client'],
    [PW_DISABLED, 'client'],
    [PW_DISABLED, 'client'],
  ])
  expect(await devicesOf(user.idx)).toEqual([])
})

const REFUSED = {
  kind: 'client',
  type: SignInType.REFUSED,
  deviceName: '영업 PC',
  clientVersion: '1.2.3',
  logoutDT: null,
}
const sessionsOf = (userIdx: number) =>
  db.read.selectFrom('sessions').select('idx').where('userIdx', '=', userIdx).execute()

test('accounts that may not sign in leave only a row in the sign-in log', async () => {
  const expired = await employee({ isMortal: 1, expireDT: localDayOf(later(clock.now(), -days(1))) })
  const suspended = await employee({ state: 2 })
  const temporary = await employee({ state: 1 })
  const ssoOnly = await employee({ loginType: 2 })
  for (const [user, error] of [
    [expired, 'ACCOUNT_EXPIRED'],
    [suspended, 'ACCOUNT_DISABLED'],
    [temporary, 'PASSWORD_CHANGE_REQUIRED'],
    [ssoOnly, 'LOGIN_TYPE_REFUSED'],
  ] as const) {
    await expect(login(user.id)).rejects.toMatchObject({ error })
    expect(await devicesOf(user.idx)).toEqual([])
    expect(await sessionsOf(user.idx)).toEqual([])
    expect(await signInsOf(user.idx)).toMatchObject([{ ...REFUSED, groupIdx: sales.idx, ip: '127.0.0.1' }])
  }
  const { items } = await as(admin).history.clientLogin({ type: SignInType.REFUSED })
  expect(items.map(({ userId }) => userId)).toContain(expired.id)
})

test('supplier staff sign in here, and to the portal by a token of the client', async () => {
  const { suppliers, acme } = await buildGroups(db, 'suppliers', 'suppliers/acme')
  await db.write.updateTable('groups').set({ isDmsParent: 1 }).where('idx', '=', suppliers.idx).execute()
  const user = await employee({ group: acme })
  await expect(anonymous.session.login({ id: user.id, pw: PASSWORD })).rejects.toMatchObject({
    error: 'CLIENT_REQUIRED',
  })
  const { token } = await login(user.id)
  const { tmpToken, url } = await callsWithToken(baseUrl, token).agent.tmpToken({})
  expect(url).toBe(`${app.env.publicUrl}/acc/?tmpToken=${tmpToken}`)
  await anonymous.session.consumeTmpToken({ tmpToken })
  await expect(anonymous.session.consumeTmpToken({ tmpToken })).rejects.toMatchObject({ error: 'NO_SESSION' })
  expect((await signInsOf(user.idx)).map(({ kind }) => kind)).toEqual(['web', 'client', 'web'])
})

test('of simultaneous sign-ins for the last license one succeeds', async () => {
  await freeLicenses()
  const users = await Promise.all(Array.from({ length: EVALUATION_DEVICES + 4 }, () => employee()))
  const results = await Promise.allSettled(users.map(({ id }) => login(id)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.error] : []))
  expect(refused).toEqual(Array(4).fill('NO_LICENSE_LEFT'))
  expect(await db.read.selectFrom('devices').select('idx').execute()).toHaveLength(EVALUATION_DEVICES)
  for (const [at, user] of users.entries()) {
    const type = results[at]?.status === 'fulfilled' ? SignInType.LOGIN : SignInType.REFUSED
    expect((await signInsOf(user.idx)).map((row) => row.type)).toEqual([type])
  }
  const lucky = users[results.findIndex(({ status }) => status === 'fulfilled')]
  await login(lucky?.id ?? '')
  await freeLicenses()
})

test('a user restricted to one PC cannot use another one, also at once', async () => {
  const user = await employee({ isSinglePC: 1 })
  const results = await Promise.allSettled(['pc-a', 'pc-b'].map((deviceId) => login(user.id, { deviceId })))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(results.flatMap((r) => (r.status === 'rejected' ? [r.reason.error] : []))).toEqual(['OTHER_PC'])
  expect(await devicesOf(user.idx)).toHaveLength(1)
  const { LOGIN, REFUSED: refused } = SignInType
  expect((await signInsOf(user.idx)).map(({ type }) => type).sort()).toEqual([LOGIN, refused])
})

test('a removed PC gets an error and takes a license at its next sign-in', async () => {
  const user = await employee()
  const pc = await openDesktopClient(testApp, user)
  await pc.agent.heartbeat({})
  await db.write.deleteFrom('devices').where('idx', '=', pc.deviceIdx).execute()
  await expect(pc.agent.heartbeat({})).rejects.toMatchObject({ error: 'DEVICE_REMOVED' })
  await expect(pc.agent.findPolicy({})).rejects.toMatchObject({ error: 'DEVICE_REMOVED' })
  // Failed calls do not extend the session.
  clock.advance(minutes(29))
  await expect(pc.agent.heartbeat({})).rejects.toMatchObject({ error: 'DEVICE_REMOVED' })
  clock.advance(minutes(3))
  await expect(pc.agent.heartbeat({})).rejects.toMatchObject({ error: 'SESSION_EXPIRED' })
  const sessions = async () => (await as(admin).users.find({ idx: user.idx })).sessions.map(({ kind }) => kind)
  expect(await sessions()).toEqual([])
  await login(user.id)
  expect(await devicesOf(user.idx)).toHaveLength(1)
  expect(await sessions()).toEqual(['client'])
})

test('a removed PC does not count for a user limited to one PC', async () => {
  const user = await employee()
  const [kept, removed] = [await openDesktopClient(testApp, user), await openDesktopClient(testApp, user)]
  await db.write.updateTable('users').set({ isSinglePC: 1 }).where('idx', '=', user.idx).execute()
  expect((await kept.agent.heartbeat({})).signOut).toBe(1)
  await db.write.deleteFrom('devices').where('idx', '=', removed.deviceIdx).execute()
  expect((await kept.agent.heartbeat({})).signOut).toBe(0)
})

test('heartbeats extend the session and return the policy revision, and an idle session ends', async () => {
  const user = await employee()
  const pc = await openDesktopClient(testApp, user)
  const first = await pc.agent.heartbeat({ clientVersion: '2.0.1' })
  expect(first).toMatchObject({ deployedVersion: null, signOut: 0 })
  expect(await devicesOf(user.idx)).toMatchObject([{ clientVersion: '2.0.1' }])
  for (let i = 0; i < 3; i++) {
    clock.advance(minutes(app.env.sessionMinutes - 1))
    expect((await pc.agent.heartbeat({})).policyRevision).toBe(first.policyRevision)
  }
  await buildPolicy(db, { user, fileExport: 1 })
  const second = await pc.agent.heartbeat({})
  expect(second.policyRevision).not.toBe(first.policyRevision)
  expect(await pc.agent.findPolicy({})).toMatchObject({ revision: second.policyRevision, policy: { fileExport: 1 } })
  clock.advance(minutes(app.env.sessionMinutes + 2))
  await expect(pc.agent.heartbeat({})).rejects.toMatchObject({ error: 'SESSION_EXPIRED' })
  await endSilentSessions(app)
  expect((await signInsOf(user.idx)).at(-1)).toMatchObject({ logoutType: LogoutType.SESSION_EXPIRED })
})

test('after a restriction to one PC, the earlier PC must sign out', async () => {
  const user = await employee()
  const [earlier, later] = [await openDesktopClient(testApp, user), await openDesktopClient(testApp, user)]
  const before = await earlier.agent.heartbeat({})
  expect(before.signOut).toBe(0)
  await db.write.updateTable('users').set({ isSinglePC: 1 }).where('idx', '=', user.idx).execute()
  const after = await earlier.agent.heartbeat({})
  expect(after.signOut).toBe(1)
  expect(after.policyRevision).not.toBe(before.policyRevision)
  expect((await later.agent.heartbeat({})).signOut).toBe(0)
})

test('signing out ends the session and completes its log row', async () => {
  const user = await employee()
  const pc = await openDesktopClient(testApp, user)
  await pc.agent.logout({})
  await expect(pc.agent.heartbeat({})).rejects.toMatchObject({ error: 'NO_SESSION' })
  expect(await signInsOf(user.idx)).toMatchObject([{ logoutType: LogoutType.LOGOUT, logoutDT: clock.now() }])
})

test("the client's token works only for the client's calls", async () => {
  const pc = await openDesktopClient(testApp, admin)
  await expect(callsWithToken(baseUrl, pc.token).session.find({})).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(callsWithToken(baseUrl, pc.token).users.search({})).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(callsWithToken(baseUrl, pc.token).events.stream({})).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

test.each([
  ['another password', { pwHash: 'another' }, 'WRONG_CREDENTIALS'],
  ['a code to ask for', { useOtp: 1 }, 'OTP_EXPIRED'],
  ['suspended', { state: 2 }, 'ACCOUNT_DISABLED'],
] as const)('a person who gets %s while the password is proven opens nothing', async (_, change, error) => {
  const user = await employee()
  const tried = await overtake(db, {
    lock: (tx) => tx.updateTable('users').set(change).where('idx', '=', user.idx).execute(),
    call: () => login(user.id),
  })
  expect(tried).toMatchObject({ error })
  expect(await devicesOf(user.idx)).toEqual([])
})

test('bad input is refused field by field', async () => {
  for (const fields of [
    { deviceId: '' },
    { deviceName: 'a\u0000b' },
    { clientVersion: 'one' },
    { pw: 'x'.repeat(65) },
    { id: ['a'] },
  ]) {
    await expect(login('someone', fields)).rejects.toMatchObject({
      error: 'INVALID_INPUT',
      data: { fields: Object.keys(fields) },
    })
  }
})
