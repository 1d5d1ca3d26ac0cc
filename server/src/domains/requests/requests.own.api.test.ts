// Requests from the desktop client: creating by policy, canceling, listing, downloading.
import { createHash } from 'node:crypto'
import { FileExport, OwnerType } from '@acc/contract/labels/policies'
import { RequestEvent, RequestState, Transfer } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { type BuiltRequest, buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { type DesktopClient, openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { isStored } from '../../../test/storedFiles.ts'
import { findFiles } from './requestFiles.queries.ts'

const testApp = await startTestApp()
const { app, as, admin, clock } = testApp
const { db } = app
const groups = await buildGroups(db, 'blocked', 'allowed', 'approval')
await buildPolicy(db, { group: groups.allowed, fileExport: FileExport.ALLOW })
await buildPolicy(db, { group: groups.approval, fileExport: FileExport.APPROVAL })
const employee = await buildUser(db, { group: groups.approval, id: 'haneul', name: '김하늘' })
const pc = await openDesktopClient(testApp, employee)
const approver = as(await buildManager(db, { groups: [groups.approval], fileExportApprove: 2 }))

const announced = (name: string, text: string) => ({
  name,
  size: Buffer.byteLength(text),
  sha256: createHash('sha256').update(text).digest('hex'),
})
const NEW_REQUEST = {
  type: Transfer.EXPORT,
  purpose: '고객 전달',
  files: [announced('계약서.pdf', 'contract'), announced('b', '')],
}
const rowOf = (idx: number) =>
  db.read.selectFrom('fileEximports').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const stepsOf = async (idx: number) =>
  (await historyOf(db, 'fileExport')).filter(({ subjectIdx }) => subjectIdx === idx)
const countRequests = async () => (await db.read.selectFrom('fileEximports').select('idx').execute()).length
const send = (fileEximport: number, file: number, text: string) =>
  pc.requests.upload({ fileEximport, file, offset: 0 }, text)

test('with approval a request waits, and keeps who asked, where from and what for', async () => {
  const { idx, state, files } = await pc.requests.create(NEW_REQUEST)
  expect(state).toBe(RequestState.REQUESTED)
  expect(files).toMatchObject([
    { fileName: '계약서.pdf', fileSize: 8, received: 0, isUploaded: 0 },
    { fileName: 'b', fileSize: 0 },
  ])
  expect(await rowOf(idx)).toMatchObject({
    requesterIdx: employee.idx,
    requesterId: 'haneul',
    requesterName: '김하늘',
    requesterEmail: employee.email,
    requesterGroupIdx: groups.approval.idx,
    requesterGroupName: 'approval',
    requestDT: clock.now(),
    approveDT: null,
    requestPurpose: '고객 전달',
    isFileUploaded: 0,
    fileCount: 2,
    fileSize: 8,
  })
  expect(await stepsOf(idx)).toMatchObject([
    {
      type: RequestEvent.REQUESTED,
      actorIdx: employee.idx,
      subject: 'haneul',
      groupIdx: groups.approval.idx,
      detail: {
        requestPurpose: '고객 전달',
        files: [
          { fileName: '계약서.pdf', fileSize: 8 },
          { fileName: 'b', fileSize: 0 },
        ],
      },
    },
  ])
  const stored = await db.read.selectFrom('requestFiles').selectAll().where('fileEximportIdx', '=', idx).execute()
  for (const { storeName, wrappedKey } of stored) {
    expect(storeName).toMatch(/^[0-9a-f]{32}$/)
    expect(wrappedKey.length).toBeGreaterThan(32)
  }
  expect(JSON.stringify(files)).not.toContain(stored[0]?.storeName)
})

test('open screens hear of each step: asked, whole, canceled', async () => {
  const events: unknown[] = []
  const stop = app.events.subscribe(
    ({ topic, idx, groupIdx }) => void (topic === 'requests' && events.push([idx, groupIdx])),
  )
  const { idx, files } = await pc.requests.create({ ...NEW_REQUEST, files: [announced('a', 'a'), announced('b', 'b')] })
  const step = [idx, groups.approval.idx]
  await expect.poll(() => events).toEqual([step])
  await send(idx, files[0]?.idx ?? 0, 'a')
  await send(idx, files[1]?.idx ?? 0, 'b')
  await expect.poll(() => events).toEqual([step, step])
  await pc.requests.cancel({ idx })
  await expect.poll(() => events).toEqual([step, step, step])
  stop()
})

test('the policy blocks, or allows without asking', async () => {
  const blocked = await openDesktopClient(testApp, await buildUser(db, { group: groups.blocked }))
  const count = await countRequests()
  await expect(blocked.requests.create(NEW_REQUEST)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  expect(await countRequests()).toBe(count)
  const allowed = await openDesktopClient(testApp, await buildUser(db, { group: groups.allowed }))
  const { idx, state } = await allowed.requests.create(NEW_REQUEST)
  expect(state).toBe(RequestState.ALLOWED)
  expect(await rowOf(idx)).toMatchObject({ state: RequestState.ALLOWED, approveDT: clock.now(), approverIdx: null })
  expect((await stepsOf(idx)).map(({ type }) => type)).toEqual([RequestEvent.ALLOWED])
})

test('imports are refused unless the operator has them approved, and then always wait', async () => {
  const incoming = { ...NEW_REQUEST, type: Transfer.IMPORT }
  await expect(pc.requests.create(incoming)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  const { approve } = app.env.runtime.show
  approve.import = true
  const allowed = await openDesktopClient(testApp, await buildUser(db, { group: groups.allowed }))
  const { idx, state } = await allowed.requests.create(incoming)
  approve.import = false
  expect(state).toBe(RequestState.REQUESTED)
  expect((await historyOf(db, 'fileImport')).map(({ subjectIdx, type }) => [subjectIdx, type])).toEqual([[idx, 0]])
})

test('while export approval is off, exports that need it are refused, and those that a policy allows are not', async () => {
  const allowed = await openDesktopClient(testApp, await buildUser(db, { group: groups.allowed }))
  const empty = { ...NEW_REQUEST, files: [announced('a', '')] }
  const [late, done] = [await allowed.requests.create(empty), await allowed.requests.create(empty)]
  const last = (from: typeof late) => ({ fileEximport: from.idx, file: from.files[0]?.idx ?? 0 })
  await allowed.requests.upload({ ...last(done), offset: 0 }, '')
  const { idx } = await as(admin).policies.find({ ownerIdx: groups.allowed.idx, ownerType: OwnerType.GROUP })
  const { approve } = app.env.runtime.show
  approve.export = false
  await expect(pc.requests.create(NEW_REQUEST)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  expect((await allowed.requests.create(empty)).state).toBe(RequestState.ALLOWED)
  // Nobody could approve them: they do not begin to wait either.
  await as(admin).policies.update({ idx, fileExport: FileExport.APPROVAL })
  await expect(allowed.requests.upload({ ...last(late), offset: 0 }, '')).rejects.toMatchObject({
    error: 'NOT_ALLOWED',
  })
  await expect(allowed.requests.downloadOwn(last(done))).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  approve.export = true
  await as(admin).policies.update({ idx, fileExport: FileExport.ALLOW })
  expect([await rowOf(late.idx), await rowOf(done.idx)]).toMatchObject([
    { state: RequestState.CANCELED },
    { state: RequestState.ALLOWED },
  ])
})

test('bytes are received from the owner alone, while the request is open, as announced', async () => {
  const { APPROVED, REJECTED, CANCELED } = RequestState
  const hello = [announced('a', 'hello')]
  for (const state of [APPROVED, REJECTED, CANCELED]) {
    const { idx, files } = await buildRequest(app, employee, { state, isFileUploaded: 0 })
    await expect(send(idx, files[0]?.idx ?? 0, 'hello')).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  }
  const foreign = await buildRequest(app, await buildUser(db, { group: groups.approval }), { isFileUploaded: 0 })
  const own = await pc.requests.create({ ...NEW_REQUEST, files: hello })
  const [file, foreignFile] = [own.files[0]?.idx ?? 0, foreign.files[0]?.idx ?? 0]
  for (const [idx, at] of [
    [foreign.idx, foreignFile],
    [own.idx, foreignFile],
    [999_999, 999_999],
  ] as const)
    await expect(send(idx, at, 'hello')).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(send(own.idx, file, 'jello')).rejects.toMatchObject({ error: 'UPLOAD_MISMATCH' })
  const late = pc.requests.upload({ fileEximport: own.idx, file, offset: 1 }, 'ello')
  await expect(late).rejects.toMatchObject({ error: 'UPLOAD_OFFSET' })
})

test('history and approvers see the steps of a request, and of no other', async () => {
  await buildRequest(app, employee)
  const { idx, files } = await pc.requests.create({ ...NEW_REQUEST, files: [announced('a.txt', 'a')] })
  await send(idx, files[0]?.idx ?? 0, 'a')
  await approver.requests.decide({ idx, state: 1 })
  const { approverName } = await approver.requests.find({ idx })
  expect(approverName).not.toBeNull()
  expect((await pc.requests.searchOwn({ idx })).items).toMatchObject([{ approverName }])
  const { entry } = await testApp.as(testApp.admin).history.find({ log: 'fileEximport', idx })
  const logDT = clock.now().toISOString()
  const undecided = { step: null, forName: null, reason: null }
  const steps = [
    { type: RequestEvent.REQUESTED, logDT, actorName: '김하늘', ...undecided },
    { type: RequestEvent.UPLOADED, logDT, actorName: '김하늘', ...undecided },
    { type: RequestEvent.APPROVED, logDT, actorName: expect.any(String), ...undecided },
  ]
  expect('steps' in entry && entry.steps).toEqual(steps)
  expect((await approver.requests.find({ idx })).steps).toEqual(steps)
})

test('one’s own requests are listed, with how far their files have come; no one else’s', async () => {
  const { idx, files } = await pc.requests.create({
    ...NEW_REQUEST,
    files: [announced('a', 'whole'), announced('b', 'half way')],
  })
  await send(idx, files[0]?.idx ?? 0, 'whole')
  await send(idx, files[1]?.idx ?? 0, 'half')
  await buildRequest(app, await buildUser(db, { group: groups.approval }))
  const { items, totalCount } = await pc.requests.searchOwn({ rowsCount: 1 })
  expect(items).toMatchObject([
    {
      idx,
      state: RequestState.REQUESTED,
      requestPurpose: '고객 전달',
      isFileUploaded: 0,
      files: [
        { fileName: 'a', received: 5, isUploaded: 1 },
        { fileName: 'b', received: 4, isUploaded: 0 },
      ],
    },
  ])
  const all = await pc.requests.searchOwn({ sort: 'requestDT', sortOrder: 0, rowsCount: 1000 })
  expect(all.totalCount).toBe(totalCount)
  expect(all.items.at(-1)?.idx).toBe(idx)
  expect((await pc.requests.searchOwn({ idx })).items).toHaveLength(1)
  expect((await pc.requests.searchOwn({ type: Transfer.IMPORT })).totalCount).toBe(0)
})

test('canceling withdraws an undecided request, and removes its bytes', async () => {
  const { idx, files } = await buildRequest(app, employee)
  await pc.requests.cancel({ idx })
  expect((await rowOf(idx)).state).toBe(RequestState.CANCELED)
  expect(await stepsOf(idx)).toMatchObject([
    { type: RequestEvent.CANCELED, actorIdx: employee.idx, detail: { targetState: 3, targetOldState: 0 } },
  ])
  for (const file of files) await expect(app.files.read(file)).rejects.toMatchObject({ reason: 'missing' })
  expect((await pc.requests.searchOwn({ idx })).items[0]?.files[0]).toMatchObject({ received: 0, isUploaded: 1 })
  for (const state of [1, 2, 3, 4] as const) {
    const decided = await buildRequest(app, employee, { state })
    await expect(pc.requests.cancel({ idx: decided.idx })).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  }
  const unfinished = await buildRequest(app, employee, { state: RequestState.ALLOWED, isFileUploaded: 0 })
  await pc.requests.cancel({ idx: unfinished.idx })
  const foreign = await buildRequest(app, await buildUser(db, { group: groups.approval }))
  await expect(pc.requests.cancel({ idx: foreign.idx })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(pc.requests.cancel({ idx: 999_999 })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

const fetchFirst = (device: DesktopClient, { idx, files }: BuiltRequest) =>
  device.requests.downloadOwn({ fileEximport: idx, file: files[0]?.idx ?? 0 })

test('an approved or allowed file comes back; the history knows before it does', async () => {
  const free = await buildUser(db, { group: groups.allowed })
  for (const [state, requester, device] of [
    [RequestState.APPROVED, employee, pc],
    [RequestState.ALLOWED, free, await openDesktopClient(testApp, free)],
  ] as const) {
    const { idx, files } = await buildRequest(app, requester, {
      state,
      files: [{ name: '보고서 "1".pdf', bytes: Buffer.from('content') }],
    })
    const response = await device.requests.downloadOwn({ fileEximport: idx, file: files[0]?.idx ?? 0 })
    expect(response.headers.get('content-disposition')).toContain("filename*=UTF-8''%EB%B3%B4")
    expect(response.headers.get('content-length')).toBe('7')
    expect(await response.text()).toBe('content')
    expect((await historyOf(db, 'fileDownload')).at(-1)).toMatchObject({
      actorIdx: requester.idx,
      subjectIdx: idx,
      detail: { files: [{ fileName: '보고서 "1".pdf', fileSize: 7 }] },
    })
  }
})

test('an undecided, rejected, canceled or unfinished one does not come, nor anybody else’s', async () => {
  const count = (await historyOf(db, 'fileDownload')).length
  const { REQUESTED, REJECTED, CANCELED, APPROVED, ALLOWED } = RequestState
  for (const state of [REQUESTED, REJECTED, CANCELED]) {
    await expect(fetchFirst(pc, await buildRequest(app, employee, { state }))).rejects.toMatchObject({
      error: 'REQUEST_STATE',
    })
  }
  const unfinished = await buildRequest(app, employee, { state: ALLOWED, isFileUploaded: 0 })
  await expect(fetchFirst(pc, unfinished)).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  const other = await buildUser(db, { group: groups.approval })
  const foreign = await buildRequest(app, other, { state: APPROVED })
  await expect(fetchFirst(pc, foreign)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  const own = await buildRequest(app, employee, { state: APPROVED })
  const mixed = { fileEximport: own.idx, file: foreign.files[0]?.idx ?? 0 }
  await expect(pc.requests.downloadOwn(mixed)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  expect(await historyOf(db, 'fileDownload')).toHaveLength(count)
})

/** A group with an own policy, and a member with a PC. */
async function buildOffice(name: string, fileExport: 0 | 1 | 2) {
  const { [name]: office } = await buildGroups(db, name)
  if (office === undefined) throw new Error('no group')
  const { idx } = await buildPolicy(db, { group: office, fileExport })
  const user = await buildUser(db, { group: office })
  const setFileExport = (value: 0 | 1 | 2) => as(admin).policies.update({ idx, fileExport: value })
  return { office, policyIdx: idx, user, device: await openDesktopClient(testApp, user), setFileExport }
}

test('an export waits for approval where the requester allowed it themselves', async () => {
  const { office, policyIdx, user, device } = await buildOffice('first', FileExport.BLOCK)
  const manager = await buildManager(db, { groups: [office], policy: 2, as: { group: office } })
  const own = await openDesktopClient(testApp, manager)
  await as(manager).policies.update({ idx: policyIdx, fileExport: FileExport.ALLOW })
  const waiting = await own.requests.create(NEW_REQUEST)
  expect(await rowOf(waiting.idx)).toMatchObject({ state: RequestState.REQUESTED, approveDT: null })
  expect((await device.requests.create(NEW_REQUEST)).state).toBe(RequestState.ALLOWED)
  const earlier = await buildRequest(app, manager, { state: RequestState.ALLOWED })
  await expect(fetchFirst(own, earlier)).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  expect((await rowOf(earlier.idx)).state).toBe(RequestState.REQUESTED)
  const ofColleague = await buildRequest(app, user, { state: RequestState.ALLOWED })
  expect(await (await fetchFirst(device, ofColleague)).text()).toBe('hello')
})

test('a stricter policy stops an allowed request when its last byte arrives', async () => {
  const { device, setFileExport } = await buildOffice('second', FileExport.ALLOW)
  const file = announced('a', 'whole')
  const [asks, blocks] = [
    await device.requests.create({ ...NEW_REQUEST, files: [file] }),
    await device.requests.create({ ...NEW_REQUEST, files: [announced('b', ''), file] }),
  ]
  const sendTo = (request: typeof asks, at: number, text: string) =>
    device.requests.upload({ fileEximport: request.idx, file: request.files[at]?.idx ?? 0, offset: 0 }, text)
  await setFileExport(FileExport.APPROVAL)
  expect(await sendTo(asks, 0, 'whole')).toMatchObject({ isFileUploaded: 1 })
  expect(await rowOf(asks.idx)).toMatchObject({ state: RequestState.REQUESTED, isFileUploaded: 1, approveDT: null })
  expect((await stepsOf(asks.idx)).map(({ type }) => type)).toEqual([RequestEvent.ALLOWED, RequestEvent.UPLOADED])
  await setFileExport(FileExport.BLOCK)
  expect(await sendTo(blocks, 0, '')).toMatchObject({ isFileUploaded: 0 })
  await expect(sendTo(blocks, 1, 'whole')).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  expect(await rowOf(blocks.idx)).toMatchObject({ state: RequestState.CANCELED, isFileUploaded: 0 })
  expect((await stepsOf(blocks.idx)).map(({ type }) => type)).toEqual([RequestEvent.ALLOWED, RequestEvent.CANCELED])
  const rows = await findFiles(db.read, [blocks.idx])
  expect(await Promise.all(rows.map(({ storeName }) => isStored(app, storeName)))).toEqual([false, false])
})

test('a stricter policy stops the download of an allowed request; an approved one still comes', async () => {
  const { office, user, device, setFileExport } = await buildOffice('third', FileExport.ALLOW)
  const request = await buildRequest(app, user, { state: RequestState.ALLOWED })
  const decided = await buildRequest(app, user, { state: RequestState.APPROVED })
  await setFileExport(FileExport.BLOCK)
  await expect(fetchFirst(device, request)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  expect((await rowOf(request.idx)).state).toBe(RequestState.ALLOWED)
  await setFileExport(FileExport.APPROVAL)
  await expect(fetchFirst(device, request)).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  expect((await stepsOf(request.idx)).map(({ type }) => type)).toEqual([RequestEvent.REQUESTED])
  expect((await historyOf(db, 'fileDownload')).filter(({ subjectIdx }) => subjectIdx === request.idx)).toEqual([])
  const manager = as(await buildManager(db, { groups: [office], fileExportApprove: 2 }))
  await manager.requests.decide({ idx: request.idx, state: 1 })
  expect(await (await fetchFirst(device, request)).text()).toBe('hello')
  expect(await (await fetchFirst(device, decided)).text()).toBe('hello')
})
