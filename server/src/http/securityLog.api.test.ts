// Refused requests in the log: by cause, with person, route and named idxes, in one line each for every content.
import { once } from 'node:events'
import { request as send } from 'node:http'
import { connect } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { buildManager } from '../../test/build/authorities.ts'
import { buildGroups } from '../../test/build/groups.ts'
import { buildUser } from '../../test/build/users.ts'
import { openDesktopClient } from '../../test/desktopClients.ts'

let written = ''
// An operator who asks for errors only.
const write = (line: string) => {
  written += line
}
const log = pino({ level: 'error' }, { write })
const site = await startTestApp({ ACC_METRICS_TOKEN: 'the-token-of-metrics-1234567890' }, log)
const { app, admin, clock, baseUrl, fetchAs } = site
const { sales, rnd } = await buildGroups(app.db, 'sales', 'rnd')
const manager = await buildManager(app.db, { groups: [sales], user: 2, fileExportApprove: 2, as: { group: sales } })
const boss = await buildUser(app.db, { group: sales, isAdmin: 1 })
const stranger = await buildUser(app.db, { group: rnd })

const MARKER = { 'x-requested-with': 'XMLHttpRequest', 'content-type': 'application/json' }
const read = () => {
  const lines = written
    .trim()
    .split('\n')
    .filter((line) => line !== '')
  written = ''
  return lines.map((line): Record<string, unknown> => JSON.parse(line))
}
const as = { user: manager.id, userIdx: manager.idx, ip: '127.0.0.1', level: 40, requestId: expect.any(String) }

test('a denial that is answered by 982 is logged as the denial it is', async () => {
  const headers = { ...MARKER, 'x-rights-revision': '0' }
  const body = JSON.stringify({ idxes: [stranger.idx] })
  const answer = await fetchAs(manager)('/Users', { method: 'DELETE', headers, body })
  expect(await answer.json()).toMatchObject({ errorCode: 982 })
  expect(read()).toMatchObject([{ ...as, msg: 'denied', code: 980, path: '/Users', named: { idxes: [stranger.idx] } }])
})

test.each([
  [
    'one that names an administrator',
    126,
    'PUT',
    '/User/State/Disabled',
    { idx: boss.idx, state: 1 },
    { idx: [boss.idx] },
  ],
  [
    'one that names its caller',
    125,
    'PUT',
    '/User/State/Disabled',
    { idx: manager.idx, state: 1 },
    { idx: [manager.idx] },
  ],
  ['one with invalid input', 983, 'PUT', '/User', { idx: 7, name: 5 }, { idx: [7] }],
])('a refusal is logged: %s', async (_, code, method, path, input, named) => {
  await fetchAs(manager)(path, { method, headers: MARKER, body: JSON.stringify(input) })
  expect(read()).toMatchObject([{ ...as, method, path, code, named }])
})

test('the idxes of a query are named, however many there are', async () => {
  const idxes = Array.from({ length: 500 }, (_, i) => 1_000_000 + i).join(',')
  await fetchAs(manager)(`/FileEximport/Download?fileEximport=${stranger.idx + 1e6}&fileIdxes=${idxes}`)
  const [line] = read()
  expect(line).toMatchObject({ ...as, msg: 'denied', path: '/FileEximport/Download' })
  expect(line?.named).toMatchObject({ fileEximport: [expect.anything()], fileIdxes: { length: 20 } })
})

test('a field is named by 40 characters of its name', async () => {
  const body = JSON.stringify({ [`idx${'x'.repeat(37)}`]: 7, [`idx${'y'.repeat(38)}`]: 8 })
  await fetchAs(manager)('/User', { method: 'PUT', headers: MARKER, body })
  expect(read()).toMatchObject([{ named: { [`idx${'x'.repeat(37)}`]: [7], [`idx${'y'.repeat(37)}`]: [8] } }])
})

test('a call without a session is logged, but not the question whether there is one', async () => {
  await fetch(`${baseUrl}/Users/Search`)
  expect(read()).toMatchObject([{ msg: 'no session', code: 960, path: '/Users/Search' }])
  await fetch(`${baseUrl}/Account/Session`)
  expect(read()).toEqual([])
})

test('a request that another site caused is logged with the person whose browser sent it, and does not extend the session', async () => {
  const calls = fetchAs(admin)
  await calls('/Account/Session')
  const sessions = () =>
    app.db.read.selectFrom('sessions').select('expireDT').where('userIdx', '=', admin.idx).execute()
  const before = await sessions()
  clock.advance(60_000)
  await calls('/Group', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  expect(read()).toMatchObject([{ msg: 'denied', reason: 'no marker header', user: admin.id, path: '/Group' }])
  await calls('/Users/Search', { headers: { 'sec-fetch-site': 'cross-site' } })
  expect(read()).toMatchObject([{ msg: 'denied', reason: 'a page of another site', user: admin.id }])
  expect(await sessions()).toEqual(before)
})

test.each([
  ['unknown call', 404, '/No/Such/Call', {}],
  ['too large', 413, '/Account/Login', { method: 'POST', headers: MARKER, body: 'x'.repeat(20_000) }],
  ['unsupported media type', 415, '/Group', { method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<a/>' }],
])('what the transport refuses is logged: %s', async (msg, status, path, init) => {
  expect((await fetch(baseUrl + path, init)).status).toBe(status)
  expect(read()).toMatchObject([{ msg, status, path, level: 40 }])
})

test('no input makes a second line, colours a terminal, or reaches the log whole', async () => {
  const nasty = '\r\n{"level":60}\u001b[31m\u2028'
  const body = JSON.stringify({ id: nasty, pw: 'secret-password', idx: nasty })
  await fetchAs(admin)('/Group', { method: 'PUT', headers: MARKER, body })
  await fetch(`${baseUrl}/No${encodeURIComponent(nasty)}?pw=secret-password`)
  await new Promise((resolve) => send(`${baseUrl}/${'x'.repeat(20_000)}`, (answer) => resolve(answer.resume())).end())
  const raw = written
  const lines = read()
  expect(lines).toHaveLength(3)
  expect(lines.at(-1)?.path).toHaveLength(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  expect(raw).not.toMatch(/[\u0000-\u0009\u000b-\u001f]|secret-password/)
  expect(raw.length).toBeLessThan(2000)
})

test('a wrong token of the metrics is logged, and the right one is not looked at after fifty', async () => {
  const ask = async (token: string) =>
    (await fetch(`${baseUrl}/Metrics`, { headers: { authorization: `Bearer ${token}` } })).status
  const right = 'the-token-of-metrics-1234567890'
  expect([await ask(right), await ask('wrong')]).toEqual([200, 404])
  expect(read()).toMatchObject([{ msg: 'unknown call', status: 404, path: '/Metrics', ip: '127.0.0.1' }])
  for (let tried = 1; tried < 50; tried++) await ask('wrong')
  expect(await ask(right)).toBe(404)
  expect(read()).toHaveLength(50)
  clock.advance(300_000)
  expect(await ask(right)).toBe(200)
})

test('calls with a session whose account or PC may not be used any more are logged', async () => {
  const pc = await openDesktopClient(site, stranger)
  const calls = fetchAs(stranger)
  await calls('/Account/Session')
  await app.db.write.deleteFrom('devices').where('idx', '=', pc.deviceIdx).execute()
  await expect(pc.agent.findPolicy({})).rejects.toMatchObject({ code: 162 })
  expect(read()).toMatchObject([{ msg: 'denied', code: 162, path: '/Agent/Policy', user: stranger.id }])
  for (const [columns, code] of [
    [{ isMortal: 1, expireDT: '2020-01-01' }, 103],
    [{ isMortal: 0, expireDT: null, state: 2 }, 102],
  ] as const) {
    await app.db.write.updateTable('users').set(columns).where('idx', '=', stranger.idx).execute()
    await calls('/Account/Sessions')
    expect(read()).toMatchObject([{ msg: 'denied', code, path: '/Account/Sessions', ip: '127.0.0.1' }])
  }
})

test('a caller who breaks off in the middle of a body is no outage', async () => {
  const accepted = once(site.http.server, 'connection')
  const { port, hostname } = new URL(baseUrl)
  const caller = connect(Number(port), hostname)
  const [held] = await accepted
  const closed = once(held, 'close')
  const begun = once(site.http.server, 'request')
  const head = ['POST /Account/Login HTTP/1.1', 'Host: 127.0.0.1', 'X-Requested-With: XMLHttpRequest']
  caller.write(`${[...head, 'Content-Type: application/json', 'Content-Length: 20'].join('\r\n')}\r\n\r\n{`)
  await begun
  caller.destroy()
  await closed
  // The error of the body arrives with the next turns of the event loop.
  await fetch(`${baseUrl}/Health/Live`)
  expect(read()).toEqual([])
})
