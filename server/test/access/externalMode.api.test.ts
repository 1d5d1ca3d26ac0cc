// External mode (spec S1 §1): server and console send every user to the download page. Every route of the contract is
// called, so new ones are covered.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@acc/contract'
import type { Route } from '@acc/contract/core/route'
import { expect, test } from 'vitest'
import { startTestApp } from '../app.ts'
import { buildManager } from '../build/authorities.ts'
import { buildGroups } from '../build/groups.ts'

const file = join(mkdtempSync(join(tmpdir(), 'acc-external-')), 'console.json')
writeFileSync(file, JSON.stringify({ isExternalMode: true }))
const { app, as, admin, fetchAs } = await startTestApp({ ACC_CONSOLE_CONFIG: file })
const { sales } = await buildGroups(app.db, 'sales')
const manager = await buildManager(app.db, { groups: [sales], policy: 2, user: 2, fileExportApprove: 2, log: 1 })
const people = [admin, manager]

const routes: Route[] = Object.values(api).flatMap((domain): Route[] => Object.values(domain))
const isForDevices = ({ access }: Route) => access === 'agent' || access === 'bimServer'
const isAdministration = ({ access, kind, ...route }: Route) =>
  (access === 'admin' || typeof access === 'object' || kind === 'events') && route.inExternalMode === undefined

/** The calls that complete a part of the register step without input. */
const CHOICES = { license: '/License/Evaluation', mail: '/MailServer/EvaluationOutbox' } as const

async function codeOf(route: Route, call: ReturnType<typeof fetchAs>): Promise<number> {
  const hasBody = route.method !== 'GET' && route.kind === 'json'
  const response = await call(route.path, {
    method: route.method,
    headers: { 'x-requested-with': 'XMLHttpRequest', ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: '{}' }),
  })
  if (route.kind === 'page' && response.ok) return 0
  return ((await response.json()) as { errorCode: number }).errorCode
}

test('every call of the administration is refused, for administrators too', async () => {
  const closed = routes.filter(isAdministration)
  expect(closed.length).toBeGreaterThan(20)
  const open: string[] = []
  const calls = people.map(fetchAs)
  for (const route of closed)
    for (const call of calls) if ((await codeOf(route, call)) !== 980) open.push(`${route.method} ${route.path}`)
  expect(open).toEqual([])
})

test("calls about oneself, the register step's and those without a session go on", async () => {
  const isChoice = ({ path }: Route) => Object.values<string>(CHOICES).includes(path)
  const others = routes
    .filter((route) => !isAdministration(route) && !isForDevices(route))
    // Once its part of the step is done, the other calls of the part are closed.
    .sort((one, other) => Number(isChoice(one)) - Number(isChoice(other)))
  const refused: string[] = []
  // A session each, since a call may end it.
  for (const route of others)
    if ((await codeOf(route, fetchAs(admin))) === 980) refused.push(`${route.method} ${route.path}`)
  expect(refused).toEqual([])
})

test('no role sees groups', async () => {
  for (const person of people) expect((await as(person).groups.searchAuthGroups({})).groups).toEqual([])
})

test.each(['license', 'mail'] as const)(
  'the part %s of the register step is open only while it is due',
  async (part) => {
    await app.db.write.deleteFrom('settings').where('name', 'like', 'evaluation%').execute()
    const calls = routes.filter(({ inExternalMode }) => inExternalMode === part)
    const isChoice = ({ path }: Route) => path === CHOICES[part]
    const choice = calls.filter(isChoice)
    expect(choice).toHaveLength(1)
    for (const route of calls) expect(await codeOf(route, fetchAs(manager))).toBe(980)
    for (const route of calls.filter((call) => !isChoice(call)))
      expect(await codeOf(route, fetchAs(admin))).not.toBe(980)
    for (const route of choice) expect(await codeOf(route, fetchAs(admin))).toBe(0)
    for (const route of calls) expect(await codeOf(route, fetchAs(admin))).toBe(980)
  },
)
