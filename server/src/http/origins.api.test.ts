// Which hosts and origins the server knows, behind a proxy that speaks https for it: cookies, CORS, redirects of names.
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, startTestApp } from '../../test/app.ts'

const CONSOLE = 'https://console.example.com'
const { app, admin, baseUrl } = await startTestApp({
  ACC_PUBLIC_URL: 'https://acc.example.com',
  ACC_CONSOLE_ORIGINS: `${CONSOLE}, https://other.example.com`,
  ACC_TRUST_PROXY: '127.0.0.1',
})

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string }
/** A request as a proxy forwards it; fetch does not allow Host and Origin to be set. */
const call = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
  new Promise<Answer>((resolve, reject) => {
    const sent = request(baseUrl + path, { method, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }))
    })
    sent.on('error', reject).end(body)
  })

const JSON_CALL = { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' }
const CREDENTIALS = JSON.stringify({ id: admin.id, pw: ADMIN_PASSWORD })
const login = (headers: Record<string, string> = {}) =>
  call('POST', '/Account/Login', { ...JSON_CALL, host: 'acc.example.com', ...headers }, CREDENTIALS)

test.each(['evil.example', 'acc.example.com.evil.example', '203.0.113.1:8080', 'acc.example.com@evil.example'])(
  'a request to the host %s is misdirected, whatever it asks for',
  async (host) => {
    for (const path of ['/Configs', '/Metrics', '/Docs', '/acc/']) {
      const { status, body } = await call('GET', path, { host })
      expect([400, 421]).toContain(status)
      expect(body).not.toContain('"errorCode":0')
    }
    expect((await login({ host, origin: `https://${host}` })).body).not.toContain('"errorCode":0')
  },
)

test.each(['acc.example.com', 'ACC.example.com:443', 'localhost:8080', '127.0.0.1', '[::1]:8080'])(
  'a request to the host %s is answered',
  async (host) => {
    expect((await call('GET', '/Configs', { host })).status).toBe(200)
  },
)

test('a proxy may name the host, and an unknown one may not', async () => {
  expect((await call('GET', '/Configs', { host: '127.0.0.1', 'x-forwarded-host': 'evil.example' })).status).toBe(421)
})

test('health may be asked for by any name', async () => {
  for (const path of ['/Health/Live', '/Health/Ready'])
    expect((await call('GET', path, { host: '10.0.0.7:8080' })).status).toBe(200)
})

test('the cookie of https has the __Host- prefix, and goes along with calls from other origins only where there are some', async () => {
  const { headers } = await login()
  const [cookie] = headers['set-cookie'] ?? []
  expect(cookie).toMatch(/^__Host-acc=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=None$/)
  const session = cookie?.split(';')[0] ?? ''
  const asked = await call('GET', '/Account/Session', { cookie: session })
  expect(asked.body).toContain('"errorCode":0')
  // The cookie of plain http is not looked at.
  expect((await call('GET', '/Account/Session', { cookie: session.replace('__Host-', '') })).body).toContain('960')
})

test('pages of the named origins may call with the cookie, and no others', async () => {
  const preflight = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-requested-with' }
  const allowed = await call('OPTIONS', '/Group', { ...preflight, origin: CONSOLE })
  expect(allowed).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': CONSOLE,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': expect.stringContaining('X-Requested-With'),
      vary: expect.stringContaining('Origin'),
    },
  })
  for (const origin of ['https://evil.example', 'null', 'http://console.example.com', `${CONSOLE}.evil.example`]) {
    const refused = await call('OPTIONS', '/Group', { ...preflight, origin })
    expect(refused.status).toBe(404)
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
    expect((await login({ origin, 'sec-fetch-site': 'cross-site' })).body).toContain('980')
  }
  const signedIn = await login({ origin: CONSOLE, 'sec-fetch-site': 'cross-site' })
  expect(signedIn).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': CONSOLE } })
  expect(signedIn.body).toContain('"errorCode":0')
  const read = { origin: CONSOLE, 'sec-fetch-site': 'cross-site', cookie: signedIn.headers['set-cookie']?.[0] ?? '' }
  expect((await call('GET', '/Account/Session', read)).body).toContain('"errorCode":0')
})

test("a trusted proxy's word about the caller's address counts", async () => {
  await login({ 'x-forwarded-for': '198.51.100.1, 203.0.113.9', 'x-forwarded-proto': 'https' })
  const last = await app.db.read.selectFrom('signIns').select('ip').orderBy('idx', 'desc').limit(1).execute()
  expect(last).toEqual([{ ip: '203.0.113.9' }])
})

test('https is asked for from then on', async () => {
  const { headers } = await call('GET', '/Configs')
  expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
})
