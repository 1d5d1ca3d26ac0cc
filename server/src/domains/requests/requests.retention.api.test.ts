// The files of decided requests after their time: removal, lists, downloads and warnings.
import { Decision, RequestEvent, RequestState } from '@acc/contract/labels/requests'
import { afterEach, expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
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
import { sweepFiles } from './requests.jobs.ts'
import { removeOldFiles, warnOfRemoval } from './requests.retention.ts'

const testApp = await startTestApp()
const { app, owner, as, admin, clock } = testApp
const { db } = app
await openExports(db)
const { sales } = await buildGroups(db, 'sales')
const employee = await buildUser(db, { group: sales, id: 'haneul', name: '김하늘' })
const approver = await buildManager(db, { groups: [sales], fileExportApprove: 2, log: 1 })
const { APPROVED, REJECTED, REQUESTED, ALLOWED, CANCELED } = RequestState
const keepFor = (fileRetentionDays: number) => as(admin).infos.setFileRetention({ fileRetentionDays })

afterEach(async () => {
  clock.advance(days(1))
  await owner.deleteFrom('fileEximports').execute()
  await db.write.deleteFrom('mails').execute()
})

/** A request in a state that it has had since now. */
async function decided(state: RequestState) {
  const request = await buildRequest(app, employee, { state })
  await db.write
    .updateTable('fileEximports')
    .set({ approveDT: state === REQUESTED ? null : clock.now() })
    .where('idx', '=', request.idx)
    .execute()
  return request
}
const isKept = ({ files }: BuiltRequest) => isStored(app, files[0]?.name ?? '')
const removalOf = async ({ idx }: { idx: number }) => (await as(approver).requests.find({ idx })).filesRemovedDT
const warningsTo = async ({ email }: { email: string }) => {
  await warnOfRemoval(app)
  await notifyRequesters(app)
  return (await mailsTo(app, email)).map(({ text }) => text.split('----')[0] ?? '')
}

test('after its days a decided request loses its files once, and everything says when', async () => {
  await keepFor(30)
  const old = [await decided(APPROVED), await decided(REJECTED), await decided(ALLOWED)]
  const waiting = await decided(REQUESTED)
  const canceled = await decided(CANCELED)
  clock.advance(1)
  const younger = await decided(APPROVED)
  clock.advance(days(30) - 2)
  await removeOldFiles(app)
  expect(await Promise.all(old.map(isKept))).toEqual([true, true, true])
  clock.advance(1)
  const at = clock.now().toISOString()
  const removal = () => Promise.all([removeOldFiles(app), removeOldFiles(app)])
  expect(await announced(app, removal)).toContainEqual({ topic: 'requests', groupIdx: sales.idx })
  expect(await Promise.all([...old, waiting, younger].map(isKept))).toEqual([false, false, false, true, true])
  expect(await Promise.all([...old, waiting, younger, canceled].map(removalOf))).toEqual([at, at, at, null, null, null])
  const [first] = old
  const idx = first?.idx ?? 0
  const steps = (await historyOf(db, 'fileExport')).filter(({ type }) => type === RequestEvent.FILES_REMOVED)
  expect(steps.map(({ subjectIdx }) => subjectIdx)).toEqual(old.map((one) => one.idx))
  expect(steps[0]).toMatchObject({
    actorIdx: null,
    groupIdx: sales.idx,
    detail: { targetState: APPROVED, targetOldState: APPROVED, files: [{ fileName: 'note.txt' }] },
  })
  const removed = { isDownloadable: 0, state: APPROVED, fileCount: 1, files: [{ fileName: 'note.txt' }] }
  expect(await as(approver).requests.find({ idx })).toMatchObject({
    ...removed,
    steps: [{ type: RequestEvent.FILES_REMOVED, actorName: '', logDT: at }],
  })
  const { items } = await as(approver).requests.search({ type: 1, filterType: 1, idx: String(idx) })
  expect(items).toMatchObject([{ idx, filesRemovedDT: at }])
  const history = await as(approver).history.fileEximport({ type: 1, idx: String(idx) })
  expect(history.items).toMatchObject([{ idx, filesRemovedDT: at }])
  const pc = await openDesktopClient(testApp, employee)
  const own = await pc.requests.searchOwn({ idx })
  expect(own.items).toMatchObject([{ idx, filesRemovedDT: at, files: [{ received: 0 }] }])
  const refused = { error: 'REQUEST_STATE' }
  await expect(as(approver).requests.download({ fileEximport: idx })).rejects.toMatchObject(refused)
  const place = { fileEximport: idx, file: first?.files[0]?.idx ?? 0 }
  await expect(pc.requests.downloadOwn(place)).rejects.toMatchObject(refused)
  expect(await historyOf(db, 'fileDownload')).toEqual([])
})

test('a removal that comes after the first look at the request ends the download', async () => {
  await keepFor(1)
  const request = await decided(APPROVED)
  clock.advance(days(2))
  const count = (await historyOf(db, 'fileDownload')).length
  const pc = await openDesktopClient(testApp, employee)
  const file = request.files[0]?.idx ?? 0
  const downloads = [
    [approver, () => as(approver).requests.download({ fileEximport: request.idx })],
    [employee, () => pc.requests.downloadOwn({ fileEximport: request.idx, file })],
  ] as const
  for (const [person, call] of downloads) {
    const overtaken = overtake(db, {
      lock: (tx) => tx.selectFrom('users').select('idx').where('idx', '=', person.idx).forNoKeyUpdate().execute(),
      call,
      change: (tx) =>
        tx.updateTable('fileEximports').set({ filesRemovedDT: clock.now() }).where('idx', '=', request.idx).execute(),
    })
    expect(await overtaken).toMatchObject({ error: 'REQUEST_STATE' })
    await db.write.updateTable('fileEximports').set({ filesRemovedDT: null }).where('idx', '=', request.idx).execute()
  }
  expect(await historyOf(db, 'fileDownload')).toHaveLength(count)
})

test('nothing is removed without a number, nor within 24 hours of its change', async () => {
  await keepFor(0)
  const request = await decided(APPROVED)
  clock.advance(days(4000))
  await removeOldFiles(app)
  await keepFor(1)
  clock.advance(hours(24) - 1)
  await removeOldFiles(app)
  expect(await isKept(request)).toBe(true)
  await keepFor(0)
  await keepFor(2)
  clock.advance(1)
  await removeOldFiles(app)
  expect(await isKept(request)).toBe(true)
  clock.advance(hours(24) - 1)
  await removeOldFiles(app)
  expect(await isKept(request)).toBe(false)
})

test('the days of an allowed request count from its last file', async () => {
  await keepFor(2)
  clock.advance(days(1))
  const bytes = Buffer.from('hello')
  const request = await buildRequest(app, employee, { isFileUploaded: 0, files: [{ name: 'a.txt', bytes }] })
  const [file] = request.files
  clock.advance(days(3))
  const pc = await openDesktopClient(testApp, employee)
  const place = { fileEximport: request.idx, file: file?.idx ?? 0, offset: 0 }
  await pc.requests.upload(place, new Blob([bytes]))
  const values = { state: ALLOWED, approveDT: later(clock.now(), -days(3)), waitDT: null }
  await db.write.updateTable('fileEximports').set(values).where('idx', '=', request.idx).execute()
  clock.advance(days(2) - 1)
  await removeOldFiles(app)
  expect(await isKept(request)).toBe(true)
  clock.advance(1)
  await removeOldFiles(app)
  expect(await isKept(request)).toBe(false)
})

test('more requests than one transaction takes; bytes that could not be removed are swept', async () => {
  await keepFor(1)
  clock.advance(days(1))
  const request = await decided(APPROVED)
  const { idx: _, ...row } = await db.read
    .selectFrom('fileEximports')
    .selectAll()
    .where('idx', '=', request.idx)
    .executeTakeFirstOrThrow()
  await db.write
    .insertInto('fileEximports')
    .values(Array.from({ length: 230 }, () => row))
    .execute()
  clock.advance(days(1))
  const stuck = { ...app, files: { ...app.files, remove: () => Promise.reject(new Error('the disk is away')) } }
  await removeOldFiles(stuck)
  const left = db.read.selectFrom('fileEximports').select('idx').where('filesRemovedDT', 'is', null)
  expect(await left.execute()).toEqual([])
  expect(await isKept(request)).toBe(true)
  clock.advance(hours(25))
  await sweepFiles(app)
  expect(await isKept(request)).toBe(false)
})

test('the requester is warned once, three days before, of what can still be downloaded', async () => {
  await keepFor(30)
  const { idx } = await buildRequest(app, employee)
  await as(admin).requests.decide({ idx, state: Decision.APPROVE })
  await decided(REJECTED)
  await notifyRequesters(app)
  await db.write.deleteFrom('mails').execute()
  clock.advance(days(27) - 1)
  expect(await warningsTo(employee)).toEqual([])
  clock.advance(1)
  const [warning = ''] = await warningsTo(employee)
  const day = later(clock.now(), days(3)).toISOString().slice(0, 16).replace('T', ' ')
  expect(warning).toContain(`#${idx} 반출 · 파일 삭제 예정: ${day} (UTC)에`)
  expect(warning.match(/파일 삭제 예정/g)).toHaveLength(1)
  clock.advance(days(1))
  expect(await warningsTo(employee)).toHaveLength(1)
})

test('no mail warns of three days or less, nor of files that are kept or gone', async () => {
  await keepFor(3)
  await decided(APPROVED)
  clock.advance(days(2))
  expect(await warningsTo(employee)).toEqual([])
  await keepFor(4)
  await warnOfRemoval(app)
  await keepFor(0)
  await notifyRequesters(app)
  expect(await mailsTo(app, employee.email)).toEqual([])
})
