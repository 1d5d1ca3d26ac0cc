// The runner: what every call has in common, tried on a few real ones.

import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { api } from '@acc/contract'
import { createClient } from '@acc/contract/core/client'
import type { ErrorName } from '@acc/contract/core/errors'
import { get, type Route } from '@acc/contract/core/route'
import { FAULT_NAMES } from '@acc/contract/labels/systemStatus'
import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ADMIN_PASSWORD, startTestApp } from '../../test/app.ts'
import { notify } from '../core/change.ts'
import { Failure, fail } from '../core/errors.ts'
import type { Tx } from '../db/open.ts'
import { checkHistory } from '../domains/history/history.checks.ts'
import { sealHistory } from '../domains/history/history.sealing.ts'
import { requireDeclaredError, requireShownTopics } from './conformance.ts'
import { handleErrors } from './errorHandler.ts'
import { contextOf, registerModule, routes } from './route.ts'

const { baseUrl, nodeUrl, fetchAs, admin, app, owner, clock } = await startTestApp()

const MARKER = { 'x-requested-with': 'XMLHttpRequest' }
const JSON_BODY = { ...MARKER, 'content-type': 'application/json' }
const call = async (path: string, init?: RequestInit) => {
  const response = await fetch(baseUrl + path, init)
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as { errorCode: number; data?: unknown },
  }
}
const login = (init: RequestInit) =>
  call('/Account/Login', { method: 'POST', body: JSON.stringify({ id: admin.id, pw: ADMIN_PASSWORD }), ...init })

test('a state-changing call without the marker header is refused', async () => {
  expect((await login({ headers: { 'content-type': 'application/json' } })).body.errorCode).toBe(980)
  expect((await login({ headers: JSON_BODY })).body.errorCode).toBe(0)
})

test('a call from another origin is refused, from the own one it is not', async () => {
  expect((await login({ headers: { ...JSON_BODY, origin: 'https://evil.example' } })).body.errorCode).toBe(980)
  expect((await login({ headers: { ...JSON_BODY, origin: 'null' } })).body.errorCode).toBe(980)
  expect((await login({ headers: { ...JSON_BODY, 'sec-fetch-site': 'cross-site' } })).body.errorCode).toBe(980)
  expect((await login({ headers: { ...JSON_BODY, origin: baseUrl } })).body.errorCode).toBe(0)
})

test('every state-changing call is refused without the marker, and from another origin with it', async () => {
  const routes = Object.values(api).flatMap((calls): Route[] => Object.values(calls))
  // The cookie opens nothing for servers.
  const writes = routes.filter(({ method, access }) => method !== 'GET' && access !== 'bimServer')
  const send = fetchAs(admin)
  for (const { method, path } of writes)
    for (const headers of [{}, { ...MARKER, origin: 'https://evil.example' }]) {
      const response = await send(path, { method, headers })
      expect((await response.json()).errorCode, `${method} ${path} ${JSON.stringify(headers)}`).toBe(980)
    }
})

test("a link on another site's page starts no download and reads nothing", async () => {
  const read = async (site: string) => {
    const response = await fetchAs(admin)('/Account/Session', { headers: { 'sec-fetch-site': site } })
    return (await response.json()).errorCode
  }
  expect(await read('cross-site')).toBe(980)
  expect(await read('same-site')).toBe(980)
  expect(await read('same-origin')).toBe(0)
  expect(await read('none')).toBe(0)
})

test('what the transport refuses has its status', async () => {
  expect((await call('/No/Such/Call')).status).toBe(404)
  for (const method of ['PATCH', 'PUT', 'OPTIONS'])
    expect((await call('/Account/Login', { method, headers: JSON_BODY, body: '{}' })).status).toBe(404)
  expect((await login({ headers: { ...MARKER, 'content-type': 'text/plain' } })).status).toBe(415)
  expect((await login({ headers: JSON_BODY, body: JSON.stringify({ id: 'x'.repeat(1_100_000) }) })).status).toBe(413)
})

test.each(['gzip', 'deflate', 'br', 'zstd', 'identity, gzip', ''])(
  'a body in the encoding "%s" is not read',
  async (encoding) => {
    const headers = { ...JSON_BODY, 'content-encoding': encoding }
    expect((await login({ headers })).status).toBe(415)
  },
)

test('a body may name the identity encoding', async () => {
  expect((await login({ headers: { ...JSON_BODY, 'content-encoding': 'Identity' } })).body.errorCode).toBe(0)
})

test('a call without a session takes 16 KiB at most', async () => {
  const { status } = await login({ headers: JSON_BODY, body: JSON.stringify({ id: 'x'.repeat(16_400) }) })
  expect(status).toBe(413)
})

/** Announces a body without sending it; the response to the headers alone. */
const announce = (path: string, headers: Record<string, string | number>) =>
  new Promise<{ errorCode: number }>((resolve, reject) => {
    const sent = request(baseUrl + path, { method: 'POST', headers: { ...JSON_BODY, ...headers } }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        sent.destroy()
        resolve(JSON.parse(text))
      })
    })
    sent.on('error', reject).flushHeaders()
  })

test('a large body is read only of callers who may make the call', async () => {
  const large = { 'content-length': 1_000_000 }
  for (const headers of [large, { 'transfer-encoding': 'chunked' }]) {
    expect(await announce('/SiteConfig', headers)).toMatchObject({ errorCode: 960 })
    expect(await announce('/BimServer/Heartbeat', headers)).toMatchObject({ errorCode: 960 })
  }
  expect(await announce('/SiteConfig', { ...large, 'sec-fetch-site': 'cross-site' })).toMatchObject({ errorCode: 980 })
})

test('a body that nests deeper than any call needs is 983', async () => {
  const nested = (levels: number) =>
    login({
      headers: JSON_BODY,
      body: `{"id":"${admin.id}","pw":"${ADMIN_PASSWORD}","more":${'['.repeat(levels)}"]}"${']'.repeat(levels)}}`,
    })
  expect((await nested(31)).body.errorCode).toBe(0)
  expect((await nested(32)).body.errorCode).toBe(983)
})

test('a query with more pairs than any list of rows needs is 983', async () => {
  const pairs = (count: number) => fetchAs(admin)(`/Account/Session?${'a&'.repeat(count)}`)
  expect(await (await pairs(10_100)).json()).toMatchObject({ errorCode: 0 })
  expect(await (await pairs(10_101)).json()).toMatchObject({ errorCode: 983 })
})

test('a refusal names some of the fields, not each of 10,000', async () => {
  const body = JSON.stringify({ idxes: Array.from({ length: 10_000 }, () => 'x') })
  const response = await fetchAs(admin)('/Users', { method: 'DELETE', headers: JSON_BODY, body })
  const answer = (await response.json()) as { data: { fields: string[] } }
  expect(answer.data.fields).toHaveLength(100)
})

test.each([
  ['no JSON', '{'],
  ['another type', '[]'],
  ['nothing', '{}'],
  ['a number for a text', '{"id": 5, "pw": "x"}'],
  ['a list for a text', '{"id": ["admin"], "pw": "x"}'],
  ['a NUL', '{"id": "a\\u0000b", "pw": "x"}'],
  ['half a character', '{"id": "\\ud800abc", "pw": "x"}'],
  ['a prototype', '{"__proto__": {"id": "admin"}, "pw": "x"}'],
])('bad input is 983: %s', async (_, body) => {
  expect((await login({ headers: JSON_BODY, body })).body.errorCode).toBe(983)
})

test('a call answers to its own method alone', async () => {
  for (const method of ['HEAD', 'PUT', 'PATCH', 'TRACE', 'OPTIONS']) {
    const status = await new Promise((resolve) =>
      request(`${baseUrl}/Configs`, { method }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).end(),
    )
    expect(status).toBe(404)
  }
})

test('a malformed address is answered as everything else', async () => {
  const { status, headers, body } = await call('/%')
  expect({ status, body }).toEqual({ status: 400, body: { errorCode: 400, message: 'unreadable request' } })
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('figures are for this machine alone, and what a proxy forwards is not of this machine', async () => {
  expect((await fetch(`${nodeUrl}/Metrics`)).status).toBe(200)
  for (const name of ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']) {
    expect((await fetch(`${nodeUrl}/Metrics`, { headers: { [name]: '127.0.0.1' } })).status).toBe(404)
  }
})

test('the page on monitoring names the metrics, with their labels, and no others', async () => {
  await fetch(nodeUrl + api.clientVersions.downloadDeployed.path)
  await sealHistory(app)
  await checkHistory(app)
  // Gauges are kept for ten seconds.
  clock.advance(11_000)
  const metrics = await (await fetch(`${nodeUrl}/Metrics`)).text()
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operations/monitoring.md'), 'utf8')
  const section = /## Metrics\n([\s\S]*?)\n## /.exec(page)?.[1] ?? ''
  const own = [...metrics.matchAll(/^# TYPE (acc_\w+)/gm)].map(([, name = '']) => {
    const labels = new RegExp(`^${name}(?:_count)?\\{(.*)\\} `, 'm').exec(metrics)?.[1] ?? ''
    const names = [...labels.matchAll(/(\w+)=/g)].map(([, label]) => label)
    return names.length === 0 ? name : `${name}{${names.join(',')}}`
  })
  expect([...section.matchAll(/`(acc_[^`]+)`/g)].map(([, name]) => name).sort()).toEqual(own.sort())
  for (const [, name] of section.matchAll(/`((?:nodejs|process)_\w+)`/g)) expect(metrics).toContain(`# TYPE ${name} `)
  expect(metrics).toMatch(/^acc_calls_total\{method="GET",path="\/Client\/Download\/Deploy\/Web",status="\d+"\} 1$/m)
  expect(page).toContain(`path="${api.clientVersions.downloadDeployed.path}"`)
})

test('alert rules and the dashboard read metrics and labels that a scrape has, and leave out paths that exist', async () => {
  await fetch(nodeUrl + api.clientVersions.downloadDeployed.path)
  const metrics = await (await fetch(`${nodeUrl}/Metrics`)).text()
  const folder = join(import.meta.dirname, '../../../docs/operations')
  const expressions = [
    ...readFileSync(join(folder, 'alerts.yml'), 'utf8').matchAll(/expr: (.*)/g),
    ...readFileSync(join(folder, 'grafana.json'), 'utf8').matchAll(/"expr": "((?:\\.|[^"])*)"/g),
  ].map(([, expression = '']) => expression.replaceAll('\\"', '"'))
  expect(expressions.length).toBeGreaterThan(FAULT_NAMES.length + 15)
  for (const expression of expressions)
    for (const [, name = '', labels = ''] of expression.matchAll(/\b((?:acc|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)) {
      const grouped = /\bby \(([^)]*)\)/.exec(expression)?.[1]?.split(', ') ?? []
      const used = [...[...labels.matchAll(/(\w+)[=!]/g)].map(([, label = '']) => label), ...grouped]
      const series = metrics.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      expect(series, name).not.toEqual([])
      // The scraper adds the instance.
      for (const label of used.filter((one) => one !== 'instance'))
        expect(series.join('\n'), `${name} of ${expression}`).toContain(`${label}="`)
    }
  for (const path of [api.events.stream.path, api.requests.upload.path]) expect(path).toMatch(/^(?:\/Events|.*\/File)$/)
})

test('bad input names its fields', async () => {
  const { body } = await login({ headers: JSON_BODY, body: '{"id": "admin"}' })
  expect(body).toMatchObject({ errorCode: 983, data: { fields: ['pw'] } })
})

test('every answer forbids what no answer needs', async () => {
  for (const path of ['/Configs', '/No/Such/Call', '/Account/Session']) {
    const { headers } = await call(path)
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self';/)
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('a forwarded address counts only from a proxy that the operator named', async () => {
  await call('/Account/Login', {
    method: 'POST',
    headers: { ...JSON_BODY, 'x-forwarded-for': '203.0.113.9' },
    body: JSON.stringify({ id: admin.id, pw: ADMIN_PASSWORD }),
  })
  const last = await app.db.read
    .selectFrom('signIns')
    .select('ip')
    .orderBy('idx', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(last.ip).toBe('127.0.0.1')
})

/** A handler's context as the runner makes it for a route. */
async function contextFor(route: Route) {
  const call = {
    actor: undefined,
    server: undefined,
    cookies: {
      session: undefined,
      setSession: () => undefined,
      clearSession: () => undefined,
      sso: undefined,
      setSso: () => undefined,
      clearSso: () => undefined,
    },
    body: undefined,
    file: undefined,
    ip: '127.0.0.1',
    userAgent: '',
    language: 'ko' as const,
    timeZone: 'UTC',
    requestId: 'x',
  }
  return contextOf({ route, services: app }, call)
}

test('inside a change only its transaction may be read; after it, failed or not, reads work again', async () => {
  const ctx = await contextFor(api.mails.resend)
  await expect(ctx.change(async () => ({ result: ctx.read }))).rejects.toThrow('only its transaction')
  expect(await ctx.read.selectFrom('groups').select('idx').execute()).toHaveLength(1)
})

/** Databases and pools among all objects that are reachable from a value by its properties. */
function databasesIn(value: unknown, seen = new Set<unknown>()): unknown[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  if (value instanceof Kysely || value instanceof pg.Pool) return [value]
  return Object.values(value).flatMap((one) => databasesIn(one, seen))
}

test('a handler reaches the database by read, change and record alone', async () => {
  const ctx = await contextFor(api.mails.resend)
  expect(databasesIn(app).length).toBeGreaterThan(1)
  const { read, ...others } = ctx
  expect(databasesIn(others)).toEqual([])
  const insert = sql`insert into settings (name, value) values ('x', '1')`
  await expect(insert.execute(read)).rejects.toThrow('read-only transaction')
  // @ts-expect-error the services of a handler have no database
  expect(ctx.services.db).toBeUndefined()
})

const detail = { targetName: null, targetValue: null, targetOldValue: null }
const ENTRY = { kind: 'settingManage', type: 0, subject: 'probe', subjectIdx: null, groupIdx: null, detail } as const
const probes = () => app.db.read.selectFrom('history').select('idx').where('subject', '=', 'probe').execute()

test('a change that announces a topic which its route does not list is undone', async () => {
  const ctx = await contextFor(api.mails.resend)
  const change = ctx.change(async (tx) => {
    await notify(tx, { topic: 'mails' })
    await notify(tx, { topic: 'users', groupIdx: null })
    return { result: undefined, log: [ENTRY] }
  })
  await expect(change).rejects.toThrow('POST /Mail/Resend announces users')
  expect(await probes()).toEqual([])
})

test('a logged change that does not announce the first topic of its route is undone', async () => {
  const ctx = await contextFor(api.mails.resend)
  await expect(ctx.change(async () => ({ result: undefined, log: [ENTRY] }))).rejects.toThrow('does not announce mails')
  expect(await probes()).toEqual([])
})

test('a change that announces its topic without a row of the history is undone', async () => {
  const ctx = await contextFor(api.groups.update)
  const change = ctx.change(async (tx) => ({ result: await notify(tx, { topic: 'groups', groupIdx: null }) }))
  await expect(change).rejects.toThrow('announces groups without a row of its history')
})

test.each<[string, (tx: Tx) => Promise<unknown>]>([
  ['built', (tx) => tx.updateTable('users').set({ name: 'probe' }).execute()],
  ['written out', (tx) => sql`update users set name = 'probe' where id = ${admin.id}`.execute(tx)],
])('rows that change by a %s statement and are not announced are changed back', async (_, write) => {
  const ctx = await contextFor(api.mails.resend)
  const change = ctx.change(async (tx) => ({ result: await write(tx) }))
  await expect(change).rejects.toThrow('POST /Mail/Resend changes rows of users, which it does not announce')
  expect(await app.db.read.selectFrom('users').select('idx').where('name', '=', 'probe').execute()).toEqual([])
})

test('what no screen shows is written without an announcement', async () => {
  const ctx = await contextFor(api.mails.resend)
  await ctx.change(async (tx) => {
    await tx.updateTable('users').set({ loginFails: 0, revision: sql<number>`revision + 1` }).execute()
    await sql`update users set revision = revision + 1 where true`.execute(tx)
    await tx.updateTable('users').set({ name: 'probe' }).where('idx', '=', 0).execute()
    return { result: undefined }
  })
})

test('a row of the history with a field that its kind does not have is undone', async () => {
  const ctx = await contextFor(api.mails.resend)
  const more = { ...detail, targetColor: 'red' }
  const change = ctx.change(async (tx) => {
    await notify(tx, { topic: 'mails' })
    return { result: undefined, log: [{ ...ENTRY, detail: more }] }
  })
  await expect(change).rejects.toThrow('a row of settingManage with fields that it does not have')
  expect(await probes()).toEqual([])
})

test('a read of tables of which its route shows no topic is a defect', () => {
  const check = (tables: string[]) => () => requireShownTopics(app, api.bim.searchServers, new Set(tables))
  expect(check(['bimServers', 'history'])).not.toThrow()
  expect(check(['bimServers', 'groups'])).toThrow('reads groups, of which it shows no topic')
})

test('an error that a route does not list is a defect; those of its access need no listing', () => {
  const check = (route: Route, name: ErrorName) => () => requireDeclaredError(app, route, new Failure(name))
  const resend = { ...api.mails.resend, path: '/Resend' } as const
  expect(check(resend, 'DUPLICATE_NAME')).toThrow('throws DUPLICATE_NAME')
  expect(check(api.session.login, 'DEVICE_REMOVED')).toThrow('throws DEVICE_REMOVED')
  expect(check(resend, 'MAIL_FAILED')).not.toThrow()
  expect(check(resend, 'NOT_ALLOWED')).not.toThrow()
  expect(check(resend, 'ACCOUNT_EXPIRED')).not.toThrow()
  expect(check(api.agent.heartbeat, 'DEVICE_REMOVED')).not.toThrow()
})

test('an error that a route does not list ends its call, and the test learns why', async () => {
  const spec = { input: z.object({}), data: z.object({}), access: 'public', shows: [] } as const
  const contract = {
    listed: get('/Listed', { ...spec, errors: ['DUPLICATE_NAME'] }),
    unlisted: get('/Unlisted', { ...spec, errors: [] }),
  }
  const server = Fastify()
  await server.register(cookie)
  handleErrors(server, server.log)
  const lookups = {
    findActor: async () => undefined,
    isRegisterDue: async () => false,
    findBimServer: async () => undefined,
  }
  const refuse = () => fail('DUPLICATE_NAME')
  registerModule(server, app, lookups, routes(contract, { listed: refuse, unlisted: refuse }))
  const { probe } = createClient({ probe: contract }, { baseUrl: await server.listen({ host: '127.0.0.1', port: 0 }) })
  await expect(probe.listed({})).rejects.toMatchObject({ error: 'DUPLICATE_NAME' })
  await expect(probe.unlisted({})).rejects.toThrow('GET /Unlisted throws DUPLICATE_NAME, which it does not list')
  server.server.closeAllConnections()
  await server.close()
})

test('no statement can write on the read connections', async () => {
  await expect(app.db.read.deleteFrom('sessions').execute()).rejects.toMatchObject({ code: '25006' })
})

test('the history cannot be changed or deleted, nor by the owner of its tables', async () => {
  const entry = {
    kind: 'settingManage',
    logDT: new Date(),
    actorId: '',
    actorName: '',
    actorGroupName: '',
    subject: 'x',
    ip: '',
    type: 0,
    detail: '{}',
  }
  await app.db.write.insertInto('history').values(entry).execute()
  for (const db of [app.db.write, owner]) {
    await expect(db.updateTable('history').set({ subject: 'y' }).execute()).rejects.toMatchObject({ code: '42501' })
    await expect(db.deleteFrom('history').execute()).rejects.toMatchObject({ code: '42501' })
    await expect(sql`truncate history`.execute(db)).rejects.toMatchObject({ code: '42501' })
  }
})

test('sign-ins cannot be deleted, nor by the owner of their table', async () => {
  await login({ headers: JSON_BODY })
  for (const db of [app.db.write, owner]) {
    await expect(db.deleteFrom('signIns').execute()).rejects.toMatchObject({ code: '42501' })
    await expect(sql`truncate "signIns"`.execute(db)).rejects.toMatchObject({ code: '42501' })
  }
})
