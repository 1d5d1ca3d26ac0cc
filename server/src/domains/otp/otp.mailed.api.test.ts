// Codes by mail: when they are sent, and how long they are valid.
import { SignInType } from '@acc/contract/labels/history'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { mailedCodes, setDefaultOtp } from '../../../test/otp.ts'
import { overtake } from '../../../test/overtake.ts'
import { minutes } from '../../clock.ts'

const { app, anonymous, clock } = await startTestApp({ ACC_MAX_LOGIN_FAILS: '3', ACC_OTP_METHOD: 'email' })
const { db } = app
const PASSWORD = 'Qa9!zebra-Lm'

const person = (useOtp: 0 | 1 | null = 1) => buildUser(db, { password: PASSWORD, useOtp })
async function login(id: string, otp?: string): Promise<number> {
  try {
    await anonymous.session.login({ id, pw: PASSWORD, otp })
    return 0
  } catch (error) {
    return (error as { code: number }).code
  }
}
const lastCode = async ({ email }: { email: string }) => (await mailedCodes(app, email)).at(-1) ?? ''

test('a code is mailed, signs in once, and is stored as a hash only', async () => {
  const someone = await person()
  expect(await login(someone.id)).toBe(105)
  expect(await login(someone.id)).toBe(114)
  const code = await lastCode(someone)
  const stored = await db.read.selectFrom('otpCodes').selectAll().where('userIdx', '=', someone.idx).execute()
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored)).not.toContain(code)
  expect(await login(someone.id, code)).toBe(0)
  expect(await login(someone.id, code)).toBe(107)
  const rows = await db.read.selectFrom('signIns').select('type').where('userIdx', '=', someone.idx).execute()
  expect(rows).toEqual([{ type: SignInType.OTP_SUCCESS }])
})

test('an account that is deleted during the call gets no code', async () => {
  const someone = await person()
  const answer = await overtake(db, {
    lock: (tx) => tx.deleteFrom('users').where('idx', '=', someone.idx).execute(),
    call: () => login(someone.id),
  })
  expect(answer).toBe(100)
})

test('an account without an address gets no code', async () => {
  const someone = await buildUser(db, { password: PASSWORD, useOtp: 1, email: '' })
  expect(await login(someone.id)).toBe(116)
})

test('a code is void after five minutes and after a new one', async () => {
  const someone = await person()
  expect(await login(someone.id)).toBe(105)
  const first = await lastCode(someone)
  clock.advance(minutes(1))
  expect(await login(someone.id)).toBe(105)
  const second = await lastCode(someone)
  expect(await login(someone.id, first)).toBe(first === second ? 0 : 106)
  clock.advance(minutes(5))
  expect(await login(someone.id, second)).toBe(107)
})

test('ten codes are mailed within an hour', async () => {
  const someone = await person()
  const codes: number[] = []
  for (let minute = 0; minute < 12; minute++) {
    codes.push(await login(someone.id))
    clock.advance(minutes(1))
  }
  expect(codes).toEqual([...Array.from({ length: 10 }, () => 105), 113, 113])
  clock.advance(minutes(50))
  expect(await login(someone.id)).toBe(105)
  expect(await mailedCodes(app, someone.email)).toHaveLength(11)
})

test('the login policy applies to people without an own setting', async () => {
  const [always, never, either] = [await person(1), await person(0), await person(null)]
  expect([await login(always.id), await login(never.id), await login(either.id)]).toEqual([105, 0, 0])
  await setDefaultOtp(app, 1)
  expect([await login(always.id), await login(never.id), await login(either.id)]).toEqual([114, 0, 105])
  await setDefaultOtp(app, 0)
})
