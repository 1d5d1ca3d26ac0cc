// The access matrix: every route against every kind of caller. Derived from the contract, compared with the committed table
// matrix.md (readable for auditors), and tested over HTTP.
import { api } from '@acc/contract'
import { type Access, can, FULL_PAGE_AUTH, NO_PAGE_AUTH, type PageAuth } from '@acc/contract/core/access'
import type { Route } from '@acc/contract/core/route'
import { ROOT_GROUP } from '@acc/contract/groups'
import { PAGES, Role } from '@acc/contract/labels/access'
import { expect, test } from 'vitest'
import { findAccount } from '../../src/domains/credentials/credentials.queries.ts'
import { openSession } from '../../src/domains/session/session.service.ts'
import { startTestApp } from '../app.ts'
import { buildManager } from '../build/authorities.ts'
import { buildBimServer } from '../build/bim.ts'
import { buildUser } from '../build/users.ts'

const { app, as, baseUrl, admin } = await startTestApp()

type Caller = {
  name: string
  headers(): Promise<Record<string, string>>
  refusal: 960 | 980
  allows(access: Access): boolean
}

async function cookieOf(idx: number): Promise<{ cookie: string }> {
  const account = await findAccount(app.db.read, { idx })
  if (account === undefined) throw new Error('no such user')
  const token = await app.db.write
    .transaction()
    .execute((tx) => openSession(tx, app, account, { ip: '127.0.0.1', userAgent: 'matrix' }))
  return { cookie: `acc=${token}` }
}

const person = (name: string, idx: number, allows: Caller['allows']): Caller => ({
  name,
  headers: () => cookieOf(idx),
  refusal: 980,
  allows,
})

async function manager(name: string, auth: Partial<PageAuth>): Promise<Caller> {
  const pageAuth = { ...NO_PAGE_AUTH, ...auth }
  const { idx } = await buildManager(app.db, { groups: [{ idx: ROOT_GROUP }], ...pageAuth })
  return person(name, idx, (access) => can({ role: Role.MANAGER, pageAuth }, access))
}

const bimServer = await buildBimServer(as(admin))

const callers: Caller[] = [
  { name: 'anonymous', headers: async () => ({}), refusal: 960, allows: (access) => access === 'public' },
  person('user', (await buildUser(app.db)).idx, (access) => can({ role: Role.USER, pageAuth: NO_PAGE_AUTH }, access)),
  ...(await Promise.all(PAGES.map((page) => manager(`${page} 1`, { [page]: 1 })))),
  ...(await Promise.all(PAGES.filter((page) => page !== 'log').map((page) => manager(`${page} 2`, { [page]: 2 })))),
  person('administrator', admin.idx, (access) => can({ role: Role.ADMIN, pageAuth: FULL_PAGE_AUTH }, access)),
  {
    name: 'BIM server',
    headers: async () => ({ authorization: `Bearer ${bimServer.id}` }),
    refusal: 960,
    allows: (access) => access === 'public' || access === 'bimServer',
  },
]
const allRoutes: Route[] = Object.values(api).flatMap((routes): Route[] => Object.values(routes))

test('the matrix is the committed one', async () => {
  const head = ['call', ...callers.map(({ name }) => name), 'client']
  const lines = allRoutes.map((route) => [
    `${route.method} ${route.path}`,
    ...callers.map((caller) => (caller.allows(route.access) ? 'yes' : '-')),
    route.access === 'agent' || route.access === 'public' ? 'yes' : '-',
  ])
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  await expect(
    `# Who may call what\n\nMade from the contract by matrix.api.test.ts. Numbers are levels of an authority; rows are narrowed by group as well.\n\n${table}\n`,
  ).toMatchFileSnapshot('matrix.md')
})

/** The response code of a call without input: 960 or 980 only if the access check rejects it. */
async function codeOf(route: Route, caller: Caller): Promise<number> {
  const hasBody = route.method !== 'GET' && route.kind !== 'upload'
  const stop = new AbortController()
  const response = await fetch(baseUrl + route.path, {
    method: route.method,
    headers: {
      'x-requested-with': 'XMLHttpRequest',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(await caller.headers()),
    },
    ...(hasBody && { body: '{}' }),
    signal: stop.signal,
  })
  if (response.headers.get('content-type') === 'text/event-stream') {
    stop.abort()
    return 0
  }
  expect(response.status).toBeLessThan(500)
  if (route.kind === 'page' && response.ok) return 0
  return ((await response.json()) as { errorCode: number }).errorCode
}

test.each(callers)('the gate stops $name where the matrix says so, and nowhere else', async (caller) => {
  const wrong: string[] = []
  for (const route of allRoutes) {
    const code = await codeOf(route, caller)
    const isStopped = code === 960 || code === 980
    const isAllowed = caller.allows(route.access)
    if (isStopped === isAllowed) wrong.push(`${route.method} ${route.path}: ${code}`)
    if (!isAllowed && code !== caller.refusal) wrong.push(`${route.method} ${route.path}: ${code}`)
  }
  expect(wrong).toEqual([])
})
