// Rows of foreign groups: a manager with every level on one group sends idxes of another one, in every call that takes
// an idx. The response is the same as for rows that do not exist, and nothing changes. An authority over the other
// group that grants only other pages, or only to look, lets no more be done there.
import { api } from '@acc/contract'
import { ApiError } from '@acc/contract/core/client'
import { idx } from '@acc/contract/core/fields'
import type { Route } from '@acc/contract/core/route'
import { AUDIT_KINDS, type AuditKind, DETAILED_LOGS, detailOf, eventLabel, LOGS } from '@acc/contract/history/kinds'
import { PAGES, type Page } from '@acc/contract/labels/access'
import { RequestState } from '@acc/contract/labels/requests'
import { DEFAULT_POLICY } from '@acc/contract/policies'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp } from '../app.ts'
import { buildAuthority, buildManager } from '../build/authorities.ts'
import { buildGroups } from '../build/groups.ts'
import { buildRequest } from '../build/requests.ts'
import { buildUser } from '../build/users.ts'

const { app, as, fetchAs, admin, clock } = await startTestApp()
const { db } = app
const groups = await buildGroups(db, 'mine', 'mine/below', 'theirs', 'theirs/first', 'theirs/second')
const levels = { policy: 2, user: 2, fileExportApprove: 2, fileImportApprove: 2, log: 1 } as const
const reader = await buildManager(db, { groups: [groups.mine], ...levels })
const manager = as(reader)
/** Managers of one's own group who have every level on the other one as well, but on a page. */
const withoutPage = new Map<Page, Awaited<ReturnType<typeof buildManager>>>()
for (const page of PAGES) {
  const partial = await buildManager(db, { groups: [groups.mine], ...levels })
  await buildAuthority(db, { groups: [groups.theirs], users: [partial], ...levels, [page]: 0 })
  withoutPage.set(page, partial)
}
const viewLevels = { policy: 1, user: 1, fileExportApprove: 1, fileImportApprove: 1, log: 1 } as const
const viewer = await buildManager(db, { groups: [groups.mine], ...levels })
await buildAuthority(db, { groups: [groups.theirs], users: [viewer], ...viewLevels })
const own = await buildUser(db, { group: groups.mine })
const foreign = await buildUser(db, { group: groups.theirs })
const request = await buildRequest(app, { ...foreign, groupIdx: groups.theirs.idx })
const ownRequest = await buildRequest(app, { ...own, groupIdx: groups.mine.idx })
const session = await as(foreign)
  .session.find({})
  .then(() => db.read.selectFrom('sessions').select('idx').where('userIdx', '=', foreign.idx).executeTakeFirstOrThrow())
const policy = await db.write
  .insertInto('policies')
  .values({ groupIdx: groups.theirs.idx, ...DEFAULT_POLICY })
  .returning('idx')
  .executeTakeFirstOrThrow()
await db.write.updateTable('groups').set({ isMyPolicy: 1 }).where('idx', '=', groups.theirs.idx).execute()

const NOWHERE = 999_999
type Rows = { user: number; group: number; request: number; policy: number }
/** Every call with an idx that a manager may use, with its input; `at` is a foreign or a nonexistent idx. */
const CALLS: Record<string, (at: Rows, calls: typeof manager) => Promise<unknown>> = {
  'GET /User': ({ user }, calls) => calls.users.find({ idx: user }),
  'GET /Users/Removal': ({ user }, calls) => calls.users.findRemoval({ idxes: [user] }),
  'GET /Group/Removal': ({ group }, calls) => calls.groups.findRemoval({ idx: group }),
  'POST /User': ({ group }, calls) =>
    calls.users.create({ id: 'newcomer', name: 'New', email: 'new@example.com', groupIdx: group, isMortal: 0 }),
  'PUT /User': ({ user }, calls) => calls.users.update({ idx: user, name: 'Taken' }),
  'PUT /User/State/Disabled': ({ user }, calls) => calls.users.setDisabled({ idx: user, state: 2 }),
  'POST /User/ResetPw': ({ user }, calls) => calls.users.resetPw({ idx: user }),
  'POST /User/ResetTotpSecret': ({ user }, calls) => calls.users.resetTotpSecret({ idx: user }),
  'POST /User/ResetLicense': ({ user }, calls) => calls.users.resetLicense({ idx: user }),
  'PUT /User/IsSinglePC': ({ user }, calls) => calls.users.setIsSinglePC({ idx: user, isSinglePC: 1 }),
  'PUT /User/IsMyPolicy': ({ user }, calls) => calls.users.setIsMyPolicy({ idx: user, isMyPolicy: 1 }),
  'PUT /Users/Group': ({ user }, calls) => calls.users.move({ idxes: [own.idx, user], groupIdx: groups.below.idx }),
  'PUT /Users/State/Disabled': ({ user }, calls) => calls.users.setDisabledOfMany({ idxes: [own.idx, user], state: 2 }),
  'PUT /Users/Expiry': ({ user }, calls) => calls.users.setExpiry({ idxes: [own.idx, user], isMortal: 0 }),
  'DELETE /Users': ({ user }, calls) => calls.users.remove({ idxes: [own.idx, user] }),
  'DELETE /User/Session': ({ user }, calls) => calls.users.endSession({ idx: user, sessionIdx: session.idx }),
  'POST /Group': ({ group }, calls) => calls.groups.create({ parentIdx: group, name: 'intruder' }),
  'PUT /Group': ({ group }, calls) => calls.groups.update({ idx: group, name: 'renamed' }),
  'DELETE /Group': ({ group }, calls) => calls.groups.remove({ idx: group }),
  'PUT /Group/IsMyPolicy': ({ group }, calls) => calls.groups.setIsMyPolicy({ idx: group, isMyPolicy: 0 }),
  'PUT /Group/Order': ({ group }, calls) => calls.groups.reorder({ orderedIdxes: [group, groups.first.idx] }),
  'GET /Policy': ({ group }, calls) => calls.policies.find({ ownerIdx: group, ownerType: 0 }),
  'GET /Policy/OwnerName': ({ user }, calls) => calls.policies.findOwnerName({ ownerIdx: user, ownerType: 1 }),
  'GET /Policy/Users': ({ group }, calls) => calls.policies.searchUsers({ groupIdx: group }),
  'PUT /Policy': ({ policy }, calls) => calls.policies.update({ idx: policy, fileExport: 1 }),
  'GET /FileEximport': ({ request }, calls) => calls.requests.find({ idx: request }),
  'POST /FileEximport/Approval': ({ request }, calls) => calls.requests.decide({ idx: request, state: 1 }),
  'GET /Logs/Entry': ({ request }, calls) => calls.history.find({ log: 'fileEximport', idx: request }),
  'GET /FileEximport/Download': ({ request }, calls) => calls.requests.download({ fileEximport: request }),
}
/** Calls whose idx is a list filter or the caller's own, such as an import (userImports.managers.api.test.ts). */
const ELSEWHERE = new Set([
  'GET /FileEximports/Search',
  'GET /Users/Search',
  'DELETE /Account/Session',
  'GET /HourlyUserLogins',
  'GET /ApproveRequests',
  'GET /FileImportStates',
  'GET /FileExportStates',
  'GET /UserStates',
  'GET /Users/Import',
  'GET /Users/Import/Rows/Search',
  'POST /Users/Import/Apply',
  'POST /Users/Import/Pause',
  'DELETE /Users/Import',
  ...Object.values(LOGS).map(({ path }) => `GET ${path}`),
])

/** Whether an input field contains idxes: the contract's `idx`, optional or in a list. */
function holdsIdxes(field: z.core.$ZodType): boolean {
  if (field === idx) return true
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault)
    return holdsIdxes(field.def.innerType)
  return field instanceof z.ZodArray && holdsIdxes(field.def.element)
}
const namesRows = (route: Route) => Object.values(route.input.shape).some(holdsIdxes)
const reachable = (route: Route) => route.access === 'session' || typeof route.access === 'object'

const all = Object.values(api).flatMap((routes): Route[] => Object.values(routes))

test('fields that are called idx hold idxes of the contract, or text to search for', () => {
  const called = all.flatMap(({ path, input }) =>
    Object.entries(input.shape).flatMap(([name, field]) =>
      /idx(es)?$/i.test(name) && !holdsIdxes(field) && !field.safeParse('1').success ? [`${path} ${name}`] : [],
    ),
  )
  expect(called).toEqual([])
})

test('every call that names a row is tried here', () => {
  const named = all
    .filter((route) => reachable(route) && namesRows(route))
    .map((route) => `${route.method} ${route.path}`)
  expect(named.filter((call) => !(call in CALLS) && !ELSEWHERE.has(call))).toEqual([])
})

/** Returns a snapshot of every row that a call could have changed. */
async function snapshot(): Promise<string> {
  const tables = [
    'users',
    'groups',
    'policies',
    'fileEximports',
    'devices',
    'mails',
    'history',
    'authorities',
    'authorityUsers',
    'authorityGroups',
  ]
  const rows = await Promise.all(
    tables.map((table) => sql`select * from ${sql.table(table)} order by 1, 2`.execute(db.write)),
  )
  return JSON.stringify(rows.map((result) => result.rows))
}

const THEIRS = { user: foreign.idx, group: groups.theirs.idx, request: request.idx, policy: policy.idx }
const NOBODYS = { user: NOWHERE, group: NOWHERE, request: NOWHERE, policy: NOWHERE }
/** Code and data of the error. The answer may repeat the idxes that the call named. */
async function outcome(call: Promise<unknown>, named = NOBODYS): Promise<string> {
  const error = await call.then(
    () => 'done',
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) return String(error)
  const idxes = new RegExp(`\\b(?:${Object.values(named).join('|')})\\b`, 'g')
  return `${error.code} ${JSON.stringify(error.data ?? null).replace(idxes, 'named')}`
}

test.each(Object.entries(CALLS))('%s: what is theirs is as if it were not there', async (_, call) => {
  const before = await snapshot()
  const theirs = await outcome(call(THEIRS, manager), THEIRS)
  expect(theirs).toMatch(/^980 /)
  expect(await outcome(call(NOBODYS, manager))).toBe(theirs)
  expect(await snapshot()).toBe(before)
})

/** The page that a call is of; the request is one to export. */
function pageOf(name: string): Page {
  const access = all.find(({ method, path }) => `${method} ${path}` === name)?.access
  const [page] = typeof access === 'object' ? access.pages : []
  return page ?? 'log'
}

test.each(Object.entries(CALLS))(
  '%s: a right on the other pages of their group is none on this one',
  async (name, call) => {
    const calls = as(withoutPage.get(pageOf(name)) ?? reader)
    const before = await snapshot()
    expect(await outcome(call(THEIRS, calls))).toMatch(/^980 /)
    expect(await snapshot()).toBe(before)
  },
)

/** Calls of those who may look; the files of a request are for those who decide it. */
const isView = (call: string) => call.startsWith('GET ') && call !== 'GET /FileEximport/Download'

test('those who may only read foreign rows read them, and change none', async () => {
  const calls = as(viewer)
  for (const [name, call] of Object.entries(CALLS).filter(([name]) => isView(name)))
    if (name !== 'GET /Logs/Entry') expect(await outcome(call(THEIRS, calls)), name).toBe('done')
  for (const [name, call] of Object.entries(CALLS).filter(([name]) => !isView(name))) {
    const before = await snapshot()
    expect(await outcome(call(THEIRS, calls)), name).toMatch(/^980 /)
    expect(await snapshot(), name).toBe(before)
  }
  expect(await outcome(calls.requests.download({ fileEximport: request.idx, isTrial: 1 }))).toMatch(/^980 /)
})

test('of the groups above, those with a right on other pages only are neither shown nor counted', async () => {
  const { theirs, first } = groups
  const inner = await buildManager(db, { groups: [first], ...levels })
  await buildAuthority(db, { groups: [theirs], users: [inner], user: 2, log: 1 })
  await buildRequest(app, { ...foreign, groupIdx: theirs.idx }, { state: RequestState.APPROVED })
  const { idx } = await buildRequest(app, { ...foreign, groupIdx: first.idx })
  expect(await as(inner).requests.find({ idx })).toMatchObject({ groupPath: ['first'], recent: { count: 0 } })
  const { chain } = await as(inner).policies.find({ ownerIdx: first.idx, ownerType: 0 })
  expect(chain.map(({ ownerIdx }) => ownerIdx)).toEqual([null, null, first.idx])
})

const MARK = 'theirs.canary'
/** Writes a row of a log about a foreign group, with every text of it marked. */
async function writeRow(kind: AuditKind): Promise<void> {
  const texts = Object.entries(detailOf(kind).shape).filter(([, field]) => z.safeParse(field, MARK).success)
  const type = [0, 1, 2].find((number) => eventLabel(kind, number) !== undefined) ?? 0
  const actor = { actorIdx: foreign.idx, actorId: MARK, actorName: MARK, actorGroupName: MARK }
  const detail = JSON.stringify(Object.fromEntries(texts.map(([name]) => [name, MARK])))
  const row = { ...actor, kind, type, result: 0, subject: MARK, subjectIdx: foreign.idx, ip: '10.0.0.9', detail }
  await db.write
    .insertInto('history')
    .values({ ...row, groupIdx: groups.theirs.idx, logDT: clock.now() })
    .execute()
}

/** Reads of groups' rows that name no row, with their query. An administrator finds foreign rows in each. */
const READS: Record<string, string> = {
  'GET /Users/Search': '',
  'GET /FileEximports/Search': 'type=1',
  'GET /Logs/FileEximport': 'type=1',
  ...Object.fromEntries(
    Object.values(LOGS)
      .filter(({ access, path }) => access !== 'admin' && path !== '/Logs/FileEximport')
      .map(({ path }) => [`GET ${path}`, '']),
  ),
}
/** Reads of what belongs to no group or to the caller; figures are compared in the tests of the dashboard. */
const OF_NO_GROUP = [
  'GET /ShortcutWebs/Search',
  'GET /ShortcutPrograms/Search',
  'GET /Account/Notice',
  'GET /HourlyUserLogins',
  'GET /ApproveRequests',
  'GET /FileImportStates',
  'GET /FileExportStates',
  'GET /UserStates',
  'GET /Users/Import/Template',
  'GET /Users/Imports/Search',
  'GET /Users/Import',
  'GET /Users/Import/Rows/Search',
]

test('every read that names no row is tried here', () => {
  const reads = all
    .filter(({ method, access }) => method === 'GET' && typeof access === 'object')
    .map((route) => `${route.method} ${route.path}`)
  expect(reads.filter((call) => !(call in CALLS) && !(call in READS) && !OF_NO_GROUP.includes(call))).toEqual([])
})

test('lists and their CSV hold foreign rows for an administrator, and none for a manager', async () => {
  await db.write.updateTable('users').set({ name: MARK }).where('idx', '=', foreign.idx).execute()
  await db.write.updateTable('fileEximports').set({ requesterName: MARK }).where('idx', '=', request.idx).execute()
  const person = { userIdx: foreign.idx, userId: MARK, userName: MARK, userGroupName: MARK, userRole: 0 } as const
  for (const kind of ['web', 'client'] as const)
    await db.write
      .insertInto('signIns')
      .values({ ...person, kind, groupIdx: groups.theirs.idx, type: 0, ip: '10.0.0.9', loginDT: clock.now() })
      .execute()
  for (const kind of AUDIT_KINDS) await writeRow(kind)
  // One session each: a sign-in is a row of a list.
  const [asAdmin, asReader] = [fetchAs(admin), fetchAs(reader)]
  for (const [call, query] of Object.entries(READS))
    for (const accept of ['application/json', 'text/csv']) {
      const textFor = async (fetchIt: typeof asAdmin) =>
        (await fetchIt(`${call.slice(4)}?${query}`, { headers: { accept } })).text()
      expect(await textFor(asAdmin), `${call} ${accept}`).toContain(MARK)
      expect(await textFor(asReader), `${call} ${accept}`).not.toContain(MARK)
    }
})

test("an entry of the administrators' histories is theirs alone, for every group", async () => {
  const logs = DETAILED_LOGS.filter((log) => LOGS[log].access === 'admin')
  for (const log of logs) {
    const { idx } = await db.read
      .selectFrom('history')
      .select('idx')
      .where('kind', '=', log)
      .where('groupIdx', '=', groups.theirs.idx)
      .executeTakeFirstOrThrow()
    expect((await as(admin).history.find({ log, idx })).log).toBe(log)
    expect(await outcome(as(viewer).history.find({ log, idx })), log).toMatch(/^980 /)
  }
  expect(logs).not.toEqual([])
})

test('lists and their counts hold nothing of theirs, also where their groups are chosen', async () => {
  const users = await manager.users.search({ filterType: 1, id: foreign.id })
  expect(users).toEqual({ totalCount: 0, items: [] })
  const byGroup = await manager.users.search({ groupIdx: groups.theirs.idx, withSubgroups: 1 })
  expect(byGroup.totalCount).toBe(0)
  const requests = await manager.requests.search({ type: 1 })
  expect(requests.items.map(({ idx }) => idx)).toEqual([ownRequest.idx])
  const groupIdxes = [groups.theirs.idx]
  expect(await manager.users.search({ groupIdxes })).toEqual({ totalCount: 0, items: [] })
  expect(await manager.requests.search({ type: 1, groupIdxes })).toEqual({ totalCount: 0, items: [] })
  const log = await manager.history.fileEximport({ type: 1 })
  expect(log.items.map(({ idx }) => idx)).toEqual([ownRequest.idx])
  for (const { store, access, path } of Object.values(LOGS)) {
    if (access === 'admin') continue
    const query = `groupIdxes=${groups.theirs.idx}${store === 'requests' ? '&type=1' : ''}`
    const response = await fetchAs(reader)(`${path}?${query}`)
    expect(await response.json(), path).toMatchObject({ errorCode: 0, data: { totalCount: 0, items: [] } })
  }
  const { groups: forest } = await manager.groups.searchAuthGroups({})
  expect(JSON.stringify(forest)).not.toContain('theirs')
})
