// Approvers and file requests: who sees, decides and downloads what; rows, history and mail.
import { Decision, RequestState, Transfer } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { days, later } from '../../clock.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
await openExports(db)
const { sales, east, rnd } = await buildGroups(db, 'sales', 'sales/east', 'rnd')
const employee = await buildUser(db, { group: east, name: '김하늘', id: 'haneul' })
const colleague = await buildUser(db, { group: east, name: '이바다', id: 'bada99' })
const foreigner = await buildUser(db, { group: rnd, name: '박산', id: 'mountain' })
const approver = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
const viewer = await buildManager(db, { groups: [sales], fileExportApprove: 1 })

const NOT_ALLOWED = { error: 'NOT_ALLOWED' }
const REQUEST_STATE = { error: 'REQUEST_STATE' }
const rowOf = (idx: number) =>
  db.read.selectFrom('fileEximports').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const exportsOf = async (user: { idx: number }, filter: object = {}) => {
  const { items, totalCount } = await as(user).requests.search({ type: Transfer.EXPORT, ...filter })
  return { idxes: items.map(({ idx }) => idx), totalCount }
}
const approve = (user: { idx: number }, idx: number, purpose = '') =>
  as(user).requests.decide({ idx, state: Decision.APPROVE, purpose })

test('approving stores APPROVED, rejecting REJECTED, with who it was, when and why', async () => {
  const approved = await buildRequest(app, employee)
  const rejected = await buildRequest(app, employee)
  await approve(approver, approved.idx, '확인했습니다')
  await as(approver).requests.decide({ idx: rejected.idx, state: Decision.REJECT, purpose: 'too much' })
  expect(await rowOf(approved.idx)).toMatchObject({
    state: RequestState.APPROVED,
    approverIdx: approver.idx,
    approverId: approver.id,
    approverName: approver.name,
    approvePurpose: '확인했습니다',
    approveDT: clock.now(),
  })
  expect(await rowOf(rejected.idx)).toMatchObject({ state: RequestState.REJECTED, approvePurpose: 'too much' })
  const history = (await historyOf(db, 'fileExport')).filter(({ subjectIdx }) => subjectIdx === approved.idx)
  expect(history).toMatchObject([
    {
      type: RequestState.APPROVED,
      actorIdx: approver.idx,
      subject: 'haneul',
      groupIdx: east.idx,
      detail: {
        targetState: 1,
        targetOldState: 0,
        approvePurpose: '확인했습니다',
        files: [{ fileName: 'note.txt', fileSize: 5 }],
        requestPurpose: 'for the customer',
      },
    },
  ])
})

test('every state, decision and person: only a complete request that waits is decided, by its approvers', async () => {
  const self = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { group: east } })
  const administrator = await buildUser(db, { group: east, isAdmin: 1 })
  const people = [
    { user: approver, mayDecide: true },
    { user: admin, mayDecide: true },
    { user: self, mayDecide: false },
    { user: administrator, mayDecide: false },
    { user: viewer, mayDecide: false },
    { user: employee, mayDecide: false },
  ]
  for (const state of RequestState.values)
    for (const isFileUploaded of [0, 1] as const)
      for (const { user, mayDecide } of people)
        for (const decision of mayDecide ? Decision.values : [Decision.APPROVE]) {
          const requester = [self, administrator].find((own) => own === user) ?? employee
          const { idx } = await buildRequest(app, requester, { state, isFileUploaded, files: [] })
          const outcome = as(user).requests.decide({ idx, state: decision })
          const isWaiting = state === RequestState.REQUESTED && isFileUploaded === 1
          if (mayDecide && isWaiting) await outcome
          else await expect(outcome).rejects.toMatchObject(mayDecide ? REQUEST_STATE : NOT_ALLOWED)
          const after = { 0: RequestState.REJECTED, 1: RequestState.APPROVED }[decision]
          expect((await rowOf(idx)).state).toBe(mayDecide && isWaiting ? after : state)
        }
})

test('a level in one direction is none in the other', async () => {
  const { idx } = await buildRequest(app, employee)
  const incoming = await buildRequest(app, employee, { type: Transfer.IMPORT })
  const importer = await buildManager(db, { groups: [sales], fileImportApprove: 2, log: 1 })
  await expect(approve(approver, incoming.idx)).rejects.toMatchObject(NOT_ALLOWED)
  await expect(approve(importer, idx)).rejects.toMatchObject(NOT_ALLOWED)
  await expect(as(approver).requests.search({ type: Transfer.IMPORT })).rejects.toMatchObject(NOT_ALLOWED)
  await approve(importer, incoming.idx)
  expect((await historyOf(db, 'fileImport')).at(-1)).toMatchObject({ subjectIdx: incoming.idx, type: 1 })
})

test('the detail leads to the history exactly where the viewer may read its row', async () => {
  const [foreign, ...own] = [
    await buildRequest(app, foreigner),
    await buildRequest(app, employee),
    await buildRequest(app, employee, { type: Transfer.IMPORT }),
  ]
  const levels = { fileExportApprove: 1, fileImportApprove: 1 } as const
  const reader = await buildManager(db, { groups: [sales], ...levels, log: 1 })
  const blind = await buildManager(db, { groups: [sales], ...levels })
  const elsewhere = await buildManager(db, { groups: [sales], ...levels })
  await buildAuthority(db, { groups: [rnd], users: [elsewhere], ...levels, log: 1 })
  const cases = [
    ...own.flatMap((request) => [
      { user: reader, request, isInHistory: 1 },
      { user: blind, request, isInHistory: 0 },
      { user: elsewhere, request, isInHistory: 0 },
      { user: admin, request, isInHistory: 1 },
    ]),
    { user: elsewhere, request: foreign, isInHistory: 1 },
  ]
  for (const { user, request, isInHistory } of cases) {
    const { idx } = request
    expect((await as(user).requests.find({ idx })).isInHistory).toBe(isInHistory)
    const row = as(user).history.find({ log: 'fileEximport', idx })
    if (isInHistory === 1) await expect(row).resolves.toMatchObject({ entry: { idx } })
    else await expect(row).rejects.toMatchObject(NOT_ALLOWED)
  }
})

test("the detail shows files, path, and the requester's transfers of the 30 days before", async () => {
  const mover = await buildUser(db, { group: east })
  const ago = (count: number) => ({ requestDT: later(clock.now(), -days(count)) })
  await buildRequest(app, mover, { state: RequestState.APPROVED, ...ago(3) })
  await buildRequest(app, mover, { state: RequestState.ALLOWED, ...ago(29) })
  await buildRequest(app, mover, { state: RequestState.APPROVED, ...ago(31) })
  await buildRequest(app, mover, { state: RequestState.REJECTED, ...ago(2) })
  await buildRequest(app, mover, { state: RequestState.APPROVED, type: Transfer.IMPORT, ...ago(2) })
  await buildRequest(app, colleague, { state: RequestState.APPROVED, ...ago(2) })
  const { idx, files } = await buildRequest(app, mover)
  const detail = await as(approver).requests.find({ idx })
  expect(detail).toMatchObject({
    recent: { count: 2, size: 10, rejected: 1 },
    groupPath: ['sales', 'east'],
    isDecidable: 1,
    isDownloadable: 1,
    requesterEmail: mover.email,
  })
  const file = { idx: files[0]?.idx, fileName: 'note.txt', fileSize: 5, sha256: files[0]?.sha256 }
  expect(detail.files).toEqual([{ ...file, downloads: 0 }])
  expect(await as(viewer).requests.find({ idx })).toMatchObject({ isDecidable: 0, isDownloadable: 0 })
  expect((await as(admin).requests.find({ idx })).groupPath).toEqual(['전체 조직', 'sales', 'east'])
})

test('the single search looks into number, ID and name together, the fields each into their own', async () => {
  const searcher = await buildManager(db, { groups: [sales, rnd], fileExportApprove: 1 })
  const { idx } = await buildRequest(app, foreigner, { state: RequestState.REJECTED })
  const single = (text: string) =>
    exportsOf(searcher, { idx: text, requesterId: text, requesterName: text, rowsCount: 100 })
  const named = await exportsOf(searcher, { filterType: 1, requesterName: '박산', rowsCount: 100 })
  expect(named.idxes).toContain(idx)
  expect(await single('박산')).toEqual(named)
  expect(await single('MOUNT')).toEqual(named)
  expect((await single(String(idx))).idxes).toContain(idx)
  expect((await exportsOf(searcher, { filterType: 1, idx: String(idx), requesterName: '김하늘' })).idxes).toEqual([])
  expect((await exportsOf(searcher, { filterType: 1, requesterName: '박산', state: 2 })).idxes).toEqual([idx])
  for (const text of ['%', '_', '\\', "' or 1=1 --"]) expect(await single(text)).toEqual({ idxes: [], totalCount: 0 })
})

test('chosen groups narrow the list to them and their subgroups, and never widen it', async () => {
  const { north, far } = await buildGroups(db, 'north', 'north/far')
  const [near, distant] = [await buildUser(db, { group: north }), await buildUser(db, { group: far })]
  const [one, other] = [await buildRequest(app, near), await buildRequest(app, distant)]
  const head = await buildManager(db, { groups: [far], fileExportApprove: 1 })
  const chosen = async (user: { idx: number }, ...groups: { idx: number }[]) =>
    (await exportsOf(user, { groupIdxes: groups.map(({ idx }) => idx) })).idxes
  expect(await chosen(admin, north)).toEqual([other.idx, one.idx])
  expect(await chosen(admin, far)).toEqual([other.idx])
  expect(await chosen(head, far)).toEqual([other.idx])
  expect(await chosen(head, north)).toEqual([])
  expect(await chosen(head, sales, far)).toEqual([other.idx])
})

test('requests are paged, counted no further than asked, sorted by their columns and bounded by days', async () => {
  const { paged } = await buildGroups(db, 'paged')
  const user = await buildUser(db, { group: paged })
  const manager = await buildManager(db, { groups: [paged], fileExportApprove: 1 })
  const made = []
  for (let day = 0; day < 5; day++) {
    const files = [{ name: 'a.txt', bytes: Buffer.alloc(5 - day) }]
    made.push((await buildRequest(app, user, { files, requestDT: later(clock.now(), -days(day)) })).idx)
  }
  expect(await exportsOf(manager, { rowsAfter: 1, rowsCount: 2 })).toEqual({ idxes: [made[3], made[2]], totalCount: 5 })
  expect((await exportsOf(manager, { maxCount: 3 })).totalCount).toBe(4)
  expect((await exportsOf(manager, { sort: 'fileSize', sortOrder: 0 })).idxes).toEqual(made.toReversed())
  const bounds = { requestSDT: later(clock.now(), -days(2)).toISOString(), requestEDT: clock.now().toISOString() }
  expect((await exportsOf(manager, { ...bounds, sort: 'requestDT', sortOrder: 0 })).idxes).toEqual([made[2], made[1]])
})

test('a list carries the files of its requests, and takes either spelling of the requester’s ID', async () => {
  const bytes = Buffer.from('plan')
  const files = [
    { name: '도면.dwg', bytes },
    { name: 'b.txt', bytes },
  ]
  const { idx } = await buildRequest(app, colleague, { files })
  const { items } = await as(approver).requests.search({ type: Transfer.EXPORT, filterType: 1, idx: String(idx) })
  expect(items.find((item) => item.idx === idx)?.files).toMatchObject([
    { fileName: '도면.dwg', fileSize: 4 },
    { fileName: 'b.txt', fileSize: 4 },
  ])
  const { idxes } = await exportsOf(approver, { filterType: 1, requesterID: 'BADA' })
  expect(idxes).toContain(idx)
  expect(idxes).toEqual((await exportsOf(approver, { filterType: 1, requesterId: 'bada' })).idxes)
})
