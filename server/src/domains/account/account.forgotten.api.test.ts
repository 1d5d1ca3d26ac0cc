// Forgotten passwords and IDs: the steps with and without a code, and what they reveal.
import { AccountAction, AccountResult } from '@acc/contract/labels/history'
import { beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser, type UserToBuild } from '../../../test/build/users.ts'
import { mailsTo, temporaryPasswordIn } from '../../../test/mails.ts'
import { mailedCodes, registered, SECRET, totpOf, wrongTotpOf } from '../../../test/otp.ts'
import { overtake } from '../../../test/overtake.ts'
import { hours, later, minutes } from '../../clock.ts'
import { hashPassword } from '../credentials/hashing.ts'

const { app, anonymous, clock } = await startTestApp({ ACC_MAX_LOGIN_FAILS: '3' })
const { db } = app
const PASSWORD = 'Qa9!zebra-Lm'
const NEW = 'Nb7#violet-Kp'

const person = (columns: UserToBuild = {}) => buildUser(db, { password: PASSWORD, ...columns })
const rowOf = (idx: number) => db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const historyOf = async (idx: number) => {
  const rows = await db.read
    .selectFrom('history')
    .select(['type', 'result'])
    .where('subjectIdx', '=', idx)
    .orderBy('idx')
    .execute()
  return rows.map(({ type, result }) => [type, result])
}
const codeOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call
    return 0
  } catch (error) {
    return (error as { code: number }).code
  }
}
const reset = (id: string, otp?: string) => codeOf(anonymous.account.resetPw({ id, otp }))
const find = (user: { name: string; email: string }, otp?: string) =>
  codeOf(anonymous.account.findId({ name: user.name, email: user.email, otp }))
const lastCode = async ({ email }: { email: string }) => (await mailedCodes(app, email)).at(-1) ?? ''

// Calls are limited by network, so every test begins an hour later.
beforeEach(() => clock.advance(hours(1)))

test('a temporary password is mailed, and the old one remains valid until its use', async () => {
  const user = await person()
  expect(await anonymous.account.resetPw({ id: user.id })).toEqual({ email: 'u***@example.com' })
  const temporary = temporaryPasswordIn((await mailsTo(app, user.email)).at(-1)?.text ?? '')
  await anonymous.session.login({ id: user.id, pw: PASSWORD })
  expect(await codeOf(anonymous.session.login({ id: user.id, pw: temporary }))).toBe(104)
  await anonymous.account.changePw({ id: user.id, pw: temporary, newPw: NEW })
  expect(await codeOf(anonymous.session.login({ id: user.id, pw: PASSWORD }))).toBe(100)
  expect(await codeOf(anonymous.session.login({ id: user.id, pw: temporary }))).toBe(100)
  await anonymous.session.login({ id: user.id, pw: NEW })
  const { FIND_PW, CHANGE_PW } = AccountAction
  expect(await historyOf(user.idx)).toEqual([
    [FIND_PW, AccountResult.SUCCESS],
    [CHANGE_PW, AccountResult.SUCCESS],
  ])
})

test('an unused temporary password is void after a day', async () => {
  const user = await person()
  await anonymous.account.resetPw({ id: user.id })
  const temporary = temporaryPasswordIn((await mailsTo(app, user.email)).at(-1)?.text ?? '')
  clock.advance(hours(24))
  expect(await codeOf(anonymous.session.login({ id: user.id, pw: temporary }))).toBe(100)
  await anonymous.session.login({ id: user.id, pw: PASSWORD })
})

test('an unknown ID and a name that does not match the address fail with 100', async () => {
  const user = await person()
  expect(await reset('does.not.exist')).toBe(100)
  expect(await reset('does.not.exist', '123456')).toBe(100)
  expect(await find({ name: 'Somebody', email: user.email })).toBe(100)
  expect(await find({ name: user.name, email: 'someone@example.com' })).toBe(100)
  expect(await mailsTo(app, user.email)).toEqual([])
})

test('people who sign in with a mailed code need one here', async () => {
  const user = await person({ useOtp: 1 })
  expect(await reset(user.id)).toBe(105)
  expect(await reset(user.id)).toBe(114)
  const code = await lastCode(user)
  expect(await reset(user.id, code === '000000' ? '000001' : '000000')).toBe(106)
  expect((await rowOf(user.idx)).tmpPwHash).toBeNull()
  expect(await reset(user.id, code)).toBe(0)
  expect(await reset(user.id, code)).toBe(107)
  expect((await rowOf(user.idx)).tmpPwHash).not.toBeNull()
  const { FIND_PW } = AccountAction
  expect(await historyOf(user.idx)).toEqual([
    [FIND_PW, AccountResult.OTP_FAILED],
    [FIND_PW, AccountResult.SUCCESS],
  ])
})

test('an account that needs a code since it was looked up gets no temporary password', async () => {
  const user = await person()
  const tried = await overtake(db, {
    lock: (tx) => tx.updateTable('users').set({ useOtp: 1 }).where('idx', '=', user.idx).execute(),
    call: () => anonymous.account.resetPw({ id: user.id }),
  })
  expect(tried).toMatchObject({ code: 107 })
  expect((await rowOf(user.idx)).tmpPwHash).toBeNull()
  expect(await mailsTo(app, user.email)).toEqual([])
  expect(await historyOf(user.idx)).toEqual([])
})

test('people with an authenticator need its code, and too many wrong codes suspend the account', async () => {
  const user = await person()
  await registered(app, user)
  expect(await reset(user.id)).toBe(112)
  const wrong = await wrongTotpOf(SECRET, clock)
  expect([await reset(user.id, wrong), await reset(user.id, wrong), await reset(user.id, wrong)]).toEqual([
    106, 106, 109,
  ])
  expect(await reset(user.id, await totpOf(SECRET, clock))).toBe(109)
  expect(await rowOf(user.idx)).toMatchObject({ state: 2, otpFails: 3, tmpPwHash: null })
  const { FIND_PW } = AccountAction
  const { OTP_FAILED, OTP_DISABLED } = AccountResult
  const results = [OTP_FAILED, OTP_FAILED, OTP_DISABLED, OTP_DISABLED].map((result) => [FIND_PW, result])
  expect(await historyOf(user.idx)).toEqual(results)
})

test.each<[string, UserToBuild, number]>([
  ['suspended', { state: 2 }, 102],
  ['expired', { isMortal: 1, expireDT: '2020-01-01' }, 103],
  ['for single sign-on only', { loginType: 2 }, 180],
  ['locked by wrong passwords', { loginFails: 5, state: 2 }, 101],
])('an account that is %s shows it only to people with a code and, by mail, to its owner', async (_, columns, code) => {
  const user = await person(columns)
  expect(await reset(user.id)).toBe(0)
  const mails = await mailsTo(app, user.email)
  expect(mails).toMatchObject([{ subject: expect.stringContaining('No temporary password was issued') }])
  expect((await rowOf(user.idx)).tmpPwHash).toBeNull()
  const withCode = await person({ ...columns, useOtp: 1 })
  expect(await reset(withCode.id)).toBe(105)
  expect(await reset(withCode.id, await lastCode(withCode))).toBe(code)
  expect((await rowOf(withCode.idx)).tmpPwHash).toBeNull()
  // The ID of an account with single sign-on is no secret.
  expect(await find(withCode)).toBe(105)
  expect(await find(withCode, await lastCode(withCode))).toBe(code === 180 ? 0 : code)
})

test('an account without an address gets no mail', async () => {
  const user = await person({ email: '' })
  expect(await reset(user.id)).toBe(116)
  await db.write.updateTable('users').set({ email: 'filled@example.com' }).where('idx', '=', user.idx).execute()
})

test.each([
  ['Emma Fischer', 'emma  FISCHER'],
  ['ÉMILE  Zola', 'e\u0301mile zola'],
  ['김 하늘', '김\u3000하늘'],
])('the name %s is found as %s', async (name, typed) => {
  const user = await person({ name })
  expect(await find({ name: typed, email: user.email })).toBe(105)
  expect(await find({ name: `${typed}x`, email: user.email })).toBe(100)
})

test('an ID is returned with a code of its account', async () => {
  const user = await person()
  expect(await find(user)).toBe(105)
  const code = await lastCode(user)
  const answer = await anonymous.account.findId({ name: user.name, email: user.email.toUpperCase(), otp: code })
  expect(answer).toEqual({ id: user.id })
  expect(await find(user, code)).toBe(107)
  const owner = await person()
  await registered(app, owner)
  expect(await find(owner)).toBe(112)
  expect(await find(owner, await wrongTotpOf(SECRET, clock))).toBe(106)
  expect(await find(owner, await totpOf(SECRET, clock))).toBe(0)
  const { FIND_ID } = AccountAction
  expect(await historyOf(user.idx)).toEqual([[FIND_ID, AccountResult.SUCCESS]])
  expect(await historyOf(owner.idx)).toEqual([
    [FIND_ID, AccountResult.OTP_FAILED],
    [FIND_ID, AccountResult.SUCCESS],
  ])
  const suspended = await person({ state: 2 })
  expect(await find(suspended)).toBe(105)
  expect(await find(suspended, await lastCode(suspended))).toBe(102)
})

test('a change of password needs the code of a registered authenticator, also with a temporary password', async () => {
  const user = await person()
  await registered(app, user)
  const change = (pw: string, newPw: string, otp?: string) =>
    codeOf(anonymous.account.changePw({ id: user.id, pw, newPw, otp }))
  expect(await change(PASSWORD, NEW)).toBe(112)
  expect(await change(PASSWORD, NEW, await wrongTotpOf(SECRET, clock))).toBe(106)
  expect(await change(PASSWORD, NEW, await totpOf(SECRET, clock))).toBe(0)
  const temporary = 'Tm8?silver-Qx'
  const columns = {
    tmpPwHash: await hashPassword(temporary),
    tmpPwExpireDT: new Date(clock.now().getTime() + hours(1)),
  }
  await db.write.updateTable('users').set(columns).where('idx', '=', user.idx).execute()
  clock.advance(minutes(1))
  const another = 'Wq5?marble-Dj'
  expect(await change(temporary, another)).toBe(112)
  expect(await change(temporary, another, await totpOf(SECRET, clock))).toBe(0)
  const { CHANGE_PW } = AccountAction
  expect(await historyOf(user.idx)).toEqual([
    [CHANGE_PW, AccountResult.OTP_FAILED],
    [CHANGE_PW, AccountResult.SUCCESS],
    [CHANGE_PW, AccountResult.SUCCESS],
  ])
})

test('a change of password returns a key if one is required, and its code registers it', async () => {
  const user = await person({ useOtp: 1 })
  const answer = await anonymous.account.changePw({ id: user.id, pw: PASSWORD, newPw: NEW })
  expect(answer).toEqual({ otpSecret: expect.any(String), qrCodeBase64: expect.any(String) })
  const otp = await totpOf(answer.otpSecret ?? '', clock)
  await anonymous.account.registerOtp({ id: user.id, pw: NEW, otp })
  expect(await codeOf(anonymous.session.login({ id: user.id, pw: NEW }))).toBe(112)
  expect((await historyOf(user.idx)).at(-1)).toEqual([AccountAction.REGISTER_OTP, AccountResult.SUCCESS])
  const without = await person()
  expect(await anonymous.account.changePw({ id: without.id, pw: PASSWORD, newPw: NEW })).toEqual({})
})

test('many requests send a limited number of mails, and all callers wait equally long', async () => {
  const known = await person()
  const counter = { key: 'forgotten:address:127.0.0.1', count: 50, windowEndDT: later(clock.now(), hours(1)) }
  const full = { count: counter.count, windowEndDT: counter.windowEndDT }
  await db.write
    .insertInto('throttles')
    .values(counter)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(full))
    .execute()
  const codes = await Promise.all(Array.from({ length: 12 }, () => reset(known.id)))
  expect(codes.filter((code) => code !== 113)).toHaveLength(5)
  expect(await mailsTo(app, known.email)).toHaveLength(5)
  expect([await reset(known.id), await reset('does.not.exist'), await find(known)]).toEqual([113, 113, 113])
  const [{ count } = { count: 0 }] = await db.read
    .selectFrom('throttles')
    .select('count')
    .where('key', '=', counter.key)
    .execute()
  expect(count).toBe(60)
  clock.advance(hours(1))
  expect(await reset('does.not.exist')).toBe(100)
})

test('codes by mail are limited by the hour over all callers', async () => {
  const user = await person()
  let mailed = 0
  for (let asked = 0; asked < 40; asked++) {
    if ((await find(user)) === 105) mailed++
    clock.advance(minutes(1.1))
  }
  expect(mailed).toBe(10)
  expect(await mailedCodes(app, user.email)).toHaveLength(10)
})
