// The access matrix over HTTP: every kind of caller calls every route (callers.ts; as a table: matrix.md).
import type { Route } from '@acc/contract/core/route'
import { ROOT_GROUP } from '@acc/contract/groups'
import { Role } from '@acc/contract/labels/access'
import { expect, test } from 'vitest'
import { findAccount } from '../../src/domains/credentials/credentials.queries.ts'
import { openSession } from '../../src/domains/session/session.service.ts'
import { startTestApp } from '../app.ts'
import { buildManager } from '../build/authorities.ts'
import { buildBimServer } from '../build/bim.ts'
import { buildUser } from '../build/users.ts'
import { CALLERS, type Caller, ROUTES } from './callers.ts'

const { app, as, baseUrl, admin } = await startTestApp()

async function cookieOf(idx: number): Promise<{ cookie: string }> {
  const account = await findAccount(app.db.read, { idx })
  if (account === undefined) throw new Error('no such user')
  const token = await app.db.write
    .transaction()
    .execute((tx) => openSession(tx, app, account, { ip: '127.0.0.1', userAgent: 'matrix' }))
  return { cookie: `acc=${token}` }
}

const bimServer = await buildBimServer(as(admin))

async function build({ role, pageAuth }: NonNullable<Caller['rights']>): Promise<{ idx: number }> {
  if (role === Role.ADMIN) return admin
  return role === Role.USER ? buildUser(app.db) : buildManager(app.db, { groups: [{ idx: ROOT_GROUP }], ...pageAuth })
}

type Headers = Record<string, string>
/** Returns what a caller sends with a call; `renew` opens another session. */
async function signerOf({ name, rights }: Caller): Promise<(renew: boolean) => Promise<Headers>> {
  if (rights !== undefined) {
    const { idx } = await build(rights)
    let cookie = cookieOf(idx)
    return (renew) => {
      if (renew) cookie = cookieOf(idx)
      return cookie
    }
  }
  const headers: Headers = name === 'BIM server' ? { authorization: `Bearer ${bimServer.id}` } : {}
  return async () => headers
}
const callers = await Promise.all(CALLERS.map(async (caller) => ({ ...caller, headersOf: await signerOf(caller) })))

/** The response codes of a session that another call has ended, and how many calls end sessions. */
const NO_SESSION: readonly number[] = [960, 962]
const ENDING = 3
/** The response code of a call without input: 960 or 980 only if the access check rejects it. */
async function codeOf(route: Route, { rights, headersOf }: (typeof callers)[number]): Promise<number> {
  let code = await codeFor(route, await headersOf(false))
  for (let ended = 0; rights !== undefined && NO_SESSION.includes(code) && ended < ENDING; ended++)
    code = await codeFor(route, await headersOf(true))
  return code
}

async function codeFor(route: Route, headers: Headers): Promise<number> {
  const hasBody = route.method !== 'GET' && route.kind !== 'upload'
  const stop = new AbortController()
  const response = await fetch(baseUrl + route.path, {
    method: route.method,
    headers: {
      'x-requested-with': 'XMLHttpRequest',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(hasBody && { body: '{}' }),
    signal: stop.signal,
  })
  if (response.headers.get('content-type') === 'text/event-stream') {
    stop.abort()
    return 0
  }
  expect(response.status).toBeLessThan(500)
  const isFile = response.headers.has('content-disposition')
  if ((route.kind === 'page' && response.ok) || isFile) return 0
  return ((await response.json()) as { errorCode: number }).errorCode
}

test.each(callers)('the gate stops $name where the matrix says so, and nowhere else', async (caller) => {
  const wrong: string[] = []
  const left = ROUTES.values()
  const tryRoutes = async () => {
    for (const route of left) {
      const code = await codeOf(route, caller)
      const isStopped = code === 960 || code === 980
      const isAllowed = caller.allows(route.access)
      const refusal = caller.rights === undefined ? 960 : 980
      if (isStopped === isAllowed) wrong.push(`${route.method} ${route.path}: ${code}`)
      if (!isAllowed && code !== refusal) wrong.push(`${route.method} ${route.path}: ${code}`)
    }
  }
  await Promise.all([tryRoutes(), tryRoutes(), tryRoutes(), tryRoutes()])
  expect(wrong).toEqual([])
})
