// Single sign-on with a defective, slow, unavailable or hostile provider. Nobody is signed in, no account is created,
// the portal shows an error within seconds, and no other host is called.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { CALLBACK, openBrowser, PORTAL } from '../../../test/oidc/browser.ts'
import { type Defect, FOREIGN_KEYS, startDefectiveProvider } from '../../../test/oidc/defectiveProvider.ts'
import { CLIENT, startRealProvider } from '../../../test/oidc/realProvider.ts'
import { minutes } from '../../clock.ts'

const provider = await startDefectiveProvider()
/** A host that the provider's metadata name and that must not be called. */
const canary = createServer((_, response) => {
  canaryCalls++
  response.end('{}')
})
let canaryCalls = 0
await new Promise<void>((resolve) => {
  canary.listen(0, '127.0.0.1', resolve)
})
const elsewhere = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`
afterAll(async () => {
  canary.close()
  await provider.close()
})
const env = { ACC_OIDC_ISSUER: provider.issuer, ACC_OIDC_CLIENT_ID: CLIENT.id, ACC_OIDC_CLIENT_SECRET: CLIENT.secret }
const { app, baseUrl, clock } = await startTestApp(env)
const { db } = app
const LOGIN = `${baseUrl}/Sso/Login`

afterEach(() => {
  provider.defect = {}
  // The metadata is fetched anew.
  clock.advance(minutes(1))
})

/** Signs on with a defect and returns where the portal opens. */
async function signOnWith(defect: Defect): Promise<string> {
  provider.defect = defect
  const browser = openBrowser(baseUrl)
  const { location } = await browser.open(LOGIN)
  if (location?.startsWith(PORTAL)) return location.slice(PORTAL.length)
  const { code, state } = provider.authorize(new URL(location ?? ''))
  const portal = await browser.follow(`${CALLBACK}?${new URLSearchParams({ code, state })}`, PORTAL)
  if (browser.cookie(baseUrl, 'acc') !== undefined) return `${portal.slice(PORTAL.length)} with a session`
  return portal.slice(PORTAL.length)
}
const count = async (table: 'users' | 'sessions' | 'history') =>
  Number(
    (
      await db.read
        .selectFrom(table)
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
const counts = async () => Promise.all([count('users'), count('sessions'), count('history')])

const hour = 3600
const text = (type: string, body: string) => (response: ServerResponse) =>
  void response.setHeader('content-type', type).end(body)
const DISCOVERY = '/.well-known/openid-configuration'

test.each<[string, Defect]>([
  ['a signature by a foreign key', { signing: 'foreign' }],
  ['a damaged signature', { signing: 'damaged' }],
  ['no signature (alg none)', { signing: 'none' }],
  [
    'no signature, which the metadata allow',
    { signing: 'none', metadata: (valid) => ({ ...valid, id_token_signing_alg_values_supported: ['none', 'RS256'] }) },
  ],
  [
    'a signature by the client secret (HS256)',
    { signing: 'secret', metadata: (valid) => ({ ...valid, id_token_signing_alg_values_supported: ['HS256'] }) },
  ],
  ['another audience', { claims: (valid) => ({ ...valid, aud: 'another-client' }) }],
  ['several audiences, for another party', { claims: (valid) => ({ ...valid, aud: [CLIENT.id, 'x'], azp: 'x' }) }],
  ['another issuer in the token', { claims: (valid) => ({ ...valid, iss: 'https://evil.example.com' }) }],
  ['another nonce', { claims: (valid) => ({ ...valid, nonce: 'replayed' }) }],
  ['no nonce', { claims: ({ nonce, ...valid }) => valid }],
  ['an expired token', { claims: (valid) => ({ ...valid, exp: Math.floor(Date.now() / 1000) - hour }) }],
  ['a token from the future', { claims: (valid) => ({ ...valid, nbf: Math.floor(Date.now() / 1000) + hour }) }],
  ['no expiry', { claims: ({ exp, ...valid }) => valid }],
  ['no subject', { claims: ({ sub, ...valid }) => valid }],
  ['a subject that is no text', { claims: (valid) => ({ ...valid, sub: { $ne: '' } }) }],
  ['no ID token', { token: ({ id_token, ...valid }) => valid }],
  ['a malformed ID token', { token: (valid) => ({ ...valid, id_token: 'a.b.c' }) }],
  ['a token response that is no JSON', { answers: { '/token': text('text/html', '<h1>Welcome</h1>') } }],
  ['a failing token endpoint', { answers: { '/token': (response) => void response.writeHead(500).end() } }],
  [
    'a token endpoint that redirects',
    { answers: { '/token': (response) => void response.writeHead(307, { location: elsewhere }).end() } },
  ],
  ['no keys', { answers: { '/jwks': text('application/json', '{"keys":[]}') } }],
  ['an endless token response', { answers: { '/token': text('application/json', `"${'x'.repeat(1024 * 1024)}"`) } }],
  ['a valid token response of more than 512 KiB', { token: (valid) => ({ ...valid, more: 'x'.repeat(512 * 1024) }) }],
  ['metadata of the issuer with a slash', { metadata: (valid) => ({ ...valid, issuer: `${provider.issuer}/` }) }],
  ['metadata of another issuer', { metadata: (valid) => ({ ...valid, issuer: 'https://evil.example.com' }) }],
  ['metadata with a token endpoint elsewhere', { metadata: (valid) => ({ ...valid, token_endpoint: elsewhere }) }],
  ['metadata with keys elsewhere', { metadata: (valid) => ({ ...valid, jwks_uri: `${elsewhere}/jwks` }) }],
  ['metadata with a page elsewhere', { metadata: (valid) => ({ ...valid, authorization_endpoint: elsewhere }) }],
  ['metadata without keys', { metadata: ({ jwks_uri, ...valid }) => valid }],
  ['metadata that are no JSON', { answers: { [DISCOVERY]: text('text/html', 'garbage') } }],
  ['metadata that redirect', { answers: { [DISCOVERY]: (r) => void r.writeHead(302, { location: elsewhere }).end() } }],
  ['a broken connection', { answers: { [DISCOVERY]: (response) => void response.destroy() } }],
])('%s is refused', async (_, defect) => {
  const before = await counts()
  expect(await signOnWith(defect)).toBe('?ssoError=183')
  expect(await counts()).toEqual(before)
  expect(canaryCalls).toBe(0)
  expect(provider.requests).not.toContain(FOREIGN_KEYS)
})

test('a void code, as of a replay at the provider, can be tried again', async () => {
  const invalid = (response: ServerResponse) =>
    void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
  expect(await signOnWith({ answers: { '/token': invalid } })).toBe('?ssoError=184')
})

test('user info of another subject is refused', async () => {
  const metadata: Defect['metadata'] = (valid) => ({ ...valid, userinfo_endpoint: `${provider.issuer}/userinfo` })
  const claims: Defect['claims'] = ({ email, ...valid }) => valid
  const answers = { '/userinfo': text('application/json', '{"sub":"another","email":"other@example.com"}') }
  expect(await signOnWith({ metadata, claims, answers })).toBe('?ssoError=183')
})

test('user info at another host is not requested, and its claims remain unknown', async () => {
  const metadata: Defect['metadata'] = (valid) => ({ ...valid, userinfo_endpoint: `${elsewhere}/userinfo` })
  expect(await signOnWith({ metadata, claims: ({ email, ...valid }) => valid })).toBe('?ssoError=182')
  expect(canaryCalls).toBe(0)
})

test('a provider that never answers causes an error within seconds for everyone who waits', async () => {
  provider.defect = { answers: { [DISCOVERY]: () => undefined } }
  const before = provider.requests.length
  const start = Date.now()
  const portals = await Promise.all([1, 2, 3].map(() => openBrowser(baseUrl).open(LOGIN)))
  expect(portals.map(({ location }) => location)).toEqual(Array(3).fill(`${PORTAL}?ssoError=183`))
  expect(Date.now() - start).toBeLessThan(6000)
  expect(provider.requests.length - before).toBe(1)
})

test('a subject longer than a key is refused', async () => {
  expect(await signOnWith({ claims: (valid) => ({ ...valid, sub: 'x'.repeat(200) }) })).toBe('?ssoError=182')
})

test('the same provider without defects signs in', async () => {
  expect(await signOnWith({})).toBe('?sso=done with a session')
  const user = await db.read.selectFrom('users').select('id').where('key', '=', 'person-1').executeTakeFirst()
  expect(user?.id).toBe('person.one')
})

test('claims may come from the user info endpoint under other names', async () => {
  const real = await startRealProvider({ redirectUri: CALLBACK, onlyUserInfo: true })
  const claims = 'id=preferred_username, group=department'
  const other = await startTestApp({ ...env, ACC_OIDC_ISSUER: real.issuer, ACC_OIDC_CLAIMS: claims })
  const { key } = await other.app.db.write
    .insertInto('groups')
    .values({ name: 'dept', parentIdx: 1, key: 'D-7', description: '', path: [1, 77], idx: 77, position: 0 })
    .returning('key')
    .executeTakeFirstOrThrow()
  real.person = { sub: 'u-1', preferred_username: 'user.info', name: 'U', email: 'u@example.com', department: key }
  const browser = openBrowser(other.baseUrl)
  const portal = await browser.follow(await browser.follow(`${other.baseUrl}/Sso/Login`, CALLBACK), PORTAL)
  await real.close()
  expect(portal).toBe(`${PORTAL}?sso=done`)
  const user = await other.app.db.read.selectFrom('users').selectAll().where('key', '=', 'u-1').executeTakeFirst()
  expect(user).toMatchObject({ id: 'user.info', email: 'u@example.com', groupIdx: 77 })
})

test('an unavailable provider causes an error, and its return is noticed at once', async () => {
  const real = await startRealProvider({ redirectUri: CALLBACK })
  const { port } = new URL(real.issuer)
  const other = await startTestApp({ ...env, ACC_OIDC_ISSUER: real.issuer })
  await real.close()
  const browser = openBrowser(other.baseUrl)
  const begin = async () => (await browser.open(`${other.baseUrl}/Sso/Login`)).location
  expect(await begin()).toBe(`${PORTAL}?ssoError=183`)
  const again = await startRealProvider({ redirectUri: CALLBACK, port: Number(port) })
  expect(await begin()).toMatch(`${real.issuer}/auth?`)
  await again.close()
})

test('without settings there is no single sign-on', async () => {
  const other = await startTestApp()
  expect((await other.anonymous.configs.find({})).hasSso).toBe(0)
  for (const path of ['/Sso/Login', '/Sso/Callback?code=a&state=b'])
    expect(await (await fetch(other.baseUrl + path)).json()).toMatchObject({ errorCode: 183 })
})

test('the provider receives PKCE, state and nonce, never the secret or a reusable value', async () => {
  const addresses = await Promise.all([1, 2].map(async () => (await openBrowser(baseUrl).open(LOGIN)).location ?? ''))
  const [first, second] = addresses.map((address) => Object.fromEntries(new URL(address).searchParams))
  expect(first).toMatchObject({
    client_id: CLIENT.id,
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid profile email',
    code_challenge_method: 'S256',
  })
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(first?.[name]).toMatch(/^[\w-]{43}$/)
    expect(first?.[name]).not.toBe(second?.[name])
  }
  expect(addresses.join()).not.toContain(CLIENT.secret)
})

test('after a hundred failures in five minutes a network no longer reaches the provider', async () => {
  clock.advance(minutes(5))
  const defect = { token: ({ id_token, ...valid }: Record<string, unknown>) => valid }
  expect(await signOnWith(defect)).toBe('?ssoError=183')
  await db.write.updateTable('throttles').set({ count: 99 }).where('key', 'like', 'sso:failed:%').execute()
  // Successful ones are not counted.
  for (let tried = 0; tried < 3; tried++) expect(await signOnWith({})).toContain('?sso=done')
  expect(await signOnWith(defect)).toBe('?ssoError=183')
  expect(await signOnWith({})).toBe('?ssoError=113')
  clock.advance(minutes(5))
  expect(await signOnWith({})).toContain('?sso=done')
})
