// SQL and patterns in every parameter of every list of the contract: each is refused or matches nothing.
import { api } from '@acc/contract'
import type { Route } from '@acc/contract/core/route'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp } from '../app.ts'
import { buildUser } from '../build/users.ts'
import { openDesktopClient } from '../desktopClients.ts'

const site = await startTestApp()
const { app, admin, fetchAs, baseUrl } = site
const canary = await buildUser(app.db, { name: 'Canary' })
const calls = fetchAs(admin)
const { token } = await openDesktopClient(site, canary)
const callsOfPc = (path: string) => fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } })

const PAYLOADS = [
  `' or '1'='1`,
  `1;select pg_sleep(30)`,
  `idx desc; update users set name = 'x'`,
  `%`,
  `_`,
  `\\`,
  `$1"`,
]

const lists = Object.values(api)
  .flatMap((routes): Route[] => Object.values(routes))
  .filter(({ kind }) => kind === 'list')
const parametersOf = ({ input }: Route) =>
  Object.keys(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties ?? {})

test('there are lists, and each has parameters', () => {
  expect(lists.length).toBeGreaterThan(20)
  expect(lists.filter((route) => parametersOf(route).length === 0)).toEqual([])
})

test.each(lists.map((route) => [route.path, route] as const))('%s', async (path, route) => {
  const send = route.access === 'agent' ? callsOfPc : calls
  const attempt = async (parameter: string, payload: string) => {
    const response = await send(`${path}?${new URLSearchParams({ [parameter]: payload })}`)
    const { errorCode, data } = (await response.json()) as { errorCode: number; data?: { totalCount: number } }
    const found = errorCode === 0 ? data?.totalCount : errorCode
    expect([0, 983], `${parameter}=${payload}`).toContain(found)
  }
  for (const payload of PAYLOADS) await Promise.all(parametersOf(route).map((parameter) => attempt(parameter, payload)))
})

test('nothing was changed, and nothing of the texts runs', async () => {
  const row = await app.db.read.selectFrom('users').select('name').where('idx', '=', canary.idx).executeTakeFirst()
  expect(row).toEqual({ name: 'Canary' })
  const { rows } = await sql`select query from pg_stat_activity
    where datname = current_database() and query ilike '%pg_sleep(30)%' and pid <> pg_backend_pid()`.execute(
    app.db.write,
  )
  expect(rows).toEqual([])
})
