// Effects of a registered or required second factor on open sessions, and the mails about a changed setting.
import { SignInType } from '@acc/contract/labels/history'
import { LoginType } from '@acc/contract/labels/users'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser, type UserToBuild } from '../../../test/build/users.ts'
import { callsWithToken, openDesktopClient } from '../../../test/desktopClients.ts'
import { mailsTo } from '../../../test/mails.ts'
import { setDefaultOtp, totpOf } from '../../../test/otp.ts'
import { days, later } from '../../clock.ts'
import { findAccount } from '../credentials/credentials.queries.ts'
import { openSession } from '../session/session.service.ts'

const started = await startTestApp()
const { app, as, admin, anonymous, baseUrl, clock } = started
const { db } = app
const from = { ip: '127.0.0.1', userAgent: 'test' }

/** Returns the calls of a new browser session that was opened in a certain way. */
async function openBrowser(user: { idx: number }, type: SignInType) {
  const account = await findAccount(db.read, user)
  if (account === undefined) throw new Error('no account')
  const token = await db.write.transaction().execute((tx) => openSession(tx, app, account, from, { type }))
  return callsWithToken(baseUrl, token)
}
type Calls = Awaited<ReturnType<typeof openBrowser>>
const isOpen = (calls: Calls) =>
  calls.session.find({}).then(
    () => true,
    (error: { error: string }) => error.error !== 'SESSION_ENDED',
  )

/** Builds a person with a session of each kind, and a browser that the client opened. */
async function buildSignedIn(columns: UserToBuild = {}) {
  const user = await buildUser(db, { loginType: LoginType.DEFAULT | LoginType.SSO, ...columns })
  const [password, otp, sso] = [
    await openBrowser(user, SignInType.LOGIN),
    await openBrowser(user, SignInType.OTP_SUCCESS),
    await openBrowser(user, SignInType.SSO_LOGIN),
  ]
  const client = await openDesktopClient(started, user)
  const fromOtp = await openFrom(otp)
  return { user, sessions: [password, client, otp, fromOtp, sso] }
}
/** Returns the calls of a browser session that came from another session by a temporary token. */
async function openFrom(parent: Calls) {
  const { tmpToken } = await parent.session.createTmpToken({ purpose: 'portal' })
  const jar = { cookie: '' }
  const response = await fetch(`${baseUrl}/Account/ConsumeTmpToken`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    body: JSON.stringify({ tmpToken }),
  })
  jar.cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return callsWithToken(baseUrl, jar.cookie.split('=')[1] ?? '')
}
const open = (sessions: readonly Calls[]) => Promise.all(sessions.map(isOpen))
/** By password, of a client, with a code, from that one, by single sign-on. */
const [ALL, WITH_FACTOR, SSO_ALONE, NONE] = [
  [true, true, true, true, true],
  [false, false, true, true, true],
  [false, false, false, false, true],
  [false, false, false, false, false],
]
const client = as(admin)

test.each([
  ['the setting of the user', (idx: number) => client.users.update({ idx, useOtp: 1 })],
  ['the list of exceptions', (idx: number) => client.loginPolicy.addOtpExceptions({ userIdxes: [idx], useOtp: 1 })],
])('a factor that %s requires ends sessions without one', async (_, require) => {
  const [{ user, sessions }, other] = [await buildSignedIn(), await buildSignedIn()]
  expect(await open(sessions)).toEqual(ALL)
  await require(user.idx)
  expect(await open(sessions)).toEqual(WITH_FACTOR)
  expect(await open(other.sessions)).toEqual(ALL)
  expect(await open([client])).toEqual([true])
})

test('a factor that is no longer required ends no session, and a newly required one does', async () => {
  const { user, sessions } = await buildSignedIn()
  await client.users.update({ idx: user.idx, useOtp: 0 })
  expect(await open(sessions)).toEqual(ALL)
  await setDefaultOtp(app, 1)
  await client.loginPolicy.removeOtpExceptions({ userIdxes: [user.idx] })
  expect(await open(sessions)).toEqual(WITH_FACTOR)
  await setDefaultOtp(app, 0)
})

test.each([
  [LoginType.SSO, SSO_ALONE],
  [LoginType.DEFAULT, [true, true, true, true, false]],
  [LoginType.NONE, NONE],
  [LoginType.DEFAULT | LoginType.SSO, ALL],
])('sign-in methods %i end the sessions that they do not allow', async (loginType, left) => {
  for (const set of [
    (idx: number) => client.users.update({ idx, loginType }),
    (idx: number) => client.sso.setUserPolicy({ userIdxes: [idx], loginType }),
  ]) {
    const { user, sessions } = await buildSignedIn()
    await set(user.idx)
    expect(await open(sessions)).toEqual(left)
  }
})

test('a registered authenticator ends all sessions of its owner', async () => {
  const password = 'Qa9!zebra-Lm'
  const { user, sessions } = await buildSignedIn({ password, useOtp: 1 })
  const refusal = await anonymous.session.login({ id: user.id, pw: password }).catch((error: unknown) => error)
  const { data } = refusal as { data: { otpSecret: string } }
  expect(await open(sessions)).toEqual(ALL)
  const otp = await totpOf(data.otpSecret, clock)
  await anonymous.account.registerOtp({ id: user.id, pw: password, otp })
  expect(await open(sessions)).toEqual(NONE)
})

test('a required factor by default ends no session at once, but all without a code within a day', async () => {
  const [{ user, sessions }, exempt] = [await buildSignedIn(), await buildSignedIn({ useOtp: 0 })]
  await client.loginPolicy.setDefaultOtp({ defaultOtp: 1 })
  expect(await open(sessions)).toEqual(ALL)
  const endOf = (idx: number) =>
    db.read
      .selectFrom('sessions')
      .select('limitDT')
      .where('userIdx', '=', idx)
      .where('kind', '=', 'client')
      .executeTakeFirstOrThrow()
  expect((await endOf(user.idx)).limitDT).toEqual(later(clock.now(), days(1)))
  expect((await endOf(exempt.user.idx)).limitDT).toEqual(later(clock.now(), days(30)))
  await client.loginPolicy.setDefaultOtp({ defaultOtp: 0 })
  expect((await endOf(user.idx)).limitDT).toEqual(later(clock.now(), days(1)))
})

test('each change of the setting is mailed to its owner unless such mails are off', async () => {
  const user = await buildUser(db)
  const { addOtpExceptions, removeOtpExceptions, findProtection, setProtection } = client.loginPolicy
  await client.users.update({ idx: user.idx, useOtp: 0 })
  await removeOtpExceptions({ userIdxes: [user.idx] })
  await addOtpExceptions({ userIdxes: [user.idx], useOtp: 1 })
  await client.users.update({ idx: user.idx, name: 'Another name' })
  const texts = [/no longer requires an OTP/, /follows the login policy/, /always requires an OTP/]
  expect(await mailsTo(app, user.email)).toMatchObject(texts.map((text) => ({ text: expect.stringMatching(text) })))
  const { revision: _, ...settings } = await findProtection({})
  await setProtection({ ...settings, changeMails: 0 })
  await client.users.update({ idx: user.idx, useOtp: null })
  expect(await mailsTo(app, user.email)).toHaveLength(texts.length)
  await setProtection(settings)
})
