// Signing in and out, and sessions: responses and rows.
import { SignInType } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser, type UserToBuild } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { overtake } from '../../../test/overtake.ts'
import { minutes, today } from '../../clock.ts'
import { findAccount } from '../credentials/credentials.queries.ts'
import { endSilentSessions, openSession } from './session.service.ts'

const testApp = await startTestApp()
const { app, anonymous, as, clock, admin, baseUrl } = testApp
const { db } = app

const PASSWORD = 'Qa9!zebra-Lm'
/** Builds a user with a password. */
const person = (columns: UserToBuild = {}) => buildUser(db, { password: PASSWORD, ...columns })
const signInsOf = (userIdx: number) =>
  db.read
    .selectFrom('signIns')
    .select(['type', 'logoutType', 'logoutDT'])
    .where('userIdx', '=', userIdx)
    .orderBy('idx')
    .execute()

async function signInWith(id: string, pw: string, former = ''): Promise<{ cookie: string; header: string }> {
  const response = await fetch(`${baseUrl}/Account/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest', cookie: former },
    body: JSON.stringify({ id, pw }),
  })
  expect(await response.json()).toMatchObject({ errorCode: 0 })
  const header = response.headers.get('set-cookie') ?? ''
  return { header, cookie: header.split(';')[0] ?? '' }
}
/** Consumes a token in a browser without a session and returns its cookie. */
async function consume(tmpToken: string): Promise<string> {
  const response = await fetch(`${baseUrl}/Account/ConsumeTmpToken`, {
    method: 'POST',
    headers: { 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json' },
    body: JSON.stringify({ tmpToken }),
  })
  expect(await response.json()).toMatchObject({ errorCode: 0, data: { result: 'signedIn' } })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}
const sessionOf = async (cookie: string) => (await fetch(`${baseUrl}/Account/Session`, { headers: { cookie } })).json()

test('signing in opens a session whose token is stored as a hash only', async () => {
  const { cookie, header } = await signInWith(admin.id, ADMIN_PASSWORD)
  expect(header).toMatch(/HttpOnly/i)
  expect(header).toMatch(/SameSite=Lax/i)
  expect(await sessionOf(cookie)).toMatchObject({
    errorCode: 0,
    data: {
      id: admin.id,
      role: 0,
      pageAuth: { policy: 2, user: 2, fileExportApprove: 2, fileImportApprove: 2, log: 1 },
    },
  })
  const stored = await db.read.selectFrom('sessions').select('tokenHash').where('userIdx', '=', admin.idx).execute()
  expect(stored.some(({ tokenHash }) => tokenHash.toString('base64url') === cookie.slice('acc='.length))).toBe(false)
})

test('an account with a last day signs in until then, and the console receives the day', async () => {
  const last = today(clock)
  const someone = await person({ isMortal: 1, expireDT: last })
  const { cookie } = await signInWith(someone.id, PASSWORD)
  expect(await sessionOf(cookie)).toMatchObject({ errorCode: 0, data: { expireDT: last } })
})

test('an ID in another case is the same account', async () => {
  const someone = await person()
  await signInWith(someone.id.toUpperCase(), PASSWORD)
  expect(await signInsOf(someone.idx)).toEqual([{ type: SignInType.LOGIN, logoutType: null, logoutDT: null }])
})

test.each<[string, UserToBuild, number]>([
  ['a suspended account', { state: 2 }, 102],
  ['an expired account', { isMortal: 1, expireDT: '2020-01-01' }, 103],
  ['a new account', { state: 1 }, 104],
  ['an account of single sign-on only', { loginType: 2 }, 180],
])('%s does not sign in, and only the correct password reveals why', async (_, fields, code) => {
  const someone = await person(fields)
  await expect(anonymous.session.login({ id: someone.id, pw: 'wrong' })).rejects.toMatchObject({ code: 100 })
  await expect(anonymous.session.login({ id: someone.id, pw: PASSWORD })).rejects.toMatchObject({ code })
  expect((await signInsOf(someone.idx)).map(({ type }) => type)).toEqual([SignInType.PW_FAILED, SignInType.REFUSED])
  const open = await db.read.selectFrom('sessions').select('idx').where('userIdx', '=', someone.idx).execute()
  expect(open).toEqual([])
})

test('supplier staff sign in from the client only', async () => {
  const { suppliers } = await buildGroups(db, 'makers/suppliers')
  const { makers } = await buildGroups(db, 'makers')
  await as(admin).groups.setIsDmsParent({ idx: makers.idx })
  const partner = await person({ group: suppliers })
  await expect(anonymous.session.login({ id: partner.id, pw: PASSWORD })).rejects.toMatchObject({ code: 181 })
  const fromBrowser = await as(partner).session.createTmpToken({})
  await expect(anonymous.session.consumeTmpToken(fromBrowser)).rejects.toMatchObject({ code: 181 })
  const employee = await person({ group: makers })
  await signInWith(employee.id, PASSWORD)
})

test('supplier staff change a temporary password in the portal before they use the client', async () => {
  const { suppliers } = await buildGroups(db, 'makers/suppliers')
  const partner = await person({ group: suppliers, state: 1 })
  await expect(anonymous.session.login({ id: partner.id, pw: PASSWORD })).rejects.toMatchObject({ code: 104 })
  await anonymous.account.changePw({ id: partner.id, pw: PASSWORD, newPw: 'Nb7#violet-Kp' })
  const attempt = anonymous.session.login({ id: partner.id, pw: 'Nb7#violet-Kp' })
  await expect(attempt).rejects.toMatchObject({ code: 181 })
  const expired = await person({ group: suppliers, state: 1, isMortal: 1, expireDT: '2020-01-01' })
  await expect(anonymous.session.login({ id: expired.id, pw: PASSWORD })).rejects.toMatchObject({ code: 103 })
  const open = await db.read.selectFrom('sessions').select('idx').where('userIdx', '=', partner.idx).execute()
  expect(open).toEqual([])
})

test('an account that ends or is suspended loses its session and its token', async () => {
  const ending = await person({ isMortal: 1, expireDT: today(clock) })
  const { cookie } = await signInWith(ending.id, PASSWORD)
  await db.write.updateTable('users').set({ expireDT: '2020-01-01' }).where('idx', '=', ending.idx).execute()
  expect((await sessionOf(cookie)).errorCode).toBe(103)
  const suspended = await person()
  const token = await as(suspended).session.createTmpToken({})
  await db.write.updateTable('users').set({ state: 2 }).where('idx', '=', suspended.idx).execute()
  await expect(anonymous.session.consumeTmpToken(token)).rejects.toMatchObject({ code: 102 })
  await expect(as(suspended).session.find({})).rejects.toMatchObject({ code: 102 })
})

test('a used session is extended, a session that only reads itself is not', async () => {
  const someone = await person()
  const { cookie } = await signInWith(someone.id, PASSWORD)
  clock.advance(minutes(20))
  expect((await sessionOf(cookie)).errorCode).toBe(0)
  clock.advance(minutes(12))
  expect((await sessionOf(cookie)).errorCode).toBe(961)
  await endSilentSessions(app)
  expect((await sessionOf(cookie)).errorCode).toBe(961)
  expect((await signInsOf(someone.idx))[0]).toMatchObject({ logoutType: 1 })

  const used = (await signInWith(someone.id, PASSWORD)).cookie
  clock.advance(minutes(20))
  await fetch(`${baseUrl}/Account/Sessions`, { headers: { cookie: used } })
  clock.advance(minutes(20))
  expect((await sessionOf(used)).errorCode).toBe(0)
})

test('an idle session ends after its minutes, at most a twentieth later', async () => {
  const someone = await person()
  const { cookie } = await signInWith(someone.id, PASSWORD)
  const signedIn = clock.now()
  const seen = () => db.read.selectFrom('sessions').select('lastSeenDT').where('userIdx', '=', someone.idx).execute()
  // A use within a twentieth of the last stored use is not stored but counts.
  clock.advance(minutes(1.5))
  await fetch(`${baseUrl}/Account/Sessions`, { headers: { cookie } })
  expect(await seen()).toEqual([{ lastSeenDT: signedIn }])
  clock.advance(minutes(30) - 1)
  const { errorCode, data } = await sessionOf(cookie)
  expect({ errorCode, expires: data.sessionExpireDT }).toEqual({
    errorCode: 0,
    expires: new Date(signedIn.getTime() + minutes(31.5)).toISOString(),
  })
  await endSilentSessions(app)
  const stream = await fetch(`${baseUrl}/Events`, { headers: { cookie } })
  await stream.body?.cancel()
  clock.advance(1)
  expect((await sessionOf(cookie)).errorCode).toBe(961)
  await endSilentSessions(app)
  expect(await signInsOf(someone.idx)).toMatchObject([{ logoutType: 1, logoutDT: clock.now() }])
})

test('a session in constant use ends after a day', async () => {
  const someone = await person()
  const { cookie } = await signInWith(someone.id, PASSWORD)
  const use = () => fetch(`${baseUrl}/Account/Sessions`, { headers: { cookie } })
  for (let half = 0; half < 60; half++) {
    clock.advance(minutes(23.5))
    await use()
  }
  const { data } = await sessionOf(cookie)
  clock.set(new Date(new Date(data.sessionExpireDT).getTime() - 1))
  await use()
  expect((await sessionOf(cookie)).errorCode).toBe(0)
  clock.advance(1)
  expect((await sessionOf(cookie)).errorCode).toBe(961)
})

test("signing in ends the browser's previous session, also of another person", async () => {
  const [one, other] = [await person(), await person()]
  const first = (await signInWith(one.id, PASSWORD)).cookie
  await expect(anonymous.session.login({ id: one.id, pw: 'wrong' })).rejects.toMatchObject({ code: 100 })
  expect((await sessionOf(first)).errorCode).toBe(0)
  await signInWith(other.id, PASSWORD, first)
  expect((await sessionOf(first)).errorCode).toBe(960)
  expect((await signInsOf(one.idx))[0]).toMatchObject({ logoutType: 0, logoutDT: clock.now() })
})

test('signing out ends the session and completes its row', async () => {
  const someone = await person()
  const { cookie } = await signInWith(someone.id, PASSWORD)
  const response = await fetch(`${baseUrl}/Account/Logout`, {
    method: 'POST',
    headers: { cookie, 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await response.json()).toMatchObject({ errorCode: 0 })
  expect((await sessionOf(cookie)).errorCode).toBe(960)
  expect((await signInsOf(someone.idx))[0]).toMatchObject({ logoutType: 0, logoutDT: clock.now() })
})

test.each([
  ['suspended', { state: 2 }, 102],
  ['given another password', { pwHash: 'another' }, 100],
  ['asked for a code', { useOtp: 1 }, 107],
] as const)('a person who is %s while the password is verified gets no session', async (_, change, code) => {
  const someone = await person()
  const tried = await overtake(db, {
    lock: (tx) => tx.updateTable('users').set(change).where('idx', '=', someone.idx).execute(),
    call: () => anonymous.session.login({ id: someone.id, pw: PASSWORD }),
  })
  expect(tried).toMatchObject({ code })
  const open = await db.read.selectFrom('sessions').select('idx').where('userIdx', '=', someone.idx).execute()
  expect(open).toEqual([])
})

test('people see and end only their own sessions', async () => {
  const [one, other] = [await person(), await person()]
  const { cookie } = await signInWith(one.id, PASSWORD)
  const { sessions } = await as(one).session.search({})
  expect(sessions).toHaveLength(2)
  const first = sessions.find(({ isCurrent }) => isCurrent === 0)
  await expect(as(other).session.end({ idx: first?.idx ?? 0 })).rejects.toMatchObject({ code: 980 })
  await as(one).session.end({ idx: first?.idx ?? 0 })
  expect((await sessionOf(cookie)).errorCode).toBe(960)
})

test('people end all of their sessions except the calling one', async () => {
  const [one, other] = [await person(), await person()]
  const cookies = [(await signInWith(one.id, PASSWORD)).cookie, (await signInWith(one.id, PASSWORD)).cookie]
  const foreign = (await signInWith(other.id, PASSWORD)).cookie
  const here = as(one)
  await here.session.endOthers({})
  for (const cookie of cookies) expect((await sessionOf(cookie)).errorCode).toBe(960)
  expect((await sessionOf(foreign)).errorCode).toBe(0)
  expect((await here.session.search({})).sessions).toMatchObject([{ isCurrent: 1 }])
  expect((await signInsOf(one.idx)).map(({ logoutType }) => logoutType)).toEqual([0, 0, null])
})

test('with more than 100 open sessions of a person, the least recently used ones end', async () => {
  const [someone, other] = [await person(), await person()]
  const account = await findAccount(db.read, { idx: someone.idx })
  if (account === undefined) throw new Error('no account')
  const origin = { ip: '127.0.0.1', userAgent: 'test' }
  const [used, idle] = [
    (await signInWith(someone.id, PASSWORD)).cookie,
    (await signInWith(someone.id, PASSWORD)).cookie,
  ]
  const foreign = (await signInWith(other.id, PASSWORD)).cookie
  await db.write.transaction().execute(async (tx) => {
    for (let i = 0; i < 98; i++) await openSession(tx, app, account, origin)
  })
  clock.advance(minutes(2))
  await fetch(`${baseUrl}/Account/Sessions`, { headers: { cookie: used } })
  const added = (await signInWith(someone.id, PASSWORD)).cookie
  const codes = await Promise.all(
    [used, idle, added, foreign].map(async (cookie) => (await sessionOf(cookie)).errorCode),
  )
  expect(codes).toEqual([0, 962, 0, 0])
  const pc = { deviceId: 'pc-of-many', deviceName: 'PC', clientVersion: '1.0.0' }
  await anonymous.agent.login({ id: someone.id, pw: PASSWORD, ...pc })
  expect((await as(someone).session.search({})).sessions).toHaveLength(100)
  expect((await signInsOf(someone.idx)).filter(({ logoutType }) => logoutType === 0)).toHaveLength(3)
})

test('sessions and event streams of an account end after its last day', async () => {
  const ending = await person({ isMortal: 1, expireDT: today(clock) })
  const staying = await person()
  const [cookie, other] = [
    (await signInWith(ending.id, PASSWORD)).cookie,
    (await signInWith(staying.id, PASSWORD)).cookie,
  ]
  const { tmpToken } = await as(ending).session.createTmpToken({})
  await endSilentSessions(app)
  expect((await sessionOf(cookie)).errorCode).toBe(0)
  const stream = await fetch(`${baseUrl}/Events`, { headers: { cookie } })
  await db.write.updateTable('users').set({ expireDT: '2020-01-01' }).where('idx', '=', ending.idx).execute()
  await endSilentSessions(app)
  expect((await sessionOf(cookie)).errorCode).toBe(962)
  expect(await stream.text()).toContain('"session"')
  await expect(anonymous.session.consumeTmpToken({ tmpToken })).rejects.toMatchObject({ code: 960 })
  expect((await sessionOf(other)).errorCode).toBe(0)
  expect(await signInsOf(ending.idx)).toMatchObject([{ logoutDT: clock.now() }, { logoutDT: clock.now() }])
})

test('people who move below the DMS root lose sessions that they could not open there', async () => {
  const { buyers, helpers } = await buildGroups(db, 'trade/buyers', 'trade/helpers')
  const { trade } = await buildGroups(db, 'trade')
  const [moved, stays, edited] = [await person(), await person(), await person({ group: helpers })]
  const cookieOf = async (user: { id: string }) => (await signInWith(user.id, PASSWORD)).cookie
  const [movedCookie, staysCookie, editedCookie] = [
    await cookieOf(moved),
    await cookieOf(stays),
    await cookieOf(edited),
  ]
  const pc = await openDesktopClient(testApp, moved)
  const { tmpToken } = await pc.agent.tmpToken({})
  const portal = await consume(tmpToken)
  await as(admin).groups.setIsDmsParent({ idx: trade.idx })
  expect((await sessionOf(editedCookie)).errorCode).toBe(962)
  await as(admin).users.move({ idxes: [moved.idx], groupIdx: buyers.idx })
  expect((await sessionOf(movedCookie)).errorCode).toBe(962)
  expect((await sessionOf(portal)).errorCode).toBe(0)
  expect(await pc.agent.heartbeat({})).toMatchObject({ signOut: 0 })
  expect((await sessionOf(staysCookie)).errorCode).toBe(0)
  await as(admin).users.update({ idx: stays.idx, groupIdx: buyers.idx })
  expect((await sessionOf(staysCookie)).errorCode).toBe(962)
})
