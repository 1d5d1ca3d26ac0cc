// Requests that nobody decides: never canceled without a warning a day before, also after changes in between.
import { createHash } from 'node:crypto'
import { SettingManage } from '@acc/contract/labels/history'
import { RequestEvent, RequestState, Transfer } from '@acc/contract/labels/requests'
import { NoticeChoice } from '@acc/contract/notices'
import { afterEach, expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { type BuiltRequest, buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { mailsTo } from '../../../test/mails.ts'
import { overtake } from '../../../test/overtake.ts'
import { isStored } from '../../../test/storedFiles.ts'
import { days, hours, later, minutes } from '../../clock.ts'
import { choose } from '../notices/notices.fixture.ts'
import { dropSent, notifyRequesters } from '../notices/notices.requesters.ts'
import { notifyApprovers } from '../notices/notices.waiting.ts'
import { RequesterEvent } from './requesterNotices.queries.ts'
import { expireRequests } from './requests.jobs.ts'

const testApp = await startTestApp()
const { app, owner, as, admin, clock } = testApp
const { db } = app
await openExports(db)
const { sales, far } = await buildGroups(db, 'sales', 'far')
const employee = await buildUser(db, { group: sales, name: '김하늘' })
const lead = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
const guard = await buildUser(db, { group: far })
const security = await buildAuthority(db, { groups: [far], users: [guard], fileExportApprove: 2 })

const setDays = (requestExpiryDays: number) => as(admin).notices.setOverdue({ requestExpiryDays })
/** The days were set long ago. */
async function setLongAgo(count: number) {
  await setDays(count)
  clock.advance(days(60))
}
/** Runs the job after some hours. */
async function pass(count: number) {
  clock.advance(hours(count))
  await expireRequests(app)
}
const stateOf = async ({ idx }: { idx: number }) => {
  const row = db.read.selectFrom('fileEximports').select('state').where('idx', '=', idx)
  return (await row.executeTakeFirst())?.state
}
const noticesOf = async ({ idx }: { idx: number }) => {
  const rows = db.read.selectFrom('requesterNotices').select('event').where('fileEximportIdx', '=', idx)
  return (await rows.orderBy('event').execute()).map(({ event }) => event)
}
const eventsOf = async ({ idx }: { idx: number }) =>
  (await historyOf(db, 'fileExport')).filter(({ subjectIdx }) => subjectIdx === idx)
const { REQUESTED, CANCELED, APPROVED } = RequestState
const { EXPIRES_UNDECIDED, EXPIRED, WAITS_FOR_STEP_2 } = RequesterEvent

afterEach(async () => {
  await setDays(0)
  await owner.deleteFrom('fileEximports').execute()
  await db.write.deleteFrom('mails').execute()
})

test('the days are from 0 to 30, and the history has old and new ones', async () => {
  for (const wrong of [-1, 31, 1.5]) await expect(setDays(wrong)).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  expect(await as(admin).notices.findOverdue({})).toEqual({ overdueHours: 24, requestExpiryDays: 0 })
  const rowsOf = async () => (await historyOf(db, 'settingManage')).map(({ type, detail }) => [type, detail])
  const before = await rowsOf()
  await as(admin).notices.setOverdue({ overdueHours: 48, requestExpiryDays: 5 })
  await as(admin).notices.setOverdue({ overdueHours: 24 })
  await as(admin).notices.setOverdue({})
  expect(await as(admin).notices.findOverdue({})).toEqual({ overdueHours: 24, requestExpiryDays: 5 })
  expect((await rowsOf()).slice(before.length)).toMatchObject([
    [SettingManage.SET_OVERDUE_HOURS, { targetValue: '48', targetOldValue: '24' }],
    [SettingManage.SET_REQUEST_EXPIRY, { targetValue: '5', targetOldValue: '0' }],
    [SettingManage.SET_OVERDUE_HOURS, { targetValue: '24', targetOldValue: '48' }],
  ])
})

test('a request is warned of a day before and canceled a day after it: rows, files, history, events', async () => {
  await setLongAgo(3)
  const request = await buildRequest(app, employee)
  const [file] = request.files
  await pass(47)
  expect(await noticesOf(request)).toEqual([])
  await pass(1)
  expect(await noticesOf(request)).toEqual([EXPIRES_UNDECIDED])
  await pass(23)
  expect([await stateOf(request), await isStored(app, file?.name ?? '')]).toEqual([REQUESTED, true])
  clock.advance(hours(1))
  const events = await announced(app, () => expireRequests(app))
  expect(events).toEqual([{ topic: 'requests', groupIdx: sales.idx }])
  expect([await stateOf(request), await isStored(app, file?.name ?? '')]).toEqual([CANCELED, false])
  expect(await noticesOf(request)).toEqual([EXPIRES_UNDECIDED, EXPIRED])
  expect(await eventsOf(request)).toMatchObject([
    {
      type: RequestEvent.EXPIRED,
      actorIdx: null,
      groupIdx: sales.idx,
      detail: { targetState: CANCELED, targetOldState: REQUESTED, files: [{ fileName: 'note.txt' }] },
    },
  ])
  await pass(24)
  expect(await eventsOf(request)).toHaveLength(1)
  const { steps } = await as(lead).requests.find({ idx: request.idx })
  expect(steps.map(({ type }) => type)).toEqual([RequestEvent.EXPIRED])
  await expect(as(lead).requests.decide({ idx: request.idx, state: 1 })).rejects.toMatchObject({
    error: 'REQUEST_STATE',
  })
})

test('only requests that wait expire, of both directions', async () => {
  const requestDT = later(clock.now(), -days(100))
  const states = RequestState.values.filter((state) => state !== REQUESTED)
  const others = await Promise.all([
    ...states.map((state) => buildRequest(app, employee, { state, requestDT })),
    buildRequest(app, employee, { isFileUploaded: 0, requestDT }),
  ])
  const incoming = await buildRequest(app, employee, { type: Transfer.IMPORT, requestDT })
  const before = await Promise.all(others.map(stateOf))
  await pass(24)
  expect(await stateOf(incoming)).toBe(REQUESTED)
  await setLongAgo(1)
  await pass(0)
  await pass(24)
  expect(await Promise.all(others.map(stateOf))).toEqual(before)
  expect(await stateOf(incoming)).toBe(CANCELED)
})

test('switched on, and with each other number, nothing is canceled for a day, and everybody is warned anew', async () => {
  const requestDT = later(clock.now(), -days(100))
  const request = await buildRequest(app, employee, { requestDT })
  const warnedDT = async () => {
    const rows = db.read.selectFrom('requesterNotices').select('createDT').where('fileEximportIdx', '=', request.idx)
    return (await rows.executeTakeFirst())?.createDT
  }
  for (const count of [1, 30, 7]) {
    await setDays(count)
    await pass(0)
    expect(await warnedDT()).toEqual(clock.now())
    await pass(23)
    expect(await stateOf(request)).toBe(REQUESTED)
  }
  await setDays(0)
  await pass(30)
  await setDays(7)
  await pass(23)
  await pass(23)
  expect(await stateOf(request)).toBe(REQUESTED)
  await pass(1)
  expect(await stateOf(request)).toBe(CANCELED)
})

test('a longer time warns a second time, before its own end', async () => {
  await setLongAgo(2)
  const request = await buildRequest(app, employee)
  await pass(25)
  expect(await noticesOf(request)).toEqual([EXPIRES_UNDECIDED])
  await setDays(10)
  await notifyRequesters(app)
  expect(await mailsTo(app, employee.email)).toEqual([])
  await pass(8 * 24 - 2)
  await notifyRequesters(app)
  expect(await mailsTo(app, employee.email)).toEqual([])
  await pass(1)
  await notifyRequesters(app)
  expect(await mailsTo(app, employee.email)).toHaveLength(1)
  await pass(23)
  expect(await stateOf(request)).toBe(REQUESTED)
  await pass(1)
  expect(await stateOf(request)).toBe(CANCELED)
})

test('a job that did not run for a week warns first', async () => {
  await setLongAgo(3)
  const request = await buildRequest(app, employee)
  await pass(8 * 24)
  expect([await stateOf(request), await noticesOf(request)]).toEqual([REQUESTED, [EXPIRES_UNDECIDED]])
  await pass(24)
  expect(await stateOf(request)).toBe(CANCELED)
})

test('a later step counts anew, and is warned of anew', async () => {
  await setLongAgo(2)
  const request = await buildRequest(app, employee, { later: [security] })
  const { idx } = request
  await pass(25)
  expect(await noticesOf(request)).toEqual([EXPIRES_UNDECIDED])
  await as(lead).requests.decide({ idx, state: 1 })
  const { expiryDT } = await as(guard).requests.find({ idx })
  expect(expiryDT).toBe(later(clock.now(), days(2)).toISOString())
  await pass(25)
  expect(await stateOf(request)).toBe(REQUESTED)
  await pass(23)
  expect(await stateOf(request)).toBe(REQUESTED)
  await pass(1)
  expect(await stateOf(request)).toBe(CANCELED)
  expect(await noticesOf(request)).toEqual([WAITS_FOR_STEP_2, EXPIRES_UNDECIDED, EXPIRED])
  expect((await eventsOf(request)).at(-1)).toMatchObject({
    type: RequestEvent.EXPIRED,
    detail: { step: 2, stepCount: 2 },
  })
})

test('warnings and cancellations are mailed, each once, and approvers learn the date', async () => {
  await setLongAgo(2)
  const { idx } = await buildRequest(app, employee)
  await choose(app, lead, NoticeChoice.AT_ONCE)
  await notifyApprovers(app)
  await pass(24)
  const when = later(clock.now(), days(1)).toISOString().slice(0, 16).replace('T', ' ')
  for (const _ of [1, 2]) await notifyRequesters(app)
  await pass(24)
  await dropSent(app)
  for (const _ of [1, 2]) await notifyRequesters(app)
  const texts = (await mailsTo(app, employee.email)).map(({ text }) => text)
  expect(texts).toHaveLength(2)
  expect(texts[0]).toContain(`#${idx} 반출 · 만료 예정: ${when} (UTC)까지 처리되지 않으면 취소됩니다.`)
  const [approverMail] = await mailsTo(app, lead.email)
  expect(approverMail?.text).toContain(`#${idx} 반출 · 김하늘 (sales) · 파일 1개 · 5 B · ${when} (UTC) 만료`)
  expect(texts[1]).toContain(`#${idx} 반출 · 기한 만료: 기한 안에 처리되지 않아 취소되었습니다.`)
})

test('a warning of a request that was decided or moved to its next step is not mailed', async () => {
  await setLongAgo(2)
  const [decided, moved] = [await buildRequest(app, employee), await buildRequest(app, employee, { later: [security] })]
  await pass(24)
  for (const { idx } of [decided, moved]) await as(lead).requests.decide({ idx, state: 1 })
  await notifyRequesters(app)
  const [mail] = await mailsTo(app, employee.email)
  expect(mail?.text).toContain(`#${decided.idx} 반출 · 승인`)
  expect(mail?.text).not.toContain('만료 예정')
})

test('lists, the detail and the client say when a request expires, where one does', async () => {
  const bytes = Buffer.from('plan')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await setLongAgo(3)
  const pc = await openDesktopClient(testApp, employee)
  const files = [{ name: 'plan.txt', size: bytes.length, sha256 }]
  const { idx, files: created } = await pc.requests.create({ type: Transfer.EXPORT, purpose: 'test', files })
  const shown = async () => {
    const { items } = await as(lead).requests.search({ type: Transfer.EXPORT })
    const own = await pc.requests.searchOwn({ idx })
    const detail = await as(lead).requests.find({ idx })
    return [items[0], own.items[0], detail].map((request) => request?.expiryDT)
  }
  expect(await shown()).toEqual([null, null, null])
  await pc.requests.upload({ fileEximport: idx, file: created[0]?.idx ?? 0, offset: 0 }, new Blob([bytes]))
  expect(await shown()).toEqual(Array(3).fill(later(clock.now(), days(3)).toISOString()))
  clock.advance(minutes(5))
  // A changed number cancels nothing for a day.
  await setDays(1)
  expect(await shown()).toEqual(Array(3).fill(later(clock.now(), days(1)).toISOString()))
  await setDays(0)
  expect(await shown()).toEqual([null, null, null])
})

test('a decision and the expiry at once: one of them counts', async () => {
  await setLongAgo(1)
  const requests: BuiltRequest[] = []
  for (let count = 0; count < 10; count++) requests.push(await buildRequest(app, employee, { files: [] }))
  await pass(0)
  clock.advance(days(1))
  const decisions = requests.map(({ idx }) =>
    as(lead)
      .requests.decide({ idx, state: 1 })
      .then(
        () => APPROVED,
        ({ error }) => error,
      ),
  )
  const [outcomes] = await Promise.all([Promise.all(decisions), expireRequests(app), expireRequests(app)])
  for (const [at, request] of requests.entries()) {
    const state = await stateOf(request)
    expect(outcomes[at]).toBe(state === APPROVED ? APPROVED : 'REQUEST_STATE')
    expect((await eventsOf(request)).map(({ type }) => type)).toEqual([
      state === APPROVED ? RequestEvent.APPROVED : RequestEvent.EXPIRED,
    ])
  }
})

test('a request that is decided while the job waits for its row stays decided', async () => {
  await setLongAgo(1)
  const [decided, other] = [await buildRequest(app, employee), await buildRequest(app, employee)]
  await pass(0)
  clock.advance(days(1))
  await overtake(db, {
    lock: (tx) => tx.selectFrom('fileEximports').select('idx').where('idx', '=', decided.idx).forUpdate().execute(),
    call: () => expireRequests(app),
    change: (tx) =>
      tx.updateTable('fileEximports').set({ state: APPROVED, waitDT: null }).where('idx', '=', decided.idx).execute(),
  })
  await expireRequests(app)
  expect([await stateOf(decided), await stateOf(other)]).toEqual([APPROVED, CANCELED])
  expect(await noticesOf(decided)).toEqual([EXPIRES_UNDECIDED])
})

test('more of them than one transaction takes', async () => {
  await setLongAgo(1)
  const { idx } = await buildRequest(app, employee, { files: [] })
  const row = db.read.selectFrom('fileEximports').selectAll().where('idx', '=', idx)
  const { idx: built, ...copy } = await row.executeTakeFirstOrThrow()
  await db.write.insertInto('fileEximports').values(Array(229).fill(copy)).execute()
  await pass(0)
  await pass(24)
  const left = db.read.selectFrom('fileEximports').select('idx').where('state', '=', REQUESTED)
  expect(await left.execute()).toEqual([])
  expect(
    (await historyOf(db, 'fileExport')).filter(({ type }) => type === RequestEvent.EXPIRED).length,
  ).toBeGreaterThan(229)
})
