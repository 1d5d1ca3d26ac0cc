// Signing in and out, sessions and temporary tokens: answers, and what they leave in the database.
import { SignInType } from '@acc/contract/enums'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { minutes, today } from '../../clock.ts'
import { AT_ONCE, hashPassword, inTurn, MAX_WAITING } from '../credentials/hashing.ts'
import { endSilentSessions } from './session.service.ts'

const { app, anonymous, as, clock, admin, baseUrl } = await startTestApp({ ACC_MAX_LOGIN_FAILS: '3' })
const { db } = app

const PASSWORD = 'Qa9!zebra-Lm'
let made = 0
/** A person with a password of their own. */
async function person(fields: Record<string, unknown> = {}) {
  const id = `person${++made}`
  const row = {
    id,
    name: `Person ${made}`,
    email: `${id}@example.com`,
    groupIdx: 1,
    key: id,
    pwHash: await hashPassword(PASSWORD),
    ...fields,
  }
  return db.write.insertInto('users').values(row).returning(['idx', 'id']).executeTakeFirstOrThrow()
}
const signInsOf = (userIdx: number) =>
  db.read
    .selectFrom('signIns')
    .select(['type', 'logoutType', 'logoutDT'])
    .where('userIdx', '=', userIdx)
    .orderBy('idx')
    .execute()
const userRow = (idx: number) =>
  db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()

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
const sessionOf = async (cookie: string) => (await fetch(`${baseUrl}/Account/Session`, { headers: { cookie } })).json()

test('signing in opens a session whose token is kept as a hash only', async () => {
  const { cookie, header } = await signInWith(admin.id, ADMIN_PASSWORD)
  expect(header).toMatch(/HttpOnly/i)
  expect(header).toMatch(/SameSite=Lax/i)
  expect(await sessionOf(cookie)).toMatchObject({
    errorCode: 0,
    data: { id: admin.id, role: 0, pageAuth: { policy: 2, log: 1 } },
  })
  const stored = await db.read.selectFrom('sessions').select('tokenHash').where('userIdx', '=', admin.idx).execute()
  expect(stored.some(({ tokenHash }) => tokenHash.toString('base64url') === cookie.slice('acc='.length))).toBe(false)
})

test('whoever has an account that ends signs in until its last day, and is told the day', async () => {
  const last = today(clock)
  const someone = await person({ isMortal: 1, expireDT: last })
  const { cookie } = await signInWith(someone.id, PASSWORD)
  expect(await sessionOf(cookie)).toMatchObject({ errorCode: 0, data: { expireDT: last } })
})

test('an ID in other letters is the same account', async () => {
  const someone = await person()
  await signInWith(someone.id.toUpperCase(), PASSWORD)
  expect(await signInsOf(someone.idx)).toEqual([{ type: SignInType.LOGIN, logoutType: null, logoutDT: null }])
})

test('a wrong password and an unknown ID answer alike, try after try', async () => {
  const someone = await person()
  const codes = async (id: string) => {
    const seen: unknown[] = []
    for (let i = 0; i < 5; i++)
      await anonymous.session.login({ id, pw: 'wrong' }).catch((error) => seen.push(error.code))
    return seen
  }
  const known = await codes(someone.id)
  expect(known).toEqual([100, 100, 101, 101, 101])
  expect(await codes('nobody-here')).toEqual(known)
  expect((await userRow(someone.idx)).state).toBe(2)
  expect((await signInsOf(someone.idx)).map(({ type }) => type)).toEqual([
    SignInType.PW_FAILED,
    SignInType.PW_FAILED,
    SignInType.PW_DISABLED,
    SignInType.PW_DISABLED,
    SignInType.PW_DISABLED,
  ])
  const unknown = await db.read
    .selectFrom('signIns')
    .select(['type', 'userIdx', 'groupIdx', 'ip'])
    .where('userId', '=', 'nobody-here')
    .orderBy('idx')
    .execute()
  expect(unknown.map(({ type }) => type)).toEqual((await signInsOf(someone.idx)).map(({ type }) => type))
  expect(unknown[0]).toMatchObject({ userIdx: null, groupIdx: null, ip: '127.0.0.1' })
})

test('a suspended account does not show by the codes of wrong passwords', async () => {
  const someone = await person({ state: 2 })
  const codes: unknown[] = []
  for (let i = 0; i < 4; i++)
    await anonymous.session.login({ id: someone.id, pw: 'wrong' }).catch((error) => codes.push(error.code))
  expect(codes).toEqual([100, 100, 101, 101])
})

test('an account with more failures than are allowed by now is disabled at the next try', async () => {
  const someone = await person({ loginFails: 4 })
  await expect(anonymous.session.login({ id: someone.id, pw: PASSWORD })).rejects.toMatchObject({ code: 101 })
  expect(await userRow(someone.idx)).toMatchObject({ state: 2, loginFails: 4 })
  await as(admin).users.setDisabled({ idx: someone.idx, state: 0 })
  await signInWith(someone.id, PASSWORD)
})

test('whoever is told that too many passwords wait has lost no try', async () => {
  const someone = await person()
  const full = Promise.withResolvers<void>()
  const turns = Array.from({ length: MAX_WAITING + AT_ONCE }, () => inTurn(() => full.promise))
  const busy = anonymous.session.login({ id: someone.id, pw: 'wrong' })
  await expect(busy).rejects.toMatchObject({ type: 'network', code: 503 })
  full.resolve()
  await Promise.all(turns)
  expect(await userRow(someone.idx)).toMatchObject({ loginFails: 0, state: 0 })
  await signInWith(someone.id, PASSWORD)
})

test('many guesses at once are judged no more often than one after another', async () => {
  const someone = await person()
  const guesses = Array.from({ length: 20 }, (_, i) =>
    anonymous.session.login({ id: someone.id, pw: i === 19 ? PASSWORD : `guess-${i}` }),
  )
  const results = await Promise.allSettled(guesses)
  expect(results.at(-1)?.status).toBe('rejected')
  expect((await userRow(someone.idx)).loginFails).toBe(3)
})

test('a success forgets the failures before it', async () => {
  const someone = await person()
  await expect(anonymous.session.login({ id: someone.id, pw: 'wrong' })).rejects.toMatchObject({ code: 100 })
  await signInWith(someone.id, PASSWORD)
  expect((await userRow(someone.idx)).loginFails).toBe(0)
})

test('an administrator is kept waiting by wrong passwords, never disabled', async () => {
  const boss = await person({ isAdmin: 1 })
  const codes: unknown[] = []
  for (let i = 0; i < 5; i++)
    await anonymous.session.login({ id: boss.id, pw: 'wrong' }).catch((error) => codes.push(error.code))
  expect(codes).toEqual([100, 100, 100, 113, 113])
  expect((await userRow(boss.idx)).state).toBe(0)
  clock.advance(minutes(6))
  await signInWith(boss.id, PASSWORD)
})

test.each([
  ['a suspended account', { state: 2 }, 102],
  ['an expired account', { isMortal: 1, expireDT: '2020-01-01' }, 103],
  ['a new account', { state: 1 }, 104],
  ['an account of single sign-on only', { loginType: 2 }, 180],
])('%s does not sign in, and says why only with the right password', async (_, fields, code) => {
  const someone = await person(fields)
  await expect(anonymous.session.login({ id: someone.id, pw: 'wrong' })).rejects.toMatchObject({ code: 100 })
  await expect(anonymous.session.login({ id: someone.id, pw: PASSWORD })).rejects.toMatchObject({ code })
  expect((await signInsOf(someone.idx)).map(({ type }) => type)).toEqual([SignInType.PW_FAILED, SignInType.REFUSED])
  const open = await db.read.selectFrom('sessions').select('idx').where('userIdx', '=', someone.idx).execute()
  expect(open).toEqual([])
})

test('supplier staff sign in from the client only', async () => {
  const group = (idx: number, parentIdx: number, path: number[], isDmsParent: 0 | 1) =>
    ({ idx, parentIdx, path, isDmsParent, name: `g${idx}`, key: `g${idx}`, position: 0 }) as const
  await db.write
    .insertInto('groups')
    .values([group(900, 1, [1, 900], 1), group(901, 900, [1, 900, 901], 0)])
    .execute()
  const partner = await person({ groupIdx: 901 })
  await expect(anonymous.session.login({ id: partner.id, pw: PASSWORD })).rejects.toMatchObject({ code: 181 })
  const fromBrowser = await as(partner).session.createTmpToken({})
  await expect(anonymous.session.consumeTmpToken(fromBrowser)).rejects.toMatchObject({ code: 181 })
  const employee = await person({ groupIdx: 900 })
  await signInWith(employee.id, PASSWORD)
})

test('supplier staff with a temporary password are sent to change it, and only then to the client', async () => {
  const { suppliers } = await buildGroups(db, 'makers/suppliers')
  const { makers } = await buildGroups(db, 'makers')
  await as(admin).groups.setIsDmsParent({ idx: makers.idx })
  const partner = await person({ groupIdx: suppliers.idx, state: 1 })
  await expect(anonymous.session.login({ id: partner.id, pw: PASSWORD })).rejects.toMatchObject({ code: 104 })
  await anonymous.account.changePw({ id: partner.id, pw: PASSWORD, newPw: 'Nb7#violet-Kp' })
  const signedIn = anonymous.session.login({ id: partner.id, pw: 'Nb7#violet-Kp' })
  await expect(signedIn).rejects.toMatchObject({ code: 181 })
  const expired = await person({ groupIdx: suppliers.idx, state: 1, isMortal: 1, expireDT: '2020-01-01' })
  await expect(anonymous.session.login({ id: expired.id, pw: PASSWORD })).rejects.toMatchObject({ code: 103 })
  const open = await db.read.selectFrom('sessions').select('idx').where('userIdx', '=', partner.idx).execute()
  expect(open).toEqual([])
})

test('an account that ends or is suspended meanwhile is out, with its session and with its token', async () => {
  const ending = await person({ isMortal: 1, expireDT: today(clock) })
  const { cookie } = await signInWith(ending.id, PASSWORD)
  await db.write.updateTable('users').set({ expireDT: '2020-01-01' }).where('idx', '=', ending.idx).execute()
  expect((await sessionOf(cookie)).errorCode).toBe(103)
  const suspended = await person()
  const token = await as(suspended).session.createTmpToken({})
  await db.write.updateTable('users').set({ state: 2 }).where('idx', '=', suspended.idx).execute()
  await expect(anonymous.session.consumeTmpToken(token)).rejects.toMatchObject({ code: 102 })
})

test('a session slides while it is used, not while it only asks who it is, and ends for lack of use', async () => {
  const someone = await person()
  const { cookie } = await signInWith(someone.id, PASSWORD)
  clock.advance(minutes(20))
  expect((await sessionOf(cookie)).errorCode).toBe(0)
  clock.advance(minutes(11))
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

test('a session that is used all the time ends after a day', async () => {
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

test('signing in again in a browser ends the session that it had, whoever signs in', async () => {
  const [one, other] = [await person(), await person()]
  const first = (await signInWith(one.id, PASSWORD)).cookie
  await expect(anonymous.session.login({ id: one.id, pw: 'wrong' })).rejects.toMatchObject({ code: 100 })
  expect((await sessionOf(first)).errorCode).toBe(0)
  const second = (await signInWith(other.id, PASSWORD, first)).cookie
  expect((await sessionOf(first)).errorCode).toBe(960)
  expect((await signInsOf(one.idx))[0]).toMatchObject({ logoutType: 0, logoutDT: clock.now() })
  const { tmpToken } = await as(one).session.createTmpToken({})
  await fetch(`${baseUrl}/Account/ConsumeTmpToken`, {
    method: 'POST',
    headers: { cookie: second, 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json' },
    body: JSON.stringify({ tmpToken }),
  })
  expect((await sessionOf(second)).errorCode).toBe(960)
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

test('a temporary token opens one session, once, within a minute', async () => {
  const someone = await person()
  const { tmpToken } = await as(someone).session.createTmpToken({})
  const tries = await Promise.allSettled(
    Array.from({ length: 10 }, () => anonymous.session.consumeTmpToken({ tmpToken })),
  )
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const inTime = await as(someone).session.createTmpToken({})
  clock.advance(59_000)
  await anonymous.session.consumeTmpToken(inTime)
  const late = await as(someone).session.createTmpToken({})
  clock.advance(61_000)
  await expect(anonymous.session.consumeTmpToken(late)).rejects.toMatchObject({ code: 960 })
})

test('a temporary token is void once the session that made it is signed out', async () => {
  const someone = await person()
  const made = await as(someone).session.createTmpToken({})
  const elsewhere = as(someone)
  const other = await elsewhere.session.createTmpToken({})
  const { sessions } = await elsewhere.session.list({})
  const first = sessions.find(({ isCurrent }) => isCurrent === 0)
  await elsewhere.session.end({ idx: first?.idx ?? 0 })
  await expect(anonymous.session.consumeTmpToken(made)).rejects.toMatchObject({ code: 960 })
  await anonymous.session.consumeTmpToken(other)
})

test('a temporary token is void once its owner is signed out of everything or has to change the password', async () => {
  const someone = await person()
  const before = await as(someone).session.createTmpToken({})
  await as(admin).users.resetPw({ idx: someone.idx })
  await expect(anonymous.session.consumeTmpToken(before)).rejects.toMatchObject({ code: 960 })
  const during = await as(someone).session.createTmpToken({})
  await expect(anonymous.session.consumeTmpToken(during)).rejects.toMatchObject({ code: 104 })
})

test.each([
  ['suspended', { state: 2 }, 102],
  ['given another password', { pwHash: 'another' }, 100],
])('whoever is %s while the password is proven does not come in', async (_, change, code) => {
  const someone = await person()
  const isWaiting = async () => {
    const { rows } = await sql`select 1 from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db.write)
    return rows.length > 0
  }
  // The row is held until the sign-in, which knows the account as it was, waits for it.
  const waiting = await db.write.transaction().execute(async (tx) => {
    await tx.updateTable('users').set(change).where('idx', '=', someone.idx).execute()
    const tried = anonymous.session.login({ id: someone.id, pw: PASSWORD }).catch((error: unknown) => error)
    await expect.poll(isWaiting).toBe(true)
    return { tried }
  })
  expect(await waiting.tried).toMatchObject({ code })
  const open = await db.read.selectFrom('sessions').select('idx').where('userIdx', '=', someone.idx).execute()
  expect(open).toEqual([])
})

test("people see and end their own sessions, nobody else's", async () => {
  const [one, other] = [await person(), await person()]
  const { cookie } = await signInWith(one.id, PASSWORD)
  const { sessions } = await as(one).session.list({})
  expect(sessions).toHaveLength(2)
  const first = sessions.find(({ isCurrent }) => isCurrent === 0)
  await expect(as(other).session.end({ idx: first?.idx ?? 0 })).rejects.toMatchObject({ code: 980 })
  await as(one).session.end({ idx: first?.idx ?? 0 })
  expect((await sessionOf(cookie)).errorCode).toBe(960)
})

test('people end all of their sessions but the one that asks', async () => {
  const [one, other] = [await person(), await person()]
  const cookies = [(await signInWith(one.id, PASSWORD)).cookie, (await signInWith(one.id, PASSWORD)).cookie]
  const foreign = (await signInWith(other.id, PASSWORD)).cookie
  const here = as(one)
  await here.session.endOthers({})
  for (const cookie of cookies) expect((await sessionOf(cookie)).errorCode).toBe(960)
  expect((await sessionOf(foreign)).errorCode).toBe(0)
  expect((await here.session.list({})).sessions).toMatchObject([{ isCurrent: 1 }])
  expect((await signInsOf(one.idx)).map(({ logoutType }) => logoutType)).toEqual([0, 0, null])
})

test('an account that wrong passwords disabled is over in the sessions that were open, too', async () => {
  const someone = await person()
  const { cookie } = await signInWith(someone.id, PASSWORD)
  for (let i = 0; i < 3; i++) await anonymous.session.login({ id: someone.id, pw: 'wrong' }).catch(() => undefined)
  expect((await sessionOf(cookie)).errorCode).toBe(102)
})

test('an address that fails again and again has to wait, whatever the IDs', async () => {
  clock.advance(minutes(10))
  const codes: unknown[] = []
  for (let i = 0; i < 51; i++)
    await anonymous.session.login({ id: `guess${i}`, pw: 'wrong' }).catch((error) => codes.push(error.code))
  expect(codes.slice(0, 50)).not.toContain(113)
  expect(codes.at(-1)).toBe(113)
  clock.advance(minutes(6))
  await signInWith(admin.id, ADMIN_PASSWORD)
})

test('many guesses at once from one address, each at another ID, are no way past its limit', async () => {
  clock.advance(minutes(6))
  const guesses = Array.from({ length: 80 }, (_, i) => anonymous.session.login({ id: `burst${i}`, pw: 'wrong' }))
  const codes = (await Promise.allSettled(guesses)).map((one) => one.status === 'rejected' && one.reason.code)
  // Those that are judged beside the last one may pass it.
  expect(codes.filter((code) => code === 100).length).toBeLessThan(50 + AT_ONCE)
  expect(codes.filter((code) => code === 113).length).toBeGreaterThan(30 - AT_ONCE)
})
