// Signing out at the provider as well (OpenID Connect RP-Initiated Logout 1.0), if the operator has enabled it.
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildUser } from '../../../test/build/users.ts'
import { CALLBACK, openBrowser, PORTAL } from '../../../test/oidc/browser.ts'
import { startDefectiveProvider } from '../../../test/oidc/defectiveProvider.ts'
import { CLIENT, startRealProvider } from '../../../test/oidc/realProvider.ts'
import { days, minutes } from '../../clock.ts'
import { endSilentSessions } from '../session/session.service.ts'

const provider = await startRealProvider({ redirectUri: CALLBACK, signedOutUri: PORTAL })
const incapable = await startDefectiveProvider()
afterAll(() => Promise.all([provider.close(), incapable.close()]))

const optionsOf = ({ issuer }: { issuer: string }) => ({
  ACC_OIDC_ISSUER: issuer,
  ACC_OIDC_CLIENT_ID: CLIENT.id,
  ACC_OIDC_CLIENT_SECRET: CLIENT.secret,
  ACC_OIDC_LOGOUT: 'on',
})
const { app, as, admin, baseUrl, clock } = await startTestApp(optionsOf(provider))
const { db } = app

const PERSON = { sub: 'leaver', preferred_username: 'leaver', name: 'Leaver', email: 'leaver@sso.example.com' }

/** Signs the person in and returns their cookie. */
async function signIn(): Promise<string> {
  provider.person = PERSON
  const browser = openBrowser(baseUrl)
  await browser.follow(await browser.follow(`${baseUrl}/Sso/Login`, CALLBACK), PORTAL)
  return browser.cookie(baseUrl, 'acc') ?? ''
}
async function signOut(cookie: string, server = baseUrl): Promise<{ endSessionUrl?: string }> {
  const headers = { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest', cookie: `acc=${cookie}` }
  const response = await fetch(`${server}/Account/Logout`, { method: 'POST', headers, body: '{}' })
  const { errorCode, data } = (await response.json()) as { errorCode: number; data: { endSessionUrl?: string } }
  expect(errorCode).toBe(0)
  return data
}
const stored = async () =>
  (await db.read.selectFrom('sessions').select('providerLogout').orderBy('idx', 'desc').executeTakeFirstOrThrow())
    .providerLogout

test("the provider's logout address is sealed in the session and deleted with it", async () => {
  const cookie = await signIn()
  expect(String(await stored())).not.toContain('session/end')
  const url = new URL((await signOut(cookie)).endSessionUrl ?? '')
  expect(`${url.origin}${url.pathname}`).toBe(`${provider.issuer}/session/end`)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: CLIENT.id,
    post_logout_redirect_uri: PORTAL,
    id_token_hint: expect.stringMatching(/^ey/),
  })
  expect(await stored()).toBeNull()
  // The provider accepts it with its page, not with an error.
  expect(await openBrowser(baseUrl).open(url.href)).toMatchObject({
    status: 200,
    text: expect.stringContaining('/session/end/confirm'),
  })
})

test('an address of another session or key does not open, and signing out still works', async () => {
  const [first] = [await signIn(), await signIn()]
  const other = await stored()
  await db.write.updateTable('sessions').set({ providerLogout: other }).where('endDT', 'is', null).execute()
  expect(await signOut(first)).toEqual({})
})

test('an ID token that is too long for an address is omitted', async () => {
  const long = { ...PERSON, department: 'x'.repeat(5000) }
  const browser = openBrowser(baseUrl)
  provider.person = long
  await browser.follow(await browser.follow(`${baseUrl}/Sso/Login`, CALLBACK), PORTAL)
  const { endSessionUrl = '' } = await signOut(browser.cookie(baseUrl, 'acc') ?? '')
  expect(endSessionUrl).toContain('client_id=acc')
  expect(endSessionUrl).not.toContain('id_token_hint')
})

test('sessions that end in another way keep no address', async () => {
  await signIn()
  expect(await stored()).not.toBeNull()
  const { items } = await as(admin).users.search({ id: PERSON.sub })
  await as(admin).users.setDisabled({ idx: items[0]?.idx ?? 0, state: 2 })
  expect(await stored()).toBeNull()
  await as(admin).users.setDisabled({ idx: items[0]?.idx ?? 0, state: 0 })
  await signIn()
  clock.advance(days(1))
  await endSilentSessions(app)
  expect(await stored()).toBeNull()
})

test('sessions of a password have no address', async () => {
  const user = await buildUser(db, { password: 'Qa9!zebra-L1' })
  expect(await as(user).session.logout({})).toEqual({})
})

const own = await startTestApp(optionsOf(incapable))

test.each([
  ['without such an endpoint', undefined],
  ['with one at another host', 'https://elsewhere.example.com/end'],
  ['with one that is a script', 'javascript://127.0.0.1/%0Aalert(1)'],
])('a provider %s signs people in, and signing out ends the session here', async (_, endpoint) => {
  // The metadata is fetched anew.
  own.clock.advance(minutes(1))
  if (endpoint) incapable.defect = { metadata: (valid) => ({ ...valid, end_session_endpoint: endpoint }) }
  const browser = openBrowser(own.baseUrl)
  const { location } = await browser.open(`${own.baseUrl}/Sso/Login`)
  const { code, state } = incapable.authorize(new URL(location ?? ''))
  expect(await browser.follow(`${CALLBACK}?${new URLSearchParams({ code, state })}`, PORTAL)).toContain('sso=done')
  expect(await signOut(browser.cookie(own.baseUrl, 'acc') ?? '', own.baseUrl)).toEqual({})
})
