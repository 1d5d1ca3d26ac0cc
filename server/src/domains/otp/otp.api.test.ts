// Signing in with a one-time password: registration, codes of authenticators and codes by mail.
import { AccountAction, AccountResult, SignInType } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser, type UserToBuild } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { mailsTo } from '../../../test/mails.ts'
import { registered, SECRET, totpOf, wrongTotpOf } from '../../../test/otp.ts'
import { overtake } from '../../../test/overtake.ts'

const { app, admin, anonymous, as, clock, baseUrl } = await startTestApp({ ACC_MAX_LOGIN_FAILS: '3' })
const { db } = app
const PASSWORD = 'Qa9!zebra-Lm'

const person = (columns: UserToBuild = {}) => buildUser(db, { password: PASSWORD, useOtp: 1, ...columns })
const rowOf = (idx: number) => db.read.selectFrom('users').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const typesOf = async (userIdx: number) => {
  const rows = await db.read
    .selectFrom('signIns')
    .select('type')
    .where('userIdx', '=', userIdx)
    .orderBy('idx')
    .execute()
  return rows.map(({ type }) => type)
}

async function login(id: string, otp?: string, pw = PASSWORD) {
  const response = await fetch(`${baseUrl}/Account/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ id, pw, otp }),
  })
  const { errorCode, data } = (await response.json()) as { errorCode: number; data: Record<string, string> }
  return {
    code: errorCode,
    data,
    cookie: response.headers.get('set-cookie'),
    caching: response.headers.get('cache-control'),
  }
}

test('an account without an authenticator gets a key, registers it and signs in with its codes', async () => {
  const someone = await person()
  const first = await login(someone.id)
  expect(first).toMatchObject({ code: 110, cookie: null, caching: 'no-store' })
  const { otpSecret = '', qrCodeBase64 = '' } = first.data
  expect(otpSecret).toMatch(/^[A-Z2-7]{32}$/)
  expect(Buffer.from(qrCodeBase64, 'base64').subarray(1, 4).toString()).toBe('PNG')
  const wrong = { id: someone.id, pw: PASSWORD, otp: await wrongTotpOf(otpSecret, clock) }
  await expect(anonymous.account.registerOtp(wrong)).rejects.toMatchObject({ code: 106 })
  const code = await totpOf(otpSecret, clock)
  await anonymous.account.registerOtp({ id: someone.id, pw: PASSWORD, otp: code })
  expect((await historyOf(db, 'account')).filter(({ subjectIdx }) => subjectIdx === someone.idx)).toMatchObject([
    { type: AccountAction.REGISTER_OTP, result: AccountResult.OTP_FAILED },
    { type: AccountAction.REGISTER_OTP, result: AccountResult.SUCCESS },
  ])
  expect(await rowOf(someone.idx)).toMatchObject({ otpPending: null, otpPendingExpireDT: null, otpFails: 0 })
  expect((await mailsTo(app, someone.email)).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('An authenticator app was registered'),
  ])
  await expect(anonymous.account.registerOtp({ id: someone.id, pw: PASSWORD, otp: code })).rejects.toMatchObject({
    code: 111,
  })
  expect((await login(someone.id)).code).toBe(112)
  // The code of the registration was used.
  expect((await login(someone.id, code)).code).toBe(107)
  clock.advance(30_000)
  const second = await login(someone.id, await totpOf(otpSecret, clock))
  expect(second).toMatchObject({ code: 0, cookie: expect.stringContaining('acc=') })
  expect(await typesOf(someone.idx)).toEqual([SignInType.REFUSED, SignInType.OTP_SUCCESS])
})

const SEALED = Buffer.from('sealed')
test.each<[string, { otpPending?: Buffer; otpSecret?: Buffer; state?: number }, number]>([
  ['another key', { otpPending: SEALED }, 107],
  ['another authenticator', { otpSecret: SEALED }, 111],
  ['a suspension', { state: 2 }, 102],
])('a key is not registered if %s happens after its code was checked', async (_, change, code) => {
  const someone = await person()
  const { otpSecret = '' } = (await login(someone.id)).data
  // The call waits here for the counter of its network, after its code was checked.
  await login(someone.id, undefined, 'wrong')
  const overtaken = overtake(db, {
    lock: (tx) =>
      tx.selectFrom('throttles').select('key').where('key', 'like', 'signIn:address:%').forUpdate().execute(),
    call: async () =>
      anonymous.account.registerOtp({ id: someone.id, pw: PASSWORD, otp: await totpOf(otpSecret, clock) }),
    change: (tx) => tx.updateTable('users').set(change).where('idx', '=', someone.idx).execute(),
  })
  expect(await overtaken).toMatchObject({ code })
  expect((await rowOf(someone.idx)).otpSecret).toEqual(change.otpSecret ?? null)
})

test('wrong codes are counted and suspend the account, while its password remains correct', async () => {
  const someone = await person()
  await registered(app, someone)
  const wrong = await wrongTotpOf(SECRET, clock)
  const codes: number[] = []
  for (let tried = 0; tried < 4; tried++) codes.push((await login(someone.id, wrong)).code)
  expect(codes).toEqual([106, 106, 109, 109])
  expect((await login(someone.id, await totpOf(SECRET, clock))).code).toBe(109)
  expect((await login(someone.id, undefined)).code).toBe(109)
  expect(await rowOf(someone.idx)).toMatchObject({ otpFails: 3, loginFails: 0, state: 2 })
  const { OTP_FAILED, OTP_DISABLED } = SignInType
  const { REFUSED } = SignInType
  expect(await typesOf(someone.idx)).toEqual([OTP_FAILED, OTP_FAILED, OTP_DISABLED, REFUSED, REFUSED, REFUSED])
})

test('a correct code resets wrong ones, and codes of neighboring steps are correct', async () => {
  const someone = await person()
  await registered(app, someone)
  expect((await login(someone.id, await wrongTotpOf(SECRET, clock))).code).toBe(106)
  expect((await login(someone.id, await totpOf(SECRET, clock, -1))).code).toBe(0)
  expect((await rowOf(someone.idx)).otpFails).toBe(0)
  expect((await login(someone.id, await totpOf(SECRET, clock, 1))).code).toBe(0)
  expect((await login(someone.id, await totpOf(SECRET, clock, 2))).code).toBe(106)
})

test('after the limit was lowered, an account above it is locked at the next code and can be released', async () => {
  const someone = await person({ otpFails: 5 })
  await registered(app, someone)
  expect((await login(someone.id, await totpOf(SECRET, clock))).code).toBe(109)
  expect(await rowOf(someone.idx)).toMatchObject({ otpFails: 5, state: 2 })
  await as(admin).users.setDisabled({ idx: someone.idx, state: 0 })
  expect((await login(someone.id, await totpOf(SECRET, clock))).code).toBe(0)
})

test('a lockout by wrong codes leaves sessions open', async () => {
  const someone = await person()
  await registered(app, someone)
  const browser = as(someone)
  await browser.session.find({})
  for (let tried = 0; tried < 3; tried++) await login(someone.id, await wrongTotpOf(SECRET, clock))
  expect((await rowOf(someone.idx)).state).toBe(2)
  expect(await browser.session.find({})).toMatchObject({ id: someone.id })
})
