// Errors that a route lists and no test of its domain needs: refusals that several calls share, each on the calls left.
import { MAX_BIM } from '@acc/contract/bim'
import type { ErrorName } from '@acc/contract/core/errors'
import { UserState } from '@acc/contract/labels/users'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { sealSecret } from '../../src/domains/otp/totp.ts'
import { startTestApp } from '../app.ts'
import { type BuiltUser, buildUser, type UserToBuild } from '../build/users.ts'
import { SECRET } from '../otp.ts'

const { app, as, admin, anonymous } = await startTestApp({ ACC_OTP_METHOD: 'email' })
const { db, key } = app
const calls = as(admin)
const PASSWORD = 'Qa9!zebra-Lm'
const OTP = '000000'

type Case = [ErrorName, string, (person: BuiltUser) => Promise<unknown>]
const changePw = ({ id }: BuiltUser, otp?: string) =>
  anonymous.account.changePw({ id, pw: PASSWORD, newPw: 'Nb7#violet-Kp', otp })
const findId = ({ name, email }: BuiltUser, otp?: string) => anonymous.account.findId({ name, email, otp })
const registerOtp = ({ id }: BuiltUser) => anonymous.account.registerOtp({ id, pw: PASSWORD, otp: OTP })
const signInPc = ({ id }: BuiltUser, otp?: string) =>
  anonymous.agent.login({ id, pw: PASSWORD, deviceId: id, deviceName: 'PC', clientVersion: '1.0.0', otp })

const SEALED_FOR_ANOTHER = sealSecret(key, 0, 'otpSecret', SECRET)
const ALL_WRONG = { otpFails: 5 }
const EXPIRED = { isMortal: 1, expireDT: '2020-01-01' } as const

const CASES: [...Case, UserToBuild][] = [
  ['OTP_FAILED', 'changePw', (one) => changePw(one, OTP), { otpSecret: SEALED_FOR_ANOTHER }],
  ['OTP_FAILED', 'resetPw', ({ id }) => anonymous.account.resetPw({ id, otp: OTP }), { otpSecret: SEALED_FOR_ANOTHER }],
  ['OTP_FAILED', 'findId', (one) => findId(one, OTP), { otpSecret: SEALED_FOR_ANOTHER }],
  ['OTP_FAILED', 'agent.login', (one) => signInPc(one, OTP), { otpSecret: SEALED_FOR_ANOTHER }],
  ['OTP_ATTEMPTS_EXCEEDED', 'findId', (one) => findId(one, OTP), ALL_WRONG],
  ['OTP_ATTEMPTS_EXCEEDED', 'registerOtp', registerOtp, ALL_WRONG],
  ['OTP_ATTEMPTS_EXCEEDED', 'agent.login', (one) => signInPc(one, OTP), ALL_WRONG],
  ['OTP_ALREADY_SENT', 'changePw', (one) => changePw(one).catch(() => changePw(one)), {}],
  ['OTP_ALREADY_SENT', 'agent.login', (one) => signInPc(one).catch(() => signInPc(one)), {}],
  ['NO_EMAIL', 'changePw', (one) => changePw(one), { email: '' }],
  ['NO_EMAIL', 'agent.login', (one) => signInPc(one), { email: '' }],
  ['ACCOUNT_EXPIRED', 'registerOtp', registerOtp, EXPIRED],
]

afterEach(async () => {
  // One account at most has none.
  await db.write.deleteFrom('users').where('email', '=', '').execute()
})

test.each(CASES)('%s of %s', async (error, _, call, columns) => {
  const person = await buildUser(db, { password: PASSWORD, useOtp: 1, ...columns })
  await expect(call(person)).rejects.toMatchObject({ error })
})

test.each([
  ['ACCOUNT_EXPIRED', EXPIRED],
  ['OTP_ATTEMPTS_EXCEEDED', { ...ALL_WRONG, state: UserState.DISABLED }],
] as const)('%s ends the use of a temporary token', async (error, columns) => {
  const person = await buildUser(db)
  const { tmpToken } = await as(person).session.createTmpToken({})
  await db.write.updateTable('users').set(columns).where('idx', '=', person.idx).execute()
  await expect(anonymous.session.consumeTmpToken({ tmpToken })).rejects.toMatchObject({ error })
})

test('the key of another person is refused in a change of a user', async () => {
  const [one, other] = [await buildUser(db), await buildUser(db)]
  await expect(calls.users.update({ idx: one.idx, key: other.key })).rejects.toMatchObject({ error: 'DUPLICATE_KEY' })
})

test('images that are none and programs that exist are refused where shortcuts and logos change', async () => {
  const { createProgram, createWeb, updateProgram, updateWeb } = calls.shortcuts
  const path = 'C:\\one.exe'
  const program = await createProgram({ name: 'One', path })
  const other = await createProgram({ name: 'Other', path: 'C:\\other.exe' })
  const web = await createWeb({ name: 'Web', url: 'https://example.com' })
  const icon = { iconName: 'icon.png', iconData: Buffer.from('no image').toString('base64') }
  const noImage = { error: 'INVALID_IMAGE' }
  await expect(createProgram({ name: 'New', path: 'C:\\new.exe', ...icon })).rejects.toMatchObject(noImage)
  await expect(updateProgram({ ...program, name: 'One', path, ...icon })).rejects.toMatchObject(noImage)
  await expect(updateWeb({ ...web, name: 'Web', url: 'https://example.com', ...icon })).rejects.toMatchObject(noImage)
  await expect(calls.infos.setManagePageLogo({}, new File(['no image'], 'a.png'))).rejects.toMatchObject(noImage)
  const taken = updateProgram({ ...other, name: 'Other', path })
  await expect(taken).rejects.toMatchObject({ error: 'DUPLICATE_NAME' })
})

test('the people of BIM are bounded', async () => {
  const { rows } = await sql<{ idx: number }>`
    insert into users (id, name, email, "groupIdx", key)
    select 'bim' || n, 'bim', 'bim' || n || '@example.com', 1, 'bim' || n
    from generate_series(0, ${MAX_BIM.users}::int) n returning idx`.execute(db.write)
  const userIdxes = rows.map(({ idx }) => idx)
  await expect(calls.bim.addUsers({ userIdxes })).rejects.toMatchObject({ error: 'TOO_MANY_ENTRIES' })
})
