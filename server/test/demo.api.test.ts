// The sample organization of `npm start -- --demo`: its content, and that it works like data that users create.
import { createHash } from 'node:crypto'
import { api } from '@acc/contract'
import { createClient } from '@acc/contract/core/client'
import { email, groupName, loginId, personName } from '@acc/contract/core/fields'
import { HISTORY_MENUS } from '@acc/contract/history/kinds'
import { AccountResult, GroupManage } from '@acc/contract/labels/history'
import { DEFAULT_RULES } from '@acc/contract/labels/passwordRules'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startBimServers } from '../demo/bim.ts'
import { loadDemo } from '../demo/demo.ts'
import { DEMO_PASSWORD } from '../demo/people.ts'
import { meetsPresets } from '../src/domains/credentials/passwordRules.ts'
import { startTestApp } from './app.ts'

const { app, as, admin, anonymous, baseUrl } = await startTestApp()
const lines = await loadDemo(app)
const { read } = app.db

const countOf = async (table: 'groups' | 'users' | 'history' | 'fileEximports' | 'signIns' | 'devices') =>
  (await read.selectFrom(table).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count
const idxOf = async (id: string) =>
  (await read.selectFrom('users').select('idx').where('id', '=', id).executeTakeFirstOrThrow()).idx

test('the operator learns the accounts and their password', () => {
  expect(meetsPresets(DEMO_PASSWORD, DEFAULT_RULES)).toBe(true)
  expect(lines.join('\n')).toContain(DEMO_PASSWORD)
  expect(lines.join('\n')).toContain('seoyeon.kim')
})

test('every history has rows of today, which is what it shows first', async () => {
  const { history } = as(admin)
  const now = app.clock.now()
  const logSDT = new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString()
  for (const [name, menu] of Object.entries(HISTORY_MENUS)) {
    const { totalCount } = await (menu.log === 'fileEximport'
      ? history.fileEximport({ logSDT, type: menu.type ?? Transfer.EXPORT })
      : history[menu.log]({ logSDT }))
    expect(totalCount, name).toBeGreaterThan(0)
  }
})

test('every name has the form that the product asks of it', async () => {
  const people = await read.selectFrom('users').select(['id', 'name', 'email']).where('isAdmin', '=', 0).execute()
  for (const person of people) {
    expect(loginId.parse(person.id)).toBe(person.id)
    expect(personName.parse(person.name)).toBe(person.name)
    expect(email.parse(person.email)).toBe(person.email)
  }
  const groups = await read.selectFrom('groups').select('name').where('parentIdx', 'is not', null).execute()
  for (const { name } of groups) expect(groupName.parse(name)).toBe(name)
})

test('client versions are there, one of them deployed, and their history forms a chain', async () => {
  const { clientVersions, history } = as(admin)
  const { items } = await clientVersions.search({ sort: 'version', sortOrder: 0 })
  expect(items.map(({ version, isDeploy }) => [version, isDeploy])).toEqual([
    ['4.1.1.131', 0],
    ['4.1.2.148', 0],
    ['4.2.0.212', 1],
    ['4.2.1.226', 0],
    ['4.3.0.240', 0],
    ['4.3.1.247', 0],
  ])
  const { client } = await clientVersions.findDeployed({})
  const bytes = await (await clientVersions.downloadDeployed({})).bytes()
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(client?.sha256)
  const { items: deployments } = await history.clientManage({ type: 1, sortOrder: 0 })
  expect(deployments.map(({ targetOldVersion }) => targetOldVersion)).toEqual([null, '4.1.1.131', '4.1.2.148'])
})

test('BIM servers report who comes and goes, until they are stopped', async () => {
  const { bim } = as(admin)
  expect((await bim.searchServers({})).servers.map(({ isOnline }) => isOnline)).toEqual([0, 0, 0, 0])
  const stop = await startBimServers(app, Number(new URL(baseUrl).port))
  await expect.poll(async () => (await bim.searchConnections({})).totalCount).toBeGreaterThan(10)
  stop()
  const { servers } = await bim.searchServers({})
  expect(servers.filter(({ isOnline }) => isOnline === 1).length).toBeGreaterThan(0)
  expect(servers.find(({ pcName }) => pcName === 'BIM-STANDBY')).toMatchObject({ heartbeatDT: null })
  expect((await bim.searchConnections({})).connections.every(({ userName }) => userName !== '')).toBe(true)
})

test('a month lies behind it, in the order of its time, and nothing lies ahead', async () => {
  const [first] = await read.selectFrom('history').select('logDT').orderBy('idx').limit(1).execute()
  const [last] = await read.selectFrom('history').select('logDT').orderBy('idx', 'desc').limit(1).execute()
  const days = (app.clock.now().getTime() - (first?.logDT.getTime() ?? 0)) / 86_400_000
  expect(days).toBeGreaterThan(29)
  expect(days).toBeLessThan(38)
  expect(last?.logDT.getTime()).toBeLessThanOrEqual(app.clock.now().getTime())
  const moments = await read.selectFrom('history').select('logDT').orderBy('idx').execute()
  const times = moments.map(({ logDT }) => logDT.getTime())
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(await countOf('signIns')).toBeGreaterThan(500)
  const logSDT = new Date(app.clock.now().getTime() - 8 * 3_600_000).toISOString()
  expect((await as(admin).history.clientLogin({ logSDT })).totalCount).toBeGreaterThan(7)
})

test('the dashboard has a month of requests, and sign-ins at the hours of work', async () => {
  const now = app.clock.now()
  const month = { logSDT: new Date(now.getTime() - 30 * 86_400_000).toISOString(), logEDT: now.toISOString() }
  for (const type of [Transfer.EXPORT, Transfer.IMPORT]) {
    const { approveRequests } = await as(admin).dashboard.searchApproveRequests({ ...month, type })
    const total = approveRequests.reduce((sum, { count }) => sum + count, 0)
    expect(total).toBeGreaterThan(type === Transfer.EXPORT ? 50 : 10)
    expect(approveRequests.reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(0)
  }
  const { loginCounts } = await as(admin).dashboard.findHourlyUserLogins(month)
  expect(loginCounts.filter((count) => count > 0).length).toBeGreaterThan(8)
})

test('an old request still has its file, the oldest ones have lost theirs', async () => {
  const { items } = await as(admin).history.fileEximport({
    type: Transfer.EXPORT,
    state: 1,
    sort: 'idx',
    sortOrder: 0,
    rowsCount: 200,
  })
  const [gone] = items
  expect(gone?.filesRemovedDT).not.toBeNull()
  await expect(as(admin).requests.download({ fileEximport: gone?.idx ?? 0 })).rejects.toMatchObject({ code: 170 })
  const request = items.find(({ filesRemovedDT }) => filesRemovedDT === null)
  expect(app.clock.now().getTime() - new Date(request?.requestDT ?? '').getTime()).toBeGreaterThan(20 * 86_400_000)
  const zip = await (await as(admin).requests.download({ fileEximport: request?.idx ?? 0 })).bytes()
  expect(zip.length).toBeGreaterThan(request?.fileSize ?? 0)
  const { entry } = await as(admin).history.find({ log: 'fileEximport', idx: request?.idx ?? 0 })
  expect('steps' in entry && entry.steps?.map(({ type }) => type)).toEqual([0, 5, 1])
})

test('every history has entries, creations and removals alike', async () => {
  const { history } = as(admin)
  const kinds = new Set((await read.selectFrom('history').select('kind').distinct().execute()).map(({ kind }) => kind))
  expect([...kinds]).toEqual(
    expect.arrayContaining(['account', 'fileDownload', 'fileExport', 'licenseUse', 'networkAccess']),
  )
  for (const log of ['groupManage', 'userManage', 'authManage', 'policyManage', 'shortcutManage'] as const) {
    const { items } = await history[log]({ rowsCount: 1000 })
    expect(new Set(items.map(({ type }) => type)).size, log).toBeGreaterThan(2)
  }
  expect((await history.groupManage({ type: GroupManage.DELETE })).items).toMatchObject([{ targetIdx: null }])
  expect((await history.account({ resultType: AccountResult.OTP_FAILED })).totalCount).toBe(1)
})

test('requests stand in every state, and all that is whole can be read', async () => {
  const requests = await read.selectFrom('fileEximports').select(['state', 'isFileUploaded']).execute()
  expect(new Set(requests.map(({ state }) => state))).toEqual(new Set(RequestState.values))
  expect(requests.filter(({ isFileUploaded }) => isFileUploaded === 0)).toHaveLength(1)
})

test('a manager signs in and decides one of the waiting requests', async () => {
  await anonymous.session.login({ id: 'seoyeon.kim', pw: DEMO_PASSWORD })
  const manager = as({ idx: await idxOf('seoyeon.kim') })
  const waiting = { type: Transfer.EXPORT, filterType: 1, state: RequestState.REQUESTED, isDecidable: 1 } as const
  const { items, totalCount } = await manager.requests.search(waiting)
  expect(totalCount).toBeGreaterThan(1)
  const complete = items.find(({ isFileUploaded }) => isFileUploaded === 1)
  const detail = await manager.requests.find({ idx: complete?.idx ?? 0 })
  expect(detail).toMatchObject({ isDecidable: 1, isDownloadable: 1 })
  await manager.requests.decide({ idx: detail.idx, state: 1, purpose: '확인' })
  expect((await manager.requests.search(waiting)).totalCount).toBe(totalCount - 1)
})

test('one request waits at step 2, and one at a step that nobody can decide', async () => {
  const { requests, systemStatus } = as(admin)
  const waiting = { type: Transfer.EXPORT, state: RequestState.REQUESTED, sort: 'idx', sortOrder: 0 } as const
  const { items } = await requests.search({ ...waiting, rowsCount: 100 })
  const later = items.filter(({ step }) => step === 2)
  expect(later.map(({ requesterGroupName }) => requesterGroupName)).toEqual(['백엔드팀', '기구설계팀'])
  const [open, stuck] = await Promise.all(later.map(({ idx }) => requests.find({ idx })))
  expect([open?.deciders?.count, stuck?.deciders?.count]).toEqual([1, 0])
  expect(open?.steps.at(-1)).toMatchObject({ step: 1, actorName: '김서연', forName: null })
  expect(stuck?.steps.at(-1)).toMatchObject({ step: 1, actorName: '김서연', forName: '이도윤' })
  expect((await systemStatus.find({})).faults).toContain('requestsUndecidable')
})

test('one urgent export is to be reviewed, and its files have left', async () => {
  const { requests, history } = as(admin)
  const { items } = await requests.search({ type: Transfer.EXPORT, isToReview: 1 })
  expect(items).toMatchObject([{ requesterGroupName: '백엔드팀', state: RequestState.ALLOWED, isOverdue: 0 }])
  const [{ idx } = { idx: 0 }] = items
  expect(await requests.find({ idx })).toMatchObject({ urgentReason: expect.any(String), isReviewable: 1 })
  expect((await history.fileDownload({ requestIdx: String(idx) })).totalCount).toBe(1)
})

test('an employee fetches approved files with the PC that is registered, byte for byte', async () => {
  const { token } = await anonymous.agent.login({
    ...{ id: 'minjun.park', pw: DEMO_PASSWORD, deviceId: 'sample-minjun.park' },
    ...{ deviceName: 'PC-MINJUNPARK', clientVersion: '4.2.0' },
  })
  const client = createClient(api, { baseUrl, headers: () => ({ authorization: `Bearer ${token}` }) })
  const { items } = await client.requests.searchOwn({ rowsCount: 100 })
  const approved = items.filter(({ state }) => state === RequestState.APPROVED)
  expect(approved.length).toBeGreaterThan(0)
  for (const { idx, files } of approved.slice(0, 3))
    for (const file of files) {
      const answer: unknown = await client.requests.downloadOwn({ fileEximport: idx, file: file.idx })
      const bytes = answer instanceof Response ? Buffer.from(await answer.arrayBuffer()) : Buffer.alloc(0)
      expect(bytes.length).toBe(file.fileSize)
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256)
    }
  expect(await countOf('devices')).toBe(8)
})

test('somebody with a temporary password has to change it', async () => {
  const { id } = await read.selectFrom('users').select('id').where('state', '=', 1).limit(1).executeTakeFirstOrThrow()
  await expect(anonymous.session.login({ id, pw: DEMO_PASSWORD })).rejects.toMatchObject({ code: 104 })
  expect((await as(admin).mails.search({})).totalCount).toBe(11)
})

test('a database that holds anything is left as it is, with one line', async () => {
  const before = [await countOf('users'), await countOf('history')]
  const refused = await loadDemo(app)
  expect(refused).toHaveLength(1)
  expect(refused[0]).toContain('not loaded')
  expect([await countOf('users'), await countOf('history')]).toEqual(before)
})
