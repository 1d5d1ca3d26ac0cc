// Passwords older than the login policy allows are changed before a session opens, by everybody.
import { DEFAULT_PROTECTION } from '@acc/contract/accountProtection'
import { SignInType } from '@acc/contract/labels/history'
import { LoginType } from '@acc/contract/labels/users'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser, type UserToBuild } from '../../../test/build/users.ts'
import { totpOf } from '../../../test/otp.ts'
import { days, later } from '../../clock.ts'

const { app, as, admin, anonymous, clock } = await startTestApp()
const { db } = app
const P = (n: number) => `Qa9!zebra-L${n}`
const set = (over: Partial<typeof DEFAULT_PROTECTION>) =>
  as(admin).loginPolicy.setProtection({ ...DEFAULT_PROTECTION, ...over })
afterEach(() => set({}))

const buildAged = (age: number, columns: UserToBuild = {}) =>
  buildUser(db, { password: P(1), ...columns, pwSetDT: later(clock.now(), -days(age)) })
const pc = { deviceId: 'pc-1', deviceName: 'PC', clientVersion: '1.0.0' }
const signIn = ({ id }: { id: string }, pw = P(1)) => anonymous.session.login({ id, pw })
const tooOld = { error: 'PASSWORD_CHANGE_REQUIRED', data: { maxDays: 90 } }

test('it is off by default, and within its bounds otherwise', async () => {
  expect(await signIn(await buildAged(3000))).toEqual({})
  for (const maxPasswordDays of [1, 29, 3651, -1])
    await expect(set({ maxPasswordDays })).rejects.toMatchObject({
      error: 'INVALID_INPUT',
      data: { fields: ['maxPasswordDays'] },
    })
  for (const maxPasswordDays of [30, 3650, 0]) await set({ maxPasswordDays })
})

test.each<[string, UserToBuild]>([
  ['a user', {}],
  ['a system administrator', { isAdmin: 1 }],
  ['a user with single sign-on', { loginType: LoginType.DEFAULT | LoginType.SSO }],
])('%s changes an old password before a session opens', async (_, columns) => {
  await set({ maxPasswordDays: 90, minPasswordDays: 30 })
  const [old, young] = [await buildAged(90, columns), await buildAged(89, columns)]
  expect(await signIn(young)).toEqual({})
  await expect(signIn(old)).rejects.toMatchObject(tooOld)
  await expect(anonymous.agent.login({ id: old.id, pw: P(1), ...pc })).rejects.toMatchObject(tooOld)
  // It shows only with the correct password.
  await expect(signIn(old, P(9))).rejects.toMatchObject({ error: 'WRONG_CREDENTIALS' })
  const rows = await db.read
    .selectFrom('signIns')
    .select('type')
    .where('userIdx', '=', old.idx)
    .orderBy('idx')
    .execute()
  expect(rows.map(({ type }) => type)).toEqual([SignInType.REFUSED, SignInType.REFUSED, SignInType.PW_FAILED])
  expect(await db.read.selectFrom('sessions').select('idx').where('userIdx', '=', old.idx).execute()).toEqual([])
  await anonymous.account.changePw({ id: old.id, pw: P(1), newPw: P(2) })
  expect(await signIn(old, P(2))).toEqual({})
})

test('open sessions remain, and an account without an own password has none that is too old', async () => {
  const user = await buildAged(400)
  const browser = as(user)
  await browser.session.find({})
  await set({ maxPasswordDays: 90 })
  expect(await browser.session.find({})).toMatchObject({ id: user.id })
  const without = await buildUser(db, { loginType: LoginType.SSO })
  await expect(signIn(without)).rejects.toMatchObject({ error: 'WRONG_CREDENTIALS' })
})

test('an authenticator is registered after the change of an old password only', async () => {
  await set({ maxPasswordDays: 90 })
  const user = await buildAged(100, { useOtp: 1 })
  const register = (otp: string, pw: string) => anonymous.account.registerOtp({ id: user.id, pw, otp })
  await expect(register('123456', P(1))).rejects.toMatchObject(tooOld)
  const { otpSecret = '' } = await anonymous.account.changePw({ id: user.id, pw: P(1), newPw: P(2) })
  await register(await totpOf(otpSecret, clock), P(2))
})
