// The calls of BIM servers: who is admitted, what heartbeats leave behind, when the revision of the rules changes. The
// example server (server/demo/bimServer.ts) makes the calls.
import { MAX_CONNECTIONS } from '@acc/contract/bimServer'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type Connection, openBimServer } from '../../../demo/bimServer.ts'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildBimServer } from '../../../test/build/bim.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { overtake } from '../../../test/overtake.ts'
import { days } from '../../clock.ts'
import { runDueJobs } from '../../core/job.ts'
import { bimServerJobs, endSilentServers } from './bimServer.service.ts'

let written = ''
const keep = (line: string) => {
  written += line
}
const log = pino({ level: 'error' }, { write: keep })
const { app, as, admin, baseUrl, nodeUrl, clock } = await startTestApp({}, log)
const { db } = app
const client = as(admin)
const groups = await buildGroups(db, 'sales', 'sales/east', 'rnd', 'other')
const { sales, east, rnd } = groups
const registered = await buildBimServer(client)
const bim = openBimServer({ url: baseUrl, id: registered.id })

const now = () => clock.now().toISOString()
async function post(body: unknown, headers: Record<string, string> = { authorization: `Bearer ${registered.id}` }) {
  clock.advance(1000)
  const response = await fetch(`${baseUrl}/BimServer/Heartbeat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { errorCode: number; data?: { revision: string } }
}
const report = (...connections: Connection[]) => post({ connections })
const connectionOf = (userId: string, ip = '10.5.0.1', connectDT = now()): Connection => ({ userId, ip, connectDT })
const live = () => client.bim.searchConnections({})
const isOnline = async () =>
  (await client.bim.searchServers({})).servers.find(({ idx }) => idx === registered.idx)?.isOnline
const refusals = () => {
  const lines = written.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  written = ''
  return lines
}
/** The topics that are announced while the work runs. */
async function topicsOf(work: () => Promise<unknown>): Promise<Set<string>> {
  return new Set((await announced(app, work)).map(({ topic }) => topic))
}

test('a server that reports is online for 90 seconds, and its connections are live as long', async () => {
  const user = await buildUser(db, { group: east, name: '김하늘' })
  await client.bim.addUsers({ userIdxes: [user.idx] })
  expect(await isOnline()).toBe(0)
  await bim.report()
  expect(bim.connect('stranger', '10.5.0.9')).toBe(false)
  expect(bim.connect(user.id, '10.5.0.7', clock.now())).toBe(true)
  expect(await topicsOf(() => bim.report())).toEqual(new Set(['bimConnections']))
  expect(await isOnline()).toBe(1)
  const connection = { ip: '10.5.0.7', connectDT: now(), serverName: registered.pcName, idx: expect.any(Number) }
  const person = { userId: user.id, userName: '김하늘', userEmail: user.email, groupName: 'east' }
  expect(await live()).toEqual({ checkAfter: 90, totalCount: 1, connections: [{ ...connection, ...person }] })
  const checkAfter = async () => (await client.bim.searchServers({})).checkAfter
  expect(await checkAfter()).toBe(90)
  clock.advance(89_000)
  expect([await isOnline(), await checkAfter()]).toEqual([1, 1])
  clock.advance(1_000)
  expect([await isOnline(), await checkAfter()]).toEqual([0, null])
  expect(await live()).toMatchObject({ totalCount: 0, connections: [] })
  expect(await topicsOf(() => endSilentServers(app))).toEqual(new Set(['bim', 'bimConnections']))
  expect(await topicsOf(() => runDueJobs(app, bimServerJobs))).toEqual(new Set())
  expect(await db.read.selectFrom('bimConnections').selectAll().execute()).toEqual([])
  expect(await topicsOf(() => bim.report())).toEqual(new Set(['bim', 'bimConnections']))
  await client.bim.removeUsers({ userIdxes: [user.idx] })
  await bim.report()
  expect(bim.connections()).toEqual([])
  await client.users.remove({ idxes: [user.idx] })
})

test('connections are replaced; those that stay are not written, and nothing is announced where all stay', async () => {
  const many = Array.from({ length: 1000 }, (_, at) => connectionOf(`worker${at}`, `10.6.${at >> 8}.${at & 255}`))
  await report(...many)
  const idxes = async () =>
    (
      await db.read
        .selectFrom('bimConnections')
        .select(['idx', sql<string>`xmin::text`.as('xmin')])
        .execute()
    ).map(({ idx, xmin }) => `${idx} ${xmin}`)
  const before = await idxes()
  expect(before).toHaveLength(1000)
  expect(await topicsOf(() => report(...many))).toEqual(new Set())
  expect(new Set(await idxes())).toEqual(new Set(before))
  const [first, second, ...rest] = many
  const next = [...rest, connectionOf('newcomer'), ...rest.slice(0, 3)]
  expect(await topicsOf(() => report(...next))).toEqual(new Set(['bimConnections']))
  expect((await idxes()).filter((row) => before.includes(row))).toHaveLength(998)
  const users = (await live()).connections.map(({ userId }) => userId)
  expect(users).toHaveLength(999)
  expect(users).toContain('newcomer')
  expect([first?.userId, second?.userId].some((id) => users.includes(id ?? ''))).toBe(false)
  await report()
  expect(await live()).toMatchObject({ totalCount: 0, connections: [] })
})

test('an id that no user has is shown as it is reported, without a name', async () => {
  await report(connectionOf('unknown.user', '2001:db8::1'))
  expect((await live()).connections).toMatchObject([
    { userId: 'unknown.user', userName: '', userEmail: '', groupName: '', ip: '2001:db8::1' },
  ])
})

test('a moment ahead counts as that of the report for up to five minutes; a later one is 983', async () => {
  const ahead = (seconds: number) => new Date(clock.now().getTime() + 1000 + seconds * 1000).toISOString()
  await report(connectionOf('early.bird', '10.5.0.3', ahead(300)), connectionOf('early.bird', '10.5.0.3', ahead(200)))
  const shown = [{ userId: 'early.bird', connectDT: now() }]
  expect((await live()).connections).toMatchObject(shown)
  const late = [connectionOf('worker'), connectionOf('early.bird', '10.5.0.3', ahead(301))]
  expect(await report(...late)).toMatchObject({ errorCode: 983, data: { fields: ['connections.1.connectDT'] } })
  expect((await live()).connections).toMatchObject(shown)
})

const OTHER = { authorization: `Bearer ${'x'.repeat(43)}` }
test.each([
  ['a wrong bearer from the right address', 960, OTHER],
  ['no bearer', 960, {}],
  ['a bearer that is too short to be an id', 960, { authorization: 'Bearer short' }],
  ['another scheme', 960, { authorization: `Basic ${registered.id}` }],
  ['the stored hash as a bearer', 960, { authorization: `Bearer ${'A'.repeat(64)}` }],
])('%s is %i and leaves a line in the log', async (_, code, headers) => {
  refusals()
  expect(await post({ connections: [connectionOf('intruder')] }, headers)).toMatchObject({ errorCode: code })
  expect(refusals()).toMatchObject([{ msg: 'no session', code, path: '/BimServer/Heartbeat', ip: '127.0.0.1' }])
  expect((await live()).connections.map(({ userId }) => userId)).not.toContain('intruder')
})

test('the right bearer from another address is 980, even if its headers name the registered address', async () => {
  const away = await buildBimServer(client, { ip: '10.7.0.1' })
  refusals()
  const headers: Record<string, string>[] = [{}, { 'x-forwarded-for': '10.7.0.1' }, { forwarded: 'for=10.7.0.1' }]
  for (const spoofed of headers)
    expect(await post({ connections: [] }, { authorization: `Bearer ${away.id}`, ...spoofed })).toMatchObject({
      errorCode: 980,
    })
  const rules = await fetch(`${baseUrl}/BimServer/Rules`, { headers: { authorization: `Bearer ${away.id}` } })
  expect(await rules.json()).toMatchObject({ errorCode: 980 })
  const lines = refusals()
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatchObject({ msg: 'denied', code: 980, reason: `BIM server ${away.idx} from another address` })
  expect(JSON.stringify(lines)).not.toContain(away.id)
  expect((await client.bim.searchServers({})).servers.find(({ idx }) => idx === away.idx)).toMatchObject({
    heartbeatDT: null,
  })
})

test('after an id or an address is changed, or the server deleted, the old one opens nothing', async () => {
  await report(connectionOf('someone'))
  const { idx, pcName, ip } = registered
  await client.bim.updateServer({ idx, pcName, ip: '10.7.0.9' })
  expect(await report()).toMatchObject({ errorCode: 980 })
  expect(await isOnline()).toBe(0)
  expect((await live()).totalCount).toBe(0)
  await client.bim.updateServer({ idx, pcName, ip, id: 'another-0123456789' })
  expect(await report()).toMatchObject({ errorCode: 960 })
  expect(await post({ connections: [] }, { authorization: 'Bearer another-0123456789' })).toMatchObject({
    errorCode: 0,
  })
  await client.bim.updateServer({ idx, pcName, ip, id: registered.id })
  await report(connectionOf('someone'))
  await client.bim.removeServers({ idxes: [idx] })
  expect(await report()).toMatchObject({ errorCode: 960 })
  expect(await live()).toMatchObject({ totalCount: 0, connections: [] })
  const { id } = registered
  registered.idx = (await client.bim.createServer({ id, pcName, ip })).idx
})

test('a flood of calls is refused with 113 without being counted against a person', async () => {
  const codes = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const response = await fetch(`${nodeUrl}/BimServer/Rules`, {
        headers: { authorization: `Bearer ${registered.id}` },
      })
      return ((await response.json()) as { errorCode: number }).errorCode
    }),
  )
  expect(codes.filter((code) => code === 113).length).toBeGreaterThan(30)
  expect(codes.filter((code) => code === 0).length).toBeLessThanOrEqual(25)
  expect(await client.bim.searchServers({})).toMatchObject({ servers: expect.any(Array) })
  clock.advance(15_000)
})

test.each([
  ['100,000 connections', () => Array.from({ length: 100_000 }, () => ({}))],
  ['one connection too many', () => Array.from({ length: MAX_CONNECTIONS + 1 }, () => connectionOf('worker'))],
  ['an ID with other characters', () => [connectionOf('a<script>')]],
  ['a long ID', () => [connectionOf('a'.repeat(31))]],
  ['a host name as address', () => [connectionOf('worker', 'host.example')]],
  ['an address that is too large', () => [connectionOf('worker', '10.0.0.256')]],
  ['no moment', () => [connectionOf('worker', '10.0.0.1', 'yesterday')]],
  ['a moment that the database cannot hold', () => [connectionOf('worker', '10.0.0.1', '0000-01-01T00:00:00Z')]],
  ['no list', () => 'all'],
])('983: %s; what was live stays', async (_, connections) => {
  await report(connectionOf('worker', '10.8.0.1'))
  expect(await post({ connections: connections() })).toMatchObject({ errorCode: 983 })
  expect((await live()).totalCount).toBe(1)
})

test('a server that moves while its heartbeat comes leaves nothing from its old address', async () => {
  const moveTo = (on: typeof db.write, ip: string) =>
    on.updateTable('bimServers').set({ ip }).where('idx', '=', registered.idx).execute()
  const overtaken = overtake(db, { lock: (tx) => moveTo(tx, '10.9.9.9'), call: () => report(connectionOf('late')) })
  expect(await overtaken).toMatchObject({ errorCode: 960 })
  await moveTo(db.write, '127.0.0.1')
  expect((await live()).connections).not.toContainEqual(expect.objectContaining({ userId: 'late' }))
})

test('the most connections of one heartbeat fit, from two heartbeats at once', async () => {
  const full = Array.from({ length: MAX_CONNECTIONS }, (_, at) =>
    connectionOf(`a.sign-in.name.of.30.letters${String(at).padStart(4, '0')}`.slice(-30), '2001:db8::ffff:ffff:ffff:1'),
  )
  for (const one of await Promise.all([report(...full), report(...full)])) expect(one.errorCode).toBe(0)
  expect((await live()).totalCount).toBe(MAX_CONNECTIONS)
  await report()
})

test('the revision changes if and only if the rules change', async () => {
  const rules = async () => {
    clock.advance(1000)
    await bim.report()
    return bim.rules() ?? { revision: '', exceptions: [], users: [] }
  }
  let last = (await rules()).revision
  const expectNext = async (users: { id: string }[], exceptions: string[] = []) => {
    const found = await rules()
    expect(found).toMatchObject({ users: users.map(({ id }) => id).sort(), exceptions })
    expect(found.revision).not.toBe(last)
    last = found.revision
  }
  const [hong, lim, park] = [
    await buildUser(db, { group: east }),
    await buildUser(db, { group: sales }),
    await buildUser(db, { group: rnd }),
  ]
  await client.bim.addGroups({ groupIdxes: [sales.idx] })
  await expectNext([hong, lim])
  await client.bim.addUsers({ userIdxes: [park.idx, lim.idx] })
  await expectNext([hong, lim, park])
  const { idx } = await client.bim.createException({ ip: '10.9.0.1' })
  await expectNext([hong, lim, park], ['10.9.0.1'])
  await client.bim.updateException({ idx, ip: '10.9.0.2' })
  await expectNext([hong, lim, park], ['10.9.0.2'])
  await client.bim.removeExceptions({ idxes: [idx] })
  await expectNext([hong, lim, park])
  await client.bim.syncServers({})
  await expectNext([hong, lim, park])
  await client.users.move({ idxes: [hong.idx], groupIdx: rnd.idx })
  await expectNext([lim, park])
  await client.users.setDisabled({ idx: lim.idx, state: 2 })
  await expectNext([park])
  await client.users.setDisabled({ idx: lim.idx, state: 0 })
  await expectNext([lim, park])
  // A group that comes below an allowed one, as when the group between is deleted.
  const below = { parentIdx: sales.idx, path: [...sales.path, rnd.idx] }
  await db.write.updateTable('groups').set(below).where('idx', '=', rnd.idx).execute()
  await expectNext([hong, lim, park])
  const tomorrow = new Date(clock.now().getTime() + days(1)).toISOString().slice(0, 10)
  await client.users.update({ idx: hong.idx, isMortal: 1, expireDT: tomorrow })
  await client.users.update({ idx: lim.idx, name: 'Renamed' })
  await buildUser(db, { group: groups.other })
  await buildBimServer(client, { ip: '10.9.9.9' })
  expect((await rules()).revision).toBe(last)
  clock.advance(days(3))
  await expectNext([lim, park])
  await as(admin).users.remove({ idxes: [park.idx] })
  await expectNext([lim])
  await as(admin).bim.removeUsers({ userIdxes: [lim.idx] })
  expect((await rules()).revision).toBe(last)
  // Those in the deleted group move to one that is not allowed.
  await as(admin).groups.remove({ idx: sales.idx })
  await expectNext([])
})

test('rules that change while they are read are those of one moment', async () => {
  const byRevision = new Map<string, string>()
  const read = async () => {
    for (let at = 0; at < 8; at++) {
      await bim.report()
      const { revision = '', ...content } = bim.rules() ?? {}
      const text = JSON.stringify(content)
      expect(byRevision.get(revision) ?? text).toBe(text)
      byRevision.set(revision, text)
    }
  }
  const change = async () => {
    for (let at = 0; at < 8; at++) await as(admin).bim.createException({ ip: `10.10.0.${at}` })
  }
  clock.advance(60_000)
  await Promise.all([read(), change()])
})

test('a server makes 20 calls at once, then two a second', async () => {
  clock.advance(10_000)
  const headers = { authorization: `Bearer ${registered.id}` }
  const passed = async (count: number) => {
    const answers = Array.from({ length: count }, async () =>
      (await fetch(`${nodeUrl}/BimServer/Rules`, { headers })).json(),
    )
    return (await Promise.all(answers)).filter(({ errorCode }) => errorCode === 0).length
  }
  expect(await passed(25)).toBe(20)
  clock.advance(1000)
  expect(await passed(5)).toBe(2)
})
