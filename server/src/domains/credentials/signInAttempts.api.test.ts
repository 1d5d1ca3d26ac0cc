// Password attempts: what guesses reveal, how often they are verified, and which users they lock out.
import { type Api, api } from '@acc/contract'
import { type Client, createClient } from '@acc/contract/core/client'
import { SignInType } from '@acc/contract/labels/history'
import { beforeEach, expect, test } from 'vitest'
import { ADMIN_PASSWORD, startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { overtake } from '../../../test/overtake.ts'
import { days, hours, later, minutes } from '../../clock.ts'
import { endSilentSessions } from '../session/session.service.ts'
import { AT_ONCE } from './hashing.ts'

const { app, as, admin, baseUrl, clock } = await startTestApp({
  ACC_MAX_LOGIN_FAILS: '3',
  ACC_TRUST_PROXY: '127.0.0.1',
})
const { db } = app

const PASSWORD = 'Qa9!zebra-Lm'
const NEW_PASSWORD = 'Nb7#violet-Kp'

/** Returns calls from an address. */
const at = (ip: string): Client<Api> => createClient(api, { baseUrl, headers: () => ({ 'X-Forwarded-For': ip }) })
let network = 0
/** Returns calls from a network that was not used before. */
const elsewhere = () => at(`10.${++network >> 8}.${network & 255}.1`)

/** Returns the code of an attempt; 0 for a success. */
async function attempt(calls: Client<Api>, id: string, pw = 'wrong'): Promise<number> {
  try {
    await calls.session.login({ id, pw })
    return 0
  } catch (error) {
    return (error as { code: number }).code
  }
}
async function attempts(calls: Client<Api>, id: string, count: number): Promise<number[]> {
  const codes = []
  for (let i = 0; i < count; i++) codes.push(await attempt(calls, id))
  return codes
}
const person = (columns: Parameters<typeof buildUser>[1] = {}) => buildUser(db, { password: PASSWORD, ...columns })
const rowOf = (idx: number) => db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const typesOf = async (id: string) => {
  const rows = await db.read.selectFrom('signIns').select('type').where('userId', '=', id).orderBy('idx').execute()
  return rows.map(({ type }) => type)
}

let anonymous = elsewhere()
beforeEach(() => {
  anonymous = elsewhere()
})

test('every attempt gets the same answer for a wrong password, an unknown ID and an administrator', async () => {
  const [user, boss] = [await person(), await person({ isAdmin: 1 })]
  const known = await attempts(anonymous, user.id, 5)
  expect(known).toEqual([100, 100, 101, 101, 101])
  expect(await attempts(anonymous, 'does.not.exist', 5)).toEqual(known)
  expect(await attempts(anonymous, boss.id, 5)).toEqual(known)
  expect((await rowOf(user.idx)).state).toBe(2)
  const { PW_FAILED, PW_DISABLED } = SignInType
  const types = [PW_FAILED, PW_FAILED, PW_DISABLED, PW_DISABLED, PW_DISABLED]
  for (const id of [user.id, 'doe***', boss.id]) expect(await typesOf(id)).toEqual(types)
  const unknown = await db.read
    .selectFrom('signIns')
    .select(['userIdx', 'groupIdx'])
    .where('userId', '=', 'doe***')
    .executeTakeFirst()
  expect(unknown).toEqual({ userIdx: null, groupIdx: null })
})

test.each([hours(25), days(360)])('%i ms later they still get the same answer', async (pause) => {
  const [user, boss] = [await person(), await person({ isAdmin: 1 })]
  const ids = [user.id, `unknown.${pause}`, boss.id]
  for (const id of ids) await attempts(anonymous, id, 2)
  clock.advance(pause)
  for (const id of ids) expect(await attempts(elsewhere(), id, 2)).toEqual([101, 101])
})

test('a typed unknown ID, which may be a password, is stored nowhere', async () => {
  const typed = 'Secret-Typed-Password'
  await attempts(anonymous, typed, 3)
  expect((await typesOf('Sec***')).length).toBe(3)
  const dump = async (table: 'signIns' | 'throttles') =>
    JSON.stringify(await db.read.selectFrom(table).selectAll().execute())
  expect((await dump('signIns')) + (await dump('throttles'))).not.toMatch(/secret-typed/i)
  clock.advance(days(366))
  await endSilentSessions(app)
  expect(await attempt(elsewhere(), typed)).toBe(100)
})

test('wrong passwords do not reveal that an account is suspended', async () => {
  const user = await person({ state: 2 })
  expect(await attempts(anonymous, user.id, 4)).toEqual([100, 100, 101, 101])
  expect(await attempt(elsewhere(), user.id, PASSWORD)).toBe(101)
})

test('wrong passwords do not become the reason of a suspension, and are forgotten when it ends', async () => {
  const user = await person()
  await as(admin).users.setDisabled({ idx: user.idx, state: 2 })
  await attempts(anonymous, user.id, 4)
  const { state, description } = await as(admin).users.find({ idx: user.idx })
  expect({ state, description }).toMatchObject({ state: 2, description: { managed: 1, loginFailsExceeded: 0 } })
  await as(admin).users.setDisabled({ idx: user.idx, state: 0 })
  expect(await attempt(elsewhere(), user.id, PASSWORD)).toBe(0)
})

test('after the limit was lowered, an account above it is locked at the next attempt', async () => {
  const user = await person({ loginFails: 4 })
  expect(await attempt(anonymous, user.id, PASSWORD)).toBe(101)
  expect(await rowOf(user.idx)).toMatchObject({ state: 2, loginFails: 4 })
  await as(admin).users.setDisabled({ idx: user.idx, state: 0 })
  expect(await attempt(anonymous, user.id, PASSWORD)).toBe(0)
})

test('wrong passwords are counted over all calls that take one', async () => {
  const user = await person()
  const pc = { deviceId: 'guessing-pc', deviceName: 'PC', clientVersion: '1.0.0' }
  await expect(anonymous.agent.login({ id: user.id, pw: 'wrong', ...pc })).rejects.toMatchObject({ code: 100 })
  const change = anonymous.account.changePw({ id: user.id, pw: 'wrong', newPw: NEW_PASSWORD })
  await expect(change).rejects.toMatchObject({ code: 100 })
  const register = anonymous.account.registerOtp({ id: user.id, pw: 'wrong', otp: '123456' })
  await expect(register).rejects.toMatchObject({ code: 101 })
  const late = anonymous.account.changePw({ id: user.id, pw: PASSWORD, newPw: NEW_PASSWORD })
  await expect(late).rejects.toMatchObject({ code: 101 })
  expect(await attempts(anonymous, user.id, 1)).toEqual([101])
  expect(await attempt(anonymous, user.id, PASSWORD)).toBe(101)
})

test('a success resets the failures', async () => {
  const user = await person()
  expect(await attempt(anonymous, user.id)).toBe(100)
  expect(await attempt(anonymous, user.id, PASSWORD)).toBe(0)
  expect((await rowOf(user.idx)).loginFails).toBe(0)
})

test('failures make an administrator wait in their network, also with the correct password', async () => {
  const boss = await person({ isAdmin: 1 })
  expect(await attempts(anonymous, boss.id, 3)).toEqual([100, 100, 101])
  expect(await attempt(anonymous, boss.id, PASSWORD)).toBe(101)
  expect(await rowOf(boss.idx)).toMatchObject({ state: 0, loginFails: 0 })
  clock.advance(minutes(5))
  expect(await attempt(anonymous, boss.id, PASSWORD)).toBe(0)
})

test('simultaneous failures delay an administrator whose correct password is being verified', async () => {
  const boss = await person({ isAdmin: 1 })
  const overtaken = overtake(db, {
    lock: (tx) => tx.selectFrom('users').select('idx').where('idx', '=', boss.idx).forNoKeyUpdate().execute(),
    call: () => attempt(anonymous, boss.id, PASSWORD),
    change: async () => {
      expect(await attempts(anonymous, boss.id, 3)).toEqual([100, 100, 101])
    },
  })
  expect(await overtaken).toBe(101)
})

test('an administrator signs in from a known network while others guess', async () => {
  const boss = await person({ isAdmin: 1 })
  const office = elsewhere()
  expect(await attempt(office, boss.id, PASSWORD)).toBe(0)
  clock.advance(days(29))
  for (let i = 0; i < 8; i++) await attempt(elsewhere(), boss.id)
  expect(await attempt(elsewhere(), boss.id, PASSWORD)).toBe(101)
  expect(await attempt(office, boss.id, PASSWORD)).toBe(0)
  clock.advance(days(31))
  for (let i = 0; i < 8; i++) await attempt(elsewhere(), boss.id)
  expect(await attempt(office, boss.id, PASSWORD)).toBe(101)
})

test("guesses at an administrator's password from new networks double the delay each time", async () => {
  const boss = await person({ isAdmin: 1 })
  const guess = () => attempt(elsewhere(), boss.id)
  for (let i = 0; i < 3; i++) await guess()
  const checked = async () => {
    const row = await db.read.selectFrom('throttles').select('count').where('key', '=', `signIn:admin:${boss.id}`)
    return (await row.executeTakeFirstOrThrow()).count
  }
  for (const seconds of [1, 2, 4, 8, 16]) {
    const before = await checked()
    clock.advance(seconds * 1000 - 1)
    expect(await guess()).toBe(101)
    expect(await checked()).toBe(before)
    clock.advance(1)
    expect(await guess()).toBe(101)
    expect(await checked()).toBe(before + 1)
  }
  clock.advance(32_000)
  expect(await attempt(elsewhere(), boss.id, PASSWORD)).toBe(0)
  expect(await guess()).toBe(100)
})

test('the delay of an administrator is an hour at most', async () => {
  const boss = await person({ isAdmin: 1 })
  await attempt(elsewhere(), boss.id)
  await db.write.updateTable('throttles').set({ count: 30 }).where('key', '=', `signIn:admin:${boss.id}`).execute()
  clock.advance(hours(1) - 1)
  expect(await attempt(elsewhere(), boss.id, PASSWORD)).toBe(101)
  clock.advance(1)
  expect(await attempt(elsewhere(), boss.id, PASSWORD)).toBe(0)
})

/** Sets the failures of a network, as so many sign-ins would. */
function setFailures(ip: string, count: number) {
  const counter = { count, windowEndDT: later(clock.now(), minutes(5)) }
  return db.write
    .insertInto('throttles')
    .values({ key: `signIn:address:${ip}`, ...counter })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(counter))
    .execute()
}

test('a network with repeated failures has to wait, with any ID and any of its addresses', async () => {
  await setFailures('2001:db8:7:9::/64', 49)
  expect(await attempt(at('2001:db8:7:9::1'), 'guess1')).toBe(100)
  expect(await attempt(at('2001:db8:7:9::2'), 'guess2')).toBe(113)
  await expect(at('2001:db8:7:9:ffff::1').session.login({ id: admin.id, pw: ADMIN_PASSWORD })).rejects.toMatchObject({
    code: 113,
    data: { retryAfter: 300 },
  })
  expect(await attempt(at('2001:db8:7:a::1'), admin.id, ADMIN_PASSWORD)).toBe(0)
  clock.advance(minutes(5))
  expect(await attempt(at('2001:db8:7:9::1'), admin.id, ADMIN_PASSWORD)).toBe(0)
})

test('a network does not delay an ID that signed in from it, and nothing reveals that', async () => {
  const office = at('192.0.2.7')
  const exhaust = () => setFailures('192.0.2.7', 50)
  const [user, colleague, boss] = [await person(), await person(), await person({ isAdmin: 1 })]
  for (const { id } of [user, colleague, boss]) expect(await attempt(office, id, PASSWORD)).toBe(0)
  clock.advance(days(29))
  await exhaust()
  expect(await attempts(office, 'does.not.exist', 2)).toEqual([113, 113])
  expect(await attempts(office, colleague.id, 4)).toEqual([113, 113, 113, 113])
  for (const { id } of [user, boss]) expect(await attempt(office, id, PASSWORD)).toBe(0)
  expect(await rowOf(colleague.idx)).toMatchObject({ state: 2, loginFails: 3 })
  expect(await typesOf(colleague.id)).toHaveLength(4)
  clock.advance(days(31))
  await exhaust()
  expect(await attempt(office, boss.id, PASSWORD)).toBe(113)
})

test('a script that locks many people does not lock an administrator out', async () => {
  const boss = await person({ isAdmin: 1 })
  const people = await Promise.all(Array.from({ length: 20 }, () => buildUser(db, { loginFails: 2 })))
  const office = at('192.0.2.9')
  expect(await attempt(office, boss.id, PASSWORD)).toBe(0)
  await setFailures('192.0.2.9', 45)
  const script = people.map(async ({ id }, i) => attempt(i < 12 ? office : elsewhere(), id))
  await Promise.all(script)
  expect(await attempt(office, boss.id, PASSWORD)).toBe(0)
  expect(await attempt(elsewhere(), boss.id, PASSWORD)).toBe(0)
})

test('a success removes one failure of its network', async () => {
  const office = at('192.0.2.8')
  const user = await person()
  await setFailures('192.0.2.8', 49)
  for (let i = 0; i < 3; i++) {
    expect(await attempt(office, user.id, PASSWORD)).toBe(0)
    expect(await attempt(office, `mistyped${i}`)).toBe(100)
  }
})

test('the correct password of a person works 60 times a minute over all calls', async () => {
  const [user, other] = [await person(), await person()]
  const counter = { key: `signIn:right:${user.id}`, count: 56, windowEndDT: later(clock.now(), minutes(1)) }
  await db.write.insertInto('throttles').values(counter).execute()
  const pc = { deviceId: 'busy-pc', deviceName: 'PC', clientVersion: '1.0.0' }
  await anonymous.agent.login({ id: user.id, pw: PASSWORD, ...pc })
  const register = anonymous.account.registerOtp({ id: user.id, pw: PASSWORD, otp: '123456' })
  await expect(register).rejects.toMatchObject({ code: 110 })
  const codes = await Promise.all(Array.from({ length: 4 }, () => attempt(elsewhere(), user.id, PASSWORD)))
  expect(codes.toSorted()).toEqual([0, 0, 113, 113])
  await expect(elsewhere().session.login({ id: user.id.toUpperCase(), pw: PASSWORD })).rejects.toMatchObject({
    code: 113,
    data: { retryAfter: 60 },
  })
  const { LOGIN } = SignInType
  expect(await typesOf(user.id)).toEqual([LOGIN, LOGIN, LOGIN])
  expect(await attempt(anonymous, other.id, PASSWORD)).toBe(0)
  clock.advance(minutes(1))
  expect(await attempt(anonymous, user.id, PASSWORD)).toBe(0)
})

test('concurrent guesses at different IDs from one network cannot exceed its limit', async () => {
  const guesses = Array.from({ length: 80 }, (_, i) => attempt(anonymous, `burst${i}`))
  const codes = await Promise.all(guesses)
  // Attempts verified concurrently with the last allowed one may exceed the limit.
  expect(codes.filter((code) => code === 100).length).toBeLessThan(50 + AT_ONCE)
  expect(codes.filter((code) => code === 113).length).toBeGreaterThan(30 - AT_ONCE)
})

test('failures lock new sign-ins only, and a suspension ends open sessions', async () => {
  const user = await person()
  const browser = as(user)
  await browser.session.find({})
  const { tmpToken } = await browser.session.createTmpToken({})
  await attempts(anonymous, user.id, 3)
  expect(await rowOf(user.idx)).toMatchObject({ state: 2, loginFails: 3 })
  expect(await browser.session.find({})).toMatchObject({ id: user.id })
  expect(await attempt(elsewhere(), user.id, PASSWORD)).toBe(101)
  await expect(anonymous.session.consumeTmpToken({ tmpToken })).rejects.toMatchObject({ code: 101 })
  await as(admin).users.setDisabled({ idx: user.idx, state: 2 })
  await expect(browser.session.find({})).rejects.toMatchObject({ code: 962 })
  expect(await attempt(elsewhere(), user.id, PASSWORD)).toBe(102)
})

test('a manager releases people of their groups, and an administrator releases managers', async () => {
  const { sales } = await buildGroups(db, 'sales')
  const { idx } = await db.write
    .insertInto('authorities')
    .values({ name: 'helpers', policy: 0, user: 2, fileExportApprove: 0, fileImportApprove: 0, log: 0 })
    .returning('idx')
    .executeTakeFirstOrThrow()
  await db.write.insertInto('authorityGroups').values({ authorityIdx: idx, groupIdx: sales.idx }).execute()
  const [manager, other, user] = [
    await person({ group: sales }),
    await person({ group: sales }),
    await person({ group: sales }),
  ]
  await db.write
    .insertInto('authorityUsers')
    .values([manager, other].map((one) => ({ authorityIdx: idx, userIdx: one.idx })))
    .execute()
  for (const one of [manager, other, user]) await attempts(elsewhere(), one.id, 3)
  await as(manager).users.setDisabled({ idx: user.idx, state: 0 })
  expect(await attempt(elsewhere(), user.id, PASSWORD)).toBe(0)
  await expect(as(manager).users.setDisabled({ idx: other.idx, state: 0 })).rejects.toMatchObject({ code: 980 })
  await expect(as(manager).users.setDisabled({ idx: manager.idx, state: 0 })).rejects.toMatchObject({ code: 125 })
  await as(admin).users.setDisabled({ idx: other.idx, state: 0 })
  expect(await attempt(elsewhere(), other.id, PASSWORD)).toBe(0)
})
