// Secrets of sessions where they must not work or appear: a cookie chosen by somebody else, the stored hash as a cookie, a
// temporary token in addresses, their referrers and the log.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD, startTestApp } from '../../test/app.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
const { app, as, admin, baseUrl } = await startTestApp({ ACC_LOG_LEVEL: 'trace' }, log)

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest', ...headers },
    body: JSON.stringify(body),
    redirect: 'manual',
  })
const codeWith = async (cookie: string) => {
  const response = await fetch(`${baseUrl}/Account/Session`, { headers: { cookie } })
  return ((await response.json()) as { errorCode: number }).errorCode
}
const hashes = () =>
  app.db.read.selectFrom('sessions').select('tokenHash').where('userIdx', '=', admin.idx).orderBy('idx').execute()

test('a cookie that was there before the sign-in opens nothing, before or after', async () => {
  const preset = `acc=${'A'.repeat(43)}`
  expect(await codeWith(preset)).toBe(960)
  const response = await post('/Account/Login', { id: admin.id, pw: ADMIN_PASSWORD }, { cookie: preset })
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(cookie).toMatch(/^acc=.{43}$/)
  expect(cookie).not.toBe(preset)
  expect(await codeWith(preset)).toBe(960)
  expect(await codeWith(cookie)).toBe(0)
  expect(await codeWith(`${preset}; ${cookie}`)).toBeOneOf([0, 960])
})

test('what the database stores of a session is no cookie', async () => {
  await as(admin).session.read({})
  const stored = (await hashes()).at(-1)?.tokenHash ?? Buffer.alloc(0)
  expect(stored).toHaveLength(32)
  for (const text of [
    stored.toString('base64url'),
    stored.toString('hex'),
    stored.toString('base64'),
    stored.toString('latin1'),
  ])
    expect(await codeWith(`acc=${encodeURIComponent(text)}`)).toBe(960)
})

test('a temporary token in an address reaches no other site, no cache and no log', async () => {
  const { tmpToken } = await as(admin).session.createTmpToken({})
  const addresses = ['/', '/acc', '/acc/', '/acc/users', '/No/Such/Call', '/Account/Session', '/%'].map(
    (path) => `${path}?tmpToken=${tmpToken}`,
  )
  for (const address of addresses) {
    const response = await fetch(baseUrl + address, { redirect: 'manual', headers: { referer: baseUrl + address } })
    expect(response.headers.get('referrer-policy'), address).toBe('no-referrer')
    expect(response.headers.get('cache-control'), address).toMatch(/^no-(store|cache)$/)
    expect(await response.text(), address).not.toContain(tmpToken)
    // Only to the front route of this server.
    expect(response.headers.get('location') ?? '/acc/').toMatch(/^\/acc\//)
  }
  await post('/Account/ConsumeTmpToken', { tmpToken: `${tmpToken}x` })
  await post('/Account/ConsumeTmpToken', { tmpToken })
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => line.includes(tmpToken))).toEqual([])
})
