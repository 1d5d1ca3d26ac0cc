// Rows of foreign groups: a manager with every level on one group sends idxes of another one, in every call that takes
// an idx (samples.ts). The response is the same as for rows that do not exist, and nothing changes. An authority over
// the other group that grants only other pages, or only to look, lets no more be done there.
import { ApiError } from '@acc/contract/core/client'
import { idx } from '@acc/contract/core/fields'
import type { Route } from '@acc/contract/core/route'
import {
  AUDIT_KINDS,
  type AuditKind,
  DETAILED_LOGS,
  detailOf,
  eventLabel,
  LOG_NAMES,
  LOGS,
} from '@acc/contract/history/kinds'
import { PAGES, type Page } from '@acc/contract/labels/access'
import { RequestState } from '@acc/contract/labels/requests'
import { ImportSource, ImportState } from '@acc/contract/labels/userImports'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp } from '../app.ts'
import { buildAbsence } from '../build/absences.ts'
import { buildAuthority, buildManager } from '../build/authorities.ts'
import { buildGroups } from '../build/groups.ts'
import { buildPolicy } from '../build/policies.ts'
import { buildRequest } from '../build/requests.ts'
import { buildUser } from '../build/users.ts'
import { CALLS, type CallName } from './callers.ts'
import { buildRowsOf, callByName, hasRow, inputOf, NO_ROWS, type Rows } from './samples.ts'

const testApp = await startTestApp()
const { app, as, fetchAs, admin, clock } = testApp
const { db } = app
const groups = await buildGroups(db, 'mine', 'mine/below', 'theirs', 'theirs/first', 'theirs/second')
const levels = { policy: 2, user: 2, fileExportApprove: 2, fileImportApprove: 2, log: 1 } as const
const reader = await buildManager(db, { groups: [groups.mine], ...levels })
const manager = as(reader)
/** Managers of one's own group who have every level on the other one as well, but on a page. */
const withoutPage = new Map<Page, ReturnType<typeof as>>()
for (const page of PAGES) {
  const partial = await buildManager(db, { groups: [groups.mine], ...levels })
  await buildAuthority(db, { groups: [groups.theirs], users: [partial], ...levels, [page]: 0 })
  withoutPage.set(page, as(partial))
}
const viewLevels = { policy: 1, user: 1, fileExportApprove: 1, fileImportApprove: 1, log: 1 } as const
const viewer = await buildManager(db, { groups: [groups.mine], ...levels })
await buildAuthority(db, { groups: [groups.theirs], users: [viewer], ...viewLevels })
const own = await buildUser(db, { group: groups.mine })
const foreign = await buildUser(db, { group: groups.theirs })
const request = await buildRequest(app, { ...foreign, groupIdx: groups.theirs.idx })
const ownRequest = await buildRequest(app, { ...own, groupIdx: groups.mine.idx })
const policy = await buildPolicy(db, { group: groups.theirs })
const absence = await buildAbsence(db, foreign, own)
const userImport = await db.write
  .insertInto('userImports')
  .values({
    source: ImportSource.FILE,
    state: ImportState.PLANNED,
    authorIdx: foreign.idx,
    fileName: 'theirs.csv',
    options: '{}',
    startDT: new Date(),
    activeDT: new Date(),
  })
  .returning('idx')
  .executeTakeFirstOrThrow()

/** Calls whose idx is a list filter or the caller's own. */
const ELSEWHERE = new Set<CallName>([
  'requests.search',
  'users.search',
  'session.end',
  'dashboard.findHourlyUserLogins',
  'dashboard.searchApproveRequests',
  'dashboard.searchDecisions',
  'dashboard.findTopGroups',
  'dashboard.findUsedVersions',
  'dashboard.findFileImportStates',
  'dashboard.findFileExportStates',
  'dashboard.findUserStates',
  ...LOG_NAMES.flatMap((log) => [`history.${log}`, `history.${log}Counts`] as const),
])

/** Whether an input field contains idxes: the contract's `idx`, optional, in a list or in a list of objects. */
function holdsIdxes(field: z.core.$ZodType): boolean {
  if (field === idx) return true
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault)
    return holdsIdxes(field.def.innerType)
  if (field instanceof z.ZodObject) return Object.values<z.core.$ZodType>(field.shape).some(holdsIdxes)
  return field instanceof z.ZodArray && holdsIdxes(field.def.element)
}
const namesRows = (route: Route) => Object.values(route.input.shape).some(holdsIdxes)
const reachable = (route: Route) => route.access === 'session' || typeof route.access === 'object'

const named = CALLS.filter(({ name, route }) => reachable(route) && namesRows(route) && !ELSEWHERE.has(name))

test('fields that are called idx hold idxes of the contract, or text to search for', () => {
  const called = CALLS.flatMap(({ name: call, route }) =>
    Object.entries(route.input.shape).flatMap(([name, field]) =>
      /idx(es)?$/i.test(name) && !holdsIdxes(field) && !field.safeParse('1').success ? [`${call} ${name}`] : [],
    ),
  )
  expect(called).toEqual([])
})

const TABLES = [
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
  'userImports',
  'absences',
]
const ROWS = sql.join(
  TABLES.map((table) => sql`(select json_agg(r)::text from (select * from ${sql.table(table)} order by 1, 2) r)`),
)
/** Returns every row that a call could have changed. */
async function snapshot(): Promise<unknown> {
  const { rows } = await sql`select array[${ROWS}] as tables`.execute(db.write)
  return rows
}

const MINE = { target: groups.below.idx, text: 'taken' }
const NOBODYS = { ...NO_ROWS, ...MINE, users: [own.idx, NO_ROWS.user] }
const THEIRS = {
  ...NOBODYS,
  ...(await buildRowsOf(testApp, foreign)),
  users: [own.idx, foreign.idx],
  group: groups.theirs.idx,
  request: request.idx,
  requestFile: request.files[0]?.idx ?? 0,
  policy: policy.idx,
  userImport: userImport.idx,
  absence: absence.idx,
}
/** Code and data of the error. The answer may repeat the idxes that the call named. */
async function outcome(call: Promise<unknown>, { user, group, request, policy }: Rows = NOBODYS): Promise<string> {
  const error = await call.then(
    () => 'done',
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiError)) return String(error)
  const idxes = new RegExp(`\\b(?:${[user, group, request, policy].join('|')})\\b`, 'g')
  return `${error.code} ${JSON.stringify(error.data ?? null).replace(idxes, 'named')}`
}

test.each(named)('$name: what is theirs is as if it were not there', async ({ name }) => {
  const before = await snapshot()
  const theirs = await outcome(callByName(manager, name, inputOf(name, THEIRS)), THEIRS)
  expect(theirs).toMatch(/^980 /)
  expect(await outcome(callByName(manager, name, inputOf(name, NOBODYS)))).toBe(theirs)
  expect(await snapshot()).toEqual(before)
})

const ofPeople = named.filter(({ name }) => hasRow(name, { user: 1 }) && hasRow(name, { session: 1, device: 1 }))

test.each(ofPeople)('$name: their session or PC is not that of a person of mine', async ({ name }) => {
  const before = await snapshot()
  const mixed = callByName(manager, name, inputOf(name, { ...THEIRS, user: own.idx, users: [own.idx] }))
  expect(await outcome(mixed)).toMatch(/^980 /)
  expect(await snapshot()).toEqual(before)
})

/** The page that a call is of; the request is one to export. */
const pageOf = ({ access }: Route): Page => (typeof access === 'object' && access.pages[0]) || 'log'

test.each(named)('$name: a right on the other pages of their group is none on this one', async ({ name, route }) => {
  const calls = withoutPage.get(pageOf(route)) ?? manager
  const before = await snapshot()
  expect(await outcome(callByName(calls, name, inputOf(name, THEIRS)))).toMatch(/^980 /)
  expect(await snapshot()).toEqual(before)
})

test('those who may only read foreign rows read them, and change none', async () => {
  const calls = as(viewer)
  for (const { name, route } of named) {
    if (name === 'history.find') continue
    const before = await snapshot()
    const result = await outcome(callByName(calls, name, inputOf(name, THEIRS)))
    // The files of a request are for those who decide it, an import is for its author, an absence for its person.
    const isOwn = /^(?:requests\.(?:download|preview)$|userImports\.|absences\.)/.test(name)
    const isView = route.method === 'GET' && !isOwn
    expect(result, name).toMatch(isView ? /^done$/ : /^980 /)
    expect(await snapshot(), name).toEqual(before)
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

test('the map of policies has the groups of the page alone', async () => {
  const groupsOf = async (calls: ReturnType<typeof as>) =>
    (await calls.policies.findMap({})).policies.map(({ groupIdx }) => groupIdx)
  expect(await groupsOf(as(viewer))).toContain(groups.theirs.idx)
  expect(await groupsOf(withoutPage.get('policy') ?? manager)).toEqual([groups.mine.idx])
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

const ofManagers = LOG_NAMES.filter((log) => LOGS[log].access !== 'admin')
/** Reads of groups' rows that name no row. An administrator finds foreign rows in each. */
const READS: readonly CallName[] = [
  'ends.search',
  'users.search',
  'requests.search',
  ...ofManagers.map((log) => `history.${log}` as const),
]
/** Those of one direction of requests. */
const IN_A_DIRECTION: readonly CallName[] = ['requests.search', 'history.fileEximport']
/** Reads of what belongs to no group or to the caller, or with a test of their own, such as figures over time. */
const OF_NO_GROUP: readonly CallName[] = [
  'policies.findMap',
  // A step may name an authority over any groups.
  'policies.findStepAuthorities',
  ...ofManagers.map((log) => `history.${log}Counts` as const),
  'shortcuts.searchWebs',
  'shortcuts.searchPrograms',
  'notices.findChoice',
  'dashboard.findHourlyUserLogins',
  'dashboard.searchApproveRequests',
  'dashboard.searchDecisions',
  'dashboard.findTopGroups',
  'dashboard.findUsedVersions',
  'dashboard.findFileImportStates',
  'dashboard.findFileExportStates',
  'dashboard.findUserStates',
  'userImports.downloadTemplate',
  'userImports.search',
]

test('every read that names no row is tried here', () => {
  const reads = CALLS.filter(({ route: { method, access } }) => method === 'GET' && typeof access === 'object')
  const tried = new Set<CallName>([...named.map(({ name }) => name), ...READS, ...OF_NO_GROUP])
  expect(reads.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([])
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
  for (const { name, route } of CALLS.filter(({ name }) => READS.includes(name)))
    for (const accept of ['application/json', 'text/csv']) {
      const path = `${route.path}${IN_A_DIRECTION.includes(name) ? '?type=1' : ''}`
      const textFor = async (fetchIt: typeof asAdmin) => (await fetchIt(path, { headers: { accept } })).text()
      expect(await textFor(asAdmin), `${name} ${accept}`).toContain(MARK)
      expect(await textFor(asReader), `${name} ${accept}`).not.toContain(MARK)
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
