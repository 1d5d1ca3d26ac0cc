// Reviews of urgent exports: who makes them, what they close, several at once, and what shows them.
import { RequestEvent, RequestState, Review, Transfer } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { MAX_CONFIRMED } from '@acc/contract/urgentExports'
import { afterEach, expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildAbsence } from '../../../test/build/absences.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { type BuiltRequest, buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { mailsTo } from '../../../test/mails.ts'
import { overtake } from '../../../test/overtake.ts'
import { isStored } from '../../../test/storedFiles.ts'
import { days, hours, later } from '../../clock.ts'
import { notifyRequesters } from '../notices/notices.requesters.ts'
import { removeOldFiles } from '../requests/requests.retention.ts'

const testApp = await startTestApp()
const { app, owner, as, admin, clock } = testApp
const { db } = app
await openExports(db)
await db.write.updateTable('policies').set({ urgentExport: 1 }).execute()
const { sales, far, alone } = await buildGroups(db, 'sales', 'far', 'alone')
const employee = await buildUser(db, { group: sales, name: '김하늘' })
const lead = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { name: '김팀장' } })
const reader = await buildManager(db, { groups: [sales], fileExportApprove: 1, fileImportApprove: 2 })
const outsider = await buildManager(db, { groups: [far], fileExportApprove: 2 })

afterEach(async () => {
  clock.advance(days(1))
  await owner.deleteFrom('fileEximports').execute()
  await db.write.deleteFrom('mails').execute()
})

const { ALLOWED, APPROVED, REJECTED } = RequestState
const { CONFIRM, OBJECT } = Review
const NOT_ALLOWED = { error: 'NOT_ALLOWED' }
const REQUEST_STATE = { error: 'REQUEST_STATE' }
type Person = { idx: number }
const buildUrgent = (requester = employee, reviewDueDT = later(clock.now(), hours(24))) =>
  buildRequest(app, requester, { state: ALLOWED, reviewDueDT })
const review = (user: Person, { idx }: { idx: number }, decision: Review = CONFIRM, purpose = '') =>
  as(user).urgentExports.review({ idx, decision, purpose })
const confirm = (user: Person, requests: readonly { idx: number }[], purpose = '') =>
  as(user).urgentExports.confirm({ idxes: requests.map(({ idx }) => idx), purpose })
const rowOf = ({ idx }: { idx: number }) =>
  db.read.selectFrom('fileEximports').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const decisionsOf = ({ idx }: { idx: number }) =>
  db.read.selectFrom('requestDecisions').selectAll().where('fileEximportIdx', '=', idx).execute()
const eventsOf = async ({ idx }: { idx: number }) =>
  (await historyOf(db, 'fileExport')).filter(({ subjectIdx }) => subjectIdx === idx)
const placeOf = ({ idx, files }: BuiltRequest) => ({ fileEximport: idx, file: files[0]?.idx ?? 0 })
const urgentOf = (user: Person, isDecidable: 0 | 1 = 0) =>
  as(user).requests.search({ type: Transfer.EXPORT, isToReview: 1, isDecidable, overdueFirst: 1, sort: 'idx' })
const idxesOf = async (user: Person, isDecidable: 0 | 1 = 0) =>
  (await urgentOf(user, isDecidable)).items.map(({ idx }) => idx)

test('nobody reviews their own export', async () => {
  const insider = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
  const own = await buildUrgent({ ...employee, ...insider, groupIdx: sales.idx })
  await expect(review(insider, own)).rejects.toMatchObject(NOT_ALLOWED)
  await expect(review(insider, own, OBJECT, 'no')).rejects.toMatchObject(NOT_ALLOWED)
  await expect(confirm(insider, [own])).rejects.toMatchObject(NOT_ALLOWED)
  expect(await rowOf(own)).toMatchObject({ state: ALLOWED, approverIdx: null })
  expect(await decisionsOf(own)).toEqual([])
})

test.each([undefined, '', '  \n ', '\u200b'])('an objection needs a reason: %j', async (purpose) => {
  const request = await buildUrgent()
  const refused = as(lead).urgentExports.review({ idx: request.idx, decision: OBJECT, purpose })
  await expect(refused).rejects.toMatchObject({ error: 'INVALID_INPUT', data: { fields: ['purpose'] } })
})

test('requests that are not to be reviewed are refused: waiting, allowed, incomplete, decided, imports', async () => {
  const requests = [
    await buildRequest(app, employee),
    await buildRequest(app, employee, { state: ALLOWED }),
    await buildRequest(app, employee, { state: APPROVED, reviewDueDT: clock.now() }),
  ]
  const incomplete = await buildRequest(app, employee, { state: ALLOWED, isFileUploaded: 0 })
  await db.write.updateTable('fileEximports').set({ urgentReason: 'x' }).where('idx', '=', incomplete.idx).execute()
  for (const request of [...requests, incomplete]) {
    await expect(review(lead, request)).rejects.toMatchObject(REQUEST_STATE)
    expect(await confirm(lead, [request])).toEqual({ confirmed: [], skipped: [request.idx] })
  }
  const urgent = await buildUrgent()
  await expect(as(lead).requests.decide({ idx: urgent.idx, state: 1 })).rejects.toMatchObject(REQUEST_STATE)
  const incoming = await buildRequest(app, employee, { type: Transfer.IMPORT })
  await expect(review(lead, incoming)).rejects.toMatchObject(NOT_ALLOWED)
})

test('a confirmation is the decision of its only step, and the files remain open', async () => {
  const request = await buildUrgent()
  const pc = await openDesktopClient(testApp, employee)
  expect(await as(lead).requests.find({ idx: request.idx })).toMatchObject({
    ...{ isReviewable: 1, isDecidable: 0, isApprovable: 0, isDownloadable: 1, isOverdue: 0 },
    deciders: { people: expect.arrayContaining([{ name: '김팀장', forName: null }]) },
  })
  expect(await as(reader).requests.find({ idx: request.idx })).toMatchObject({ isReviewable: 0, isDownloadable: 0 })
  await as(lead).requests.preview(placeOf(request))
  const events = await announced(app, () => review(lead, request, CONFIRM, '확인함'))
  expect(events).toContainEqual(expect.objectContaining({ topic: 'requests', idx: request.idx, groupIdx: sales.idx }))
  expect(await rowOf(request)).toMatchObject({
    ...{ state: APPROVED, approverIdx: lead.idx, approverName: '김팀장', approvePurpose: '확인함' },
    approveDT: clock.now(),
  })
  expect(await decisionsOf(request)).toMatchObject([
    { step: 1, decision: 1, deciderIdx: lead.idx, forIdx: null, reason: '확인함' },
  ])
  expect(await eventsOf(request)).toMatchObject([
    {
      ...{ type: RequestEvent.CONFIRMED, actorIdx: lead.idx },
      detail: { targetState: APPROVED, targetOldState: ALLOWED, approverName: '김팀장', approvePurpose: '확인함' },
    },
  ])
  await pc.requests.downloadOwn(placeOf(request))
  await expect(review(lead, request, OBJECT, 'late')).rejects.toMatchObject(REQUEST_STATE)
  await notifyRequesters(app)
  expect((await mailsTo(app, employee.email))[0]?.text).toContain(
    `#${request.idx} 반출 · 긴급 반출 확인: 김팀장 - 확인함`,
  )
})

test('an objection closes the files, and administrators and the requester are mailed', async () => {
  const request = await buildUrgent()
  const pc = await openDesktopClient(testApp, employee)
  await pc.requests.downloadOwn(placeOf(request))
  await review(lead, request, OBJECT, '긴급한 일이 아닙니다.')
  expect(await rowOf(request)).toMatchObject({ state: REJECTED, approverIdx: lead.idx })
  expect(await decisionsOf(request)).toMatchObject([{ step: 1, decision: 0, reason: '긴급한 일이 아닙니다.' }])
  expect((await eventsOf(request)).map(({ type }) => type)).toEqual([RequestEvent.OBJECTED])
  await expect(pc.requests.downloadOwn(placeOf(request))).rejects.toMatchObject(REQUEST_STATE)
  const root = await db.read.selectFrom('users').select('email').where('idx', '=', admin.idx).executeTakeFirstOrThrow()
  const [mail, ...others] = await mailsTo(app, root.email)
  expect(others).toEqual([])
  expect(mail?.subject).toContain(`긴급 반출 이의 제기 #${request.idx}`)
  expect(mail?.text).toContain('이의 사유: 긴급한 일이 아닙니다.')
  await notifyRequesters(app)
  expect((await mailsTo(app, employee.email))[0]?.text).toContain(
    `#${request.idx} 반출 · 긴급 반출 이의 제기: 김팀장 - 긴급한 일이 아닙니다.`,
  )
})

test('a substitute reviews for an absent person, and nobody by a substitution of the requester', async () => {
  const absent = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { name: '휴가자' } })
  const substitute = await buildManager(db, { groups: [far], fileExportApprove: 2, as: { name: '대리인' } })
  const [request, own] = [await buildUrgent(), await buildUrgent({ ...employee, ...absent, groupIdx: sales.idx })]
  await expect(review(substitute, request)).rejects.toMatchObject(NOT_ALLOWED)
  await buildAbsence(db, absent, substitute)
  expect(await idxesOf(substitute, 1)).toEqual([request.idx])
  expect((await as(substitute).requests.find({ idx: own.idx })).isReviewable).toBe(0)
  await expect(review(substitute, own)).rejects.toMatchObject(REQUEST_STATE)
  await review(substitute, request)
  expect(await decisionsOf(request)).toMatchObject([{ deciderIdx: substitute.idx, forIdx: absent.idx }])
  expect((await eventsOf(request))[0]?.detail).toMatchObject({ approverName: '대리인', forName: '휴가자' })
})

test('a person who left is reviewed as anybody else: what has gone out has', async () => {
  const leaver = await buildUser(db, { group: sales })
  const [suspended, deleted] = [await buildUrgent(leaver), await buildUrgent(leaver)]
  await db.write.updateTable('users').set({ state: UserState.DISABLED }).where('idx', '=', leaver.idx).execute()
  await review(lead, suspended)
  expect((await rowOf(suspended)).state).toBe(APPROVED)
  await as(admin).users.remove({ idxes: [leaver.idx] })
  expect(await rowOf(deleted)).toMatchObject({ state: ALLOWED, requesterIdx: null })
  await review(lead, deleted, OBJECT, 'unknown customer')
  expect((await rowOf(deleted)).state).toBe(REJECTED)
})

test('of 50 reviews at once one counts', async () => {
  const request = await buildUrgent()
  const calls = Array.from({ length: 50 }, (_, at) =>
    at % 2 === 0 ? review(lead, request) : review(admin, request, OBJECT, 'no'),
  )
  const results = await Promise.allSettled(calls)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(REQUEST_STATE)
  expect(await decisionsOf(request)).toHaveLength(1)
  expect(await eventsOf(request)).toHaveLength(1)
})

test('a review that finds the request returned to its approvers is refused', async () => {
  const request = await buildUrgent()
  const row = db.write.selectFrom('fileEximports').select('idx').where('idx', '=', request.idx)
  const outcome = await overtake(db, {
    lock: (tx) => tx.executeQuery(row.forUpdate().compile()),
    call: () => review(lead, request),
    change: (tx) =>
      tx
        .updateTable('fileEximports')
        .set({ state: RequestState.REQUESTED, reviewDueDT: null, waitDT: clock.now() })
        .where('idx', '=', request.idx)
        .execute(),
  })
  expect(outcome).toMatchObject(REQUEST_STATE)
})

test('several of one person are confirmed together, without those that others reviewed', async () => {
  const requests = [await buildUrgent(), await buildUrgent(), await buildUrgent()]
  const [first, second, third] = requests as [BuiltRequest, BuiltRequest, BuiltRequest]
  await review(admin, second, OBJECT, 'no')
  expect(await confirm(lead, [third, second, first], '함께 확인')).toEqual({
    confirmed: [first.idx, third.idx],
    skipped: [second.idx],
  })
  for (const request of [first, third]) {
    expect(await rowOf(request)).toMatchObject({ state: APPROVED, approvePurpose: '함께 확인' })
    expect((await eventsOf(request)).map(({ type }) => type)).toEqual([RequestEvent.CONFIRMED])
  }
  expect((await rowOf(second)).state).toBe(REJECTED)
})

test('a confirmation of several is refused for other groups, other people, own ones, and too many', async () => {
  const mine = await buildUrgent()
  const foreign = await buildUrgent(await buildUser(db, { group: far }))
  const colleague = await buildUrgent(await buildUser(db, { group: sales }))
  await expect(confirm(lead, [mine, foreign])).rejects.toMatchObject({
    ...NOT_ALLOWED,
    data: { missing: [foreign.idx] },
  })
  const wrong = { error: 'INVALID_INPUT', data: { fields: ['idxes'] } }
  await expect(confirm(lead, [mine, colleague])).rejects.toMatchObject(wrong)
  await expect(confirm(lead, [mine, mine])).rejects.toMatchObject(wrong)
  await expect(confirm(lead, [])).rejects.toMatchObject(wrong)
  const many = Array.from({ length: MAX_CONFIRMED + 1 }, (_, at) => ({ idx: at + 1 }))
  await expect(confirm(lead, many)).rejects.toMatchObject(wrong)
  expect(await rowOf(mine)).toMatchObject({ state: ALLOWED })
})

test('two people who confirm the same requests in opposite order both end, and each request is reviewed once', async () => {
  const requests: BuiltRequest[] = []
  for (let count = 0; count < 8; count++) requests.push(await buildUrgent())
  const calls = Array.from({ length: 12 }, (_, at) => {
    const order = at % 2 === 0 ? requests : requests.toReversed()
    return confirm(at % 4 < 2 ? lead : admin, order)
  })
  const results = await Promise.all(calls)
  expect(results.flatMap(({ confirmed }) => confirmed).sort((one, other) => one - other)).toEqual(
    requests.map(({ idx }) => idx),
  )
  for (const request of requests) expect(await eventsOf(request)).toHaveLength(1)
})

test('the list has those of the groups, the overdue ones first, and says which ones the viewer reviews', async () => {
  const [late, soon] = [await buildUrgent(employee, later(clock.now(), -1)), await buildUrgent()]
  const own = await buildUrgent({ ...employee, ...lead, groupIdx: sales.idx })
  await buildRequest(app, employee, { state: ALLOWED })
  await buildRequest(app, employee)
  const { items } = await urgentOf(lead)
  expect(items.map(({ idx, isOverdue }) => [idx, isOverdue])).toEqual([
    [late.idx, 1],
    [own.idx, 0],
    [soon.idx, 0],
  ])
  expect(items[0]?.urgentReason).toBe('The customer waits at the site.')
  expect(await idxesOf(lead, 1)).toEqual([late.idx, soon.idx])
  expect(await idxesOf(outsider)).toEqual([])
  // The waiting tab has none of them.
  const waiting = await as(lead).requests.search({ type: Transfer.EXPORT, isDecidable: 1 })
  expect(waiting.items.every(({ reviewDueDT }) => reviewDueDT === null)).toBe(true)
})

test('overdue reviews and those that nobody can make are faults of the system', async () => {
  const faults = async () => (await as(admin).systemStatus.find({})).faults
  const statusOf = async () => (await as(admin).systemStatus.find({})).requests
  const request = await buildUrgent(employee, clock.now())
  expect(await faults()).not.toContain('reviewsOverdue')
  clock.advance(1)
  expect(await faults()).toContain('reviewsOverdue')
  expect(await statusOf()).toEqual({ undecidable: 0, overdueReviews: 1 })
  // The only administrator is the only person who reviews exports of this group.
  const root = await db.read.selectFrom('users').selectAll().where('idx', '=', admin.idx).executeTakeFirstOrThrow()
  const own = await buildUrgent({ ...root, groupIdx: alone.idx })
  expect(await faults()).toContain('requestsUndecidable')
  const { items } = await as(admin).requests.search({ type: Transfer.EXPORT, isToReview: 1, isUndecidable: 1 })
  expect(items.map(({ idx }) => idx)).toEqual([own.idx])
  await review(lead, request)
  expect(await faults()).not.toContain('reviewsOverdue')
})

test('files are kept until the review in spite of the retention, and afterwards as those of a decision', async () => {
  await as(admin).infos.setFileRetention({ fileRetentionDays: 1 })
  clock.advance(days(2))
  const request = await buildUrgent()
  const isKept = () => isStored(app, request.files[0]?.name ?? '')
  clock.advance(days(3))
  await removeOldFiles(app)
  expect(await isKept()).toBe(true)
  await review(lead, request)
  await removeOldFiles(app)
  expect(await isKept()).toBe(true)
  clock.advance(days(1) + 1)
  await removeOldFiles(app)
  expect(await isKept()).toBe(false)
  await as(admin).infos.setFileRetention({ fileRetentionDays: 0 })
})
