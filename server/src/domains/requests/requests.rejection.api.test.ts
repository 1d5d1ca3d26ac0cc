// Rejecting many requests at once: what refuses the call, what it leaves out, and calls whose lists overlap.

import { RequestEvent, RequestState, Transfer } from '@acc/contract/labels/requests'
import { MAX_REJECTED } from '@acc/contract/requestInputs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { type BuiltRequest, buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
await openExports(db)
const { sales, far } = await buildGroups(db, 'sales', 'far')
const employee = await buildUser(db, { group: sales })
const foreigner = await buildUser(db, { group: far })
const lead = await buildManager(db, { groups: [sales], fileExportApprove: 2, fileImportApprove: 2 })
const guard = await buildUser(db, { group: far })
const security = await buildAuthority(db, { groups: [far], users: [guard], fileExportApprove: 2 })

const build = (count: number) =>
  Promise.all(Array.from({ length: count }, () => buildRequest(app, employee, { files: [] })))
const at = (step: number) => (request: { idx: number }) => ({ idx: request.idx, step })
const reject = (user: { idx: number }, requests: readonly { idx: number }[], purpose = 'not now') =>
  as(user).requests.rejectMany({ requests: requests.map(at(1)), purpose })
const rowsOf = (requests: readonly { idx: number }[]) =>
  db.read
    .selectFrom('fileEximports')
    .selectAll()
    .where(
      'idx',
      'in',
      requests.map(({ idx }) => idx),
    )
    .orderBy('idx')
    .execute()
const statesOf = async (requests: readonly { idx: number }[]) => (await rowsOf(requests)).map(({ state }) => state)
const decisionsOf = ({ idx }: BuiltRequest) =>
  db.read.selectFrom('requestDecisions').selectAll().where('fileEximportIdx', '=', idx).orderBy('step').execute()
const idxesOf = (requests: readonly { idx: number }[]) => requests.map(({ idx }) => idx).sort((a, b) => a - b)

test('a list that is empty, too long or names a request twice is refused, and so is a blank reason', async () => {
  const [request] = await build(1)
  const { idx = 0 } = request ?? {}
  const many = Array.from({ length: MAX_REJECTED + 1 }, (_, no) => ({ idx: idx + no, step: 1 }))
  const lists = [[], many, [at(1)({ idx }), at(2)({ idx })], [at(0)({ idx })], [at(4)({ idx })]]
  const inputs = [
    ...lists.map((requests) => ({ requests, purpose: 'no' })),
    ...['', ' ', '\u3164', 'x'.repeat(201)].map((purpose) => ({ requests: [at(1)({ idx })], purpose })),
  ]
  for (const input of inputs)
    await expect(as(lead).requests.rejectMany(input)).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  expect(await statesOf([{ idx }])).toEqual([RequestState.REQUESTED])
})

test('one foreign, own or unknown request refuses all, and nothing is changed', async () => {
  const theirs = await buildRequest(app, foreigner)
  const own = await buildRequest(app, { ...lead, email: 'lead@example.com', groupIdx: sales.idx })
  const mine = await build(2)
  for (const other of [theirs, own, { idx: 999_999 }]) {
    const refused = reject(lead, [...mine, other])
    await expect(refused).rejects.toMatchObject({ error: 'NOT_ALLOWED', data: { missing: [other.idx] } })
  }
  for (const user of [employee, await buildManager(db, { groups: [sales], fileExportApprove: 1 })])
    await expect(reject(user, mine)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  expect(await statesOf([...mine, theirs, own])).toEqual([0, 0, 0, 0])
  expect(await historyOf(db, 'fileExport')).toEqual([])
})

test('a refused decision does not wait for the accounts of other groups', async () => {
  const theirs = await buildRequest(app, foreigner)
  const urgent = await buildRequest(app, foreigner, { state: RequestState.ALLOWED, reviewDueDT: clock.now() })
  const { requests, urgentExports } = as(lead)
  const calls = [
    () => requests.decide({ idx: theirs.idx, state: 1, purpose: 'yes' }),
    () => reject(lead, [theirs]),
    () => urgentExports.review({ idx: urgent.idx, decision: 1, purpose: 'yes' }),
    () => urgentExports.confirm({ idxes: [urgent.idx], purpose: 'yes' }),
  ]
  await db.write.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('idx').where('idx', '=', foreigner.idx).forUpdate().execute()
    for (const call of calls) await expect(call()).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  })
})

test('exports and imports are not rejected in one call', async () => {
  const [one] = await build(1)
  const incoming = await buildRequest(app, employee, { type: Transfer.IMPORT })
  const mixed = [one ?? incoming, incoming]
  await expect(reject(lead, mixed)).rejects.toMatchObject({ error: 'INVALID_INPUT', data: { fields: ['requests'] } })
  const exporter = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
  await expect(reject(exporter, [incoming])).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  expect(await reject(lead, [incoming])).toEqual({ rejected: 1, skipped: [] })
  expect((await historyOf(db, 'fileImport')).map(({ subjectIdx }) => subjectIdx)).toEqual([incoming.idx])
})

test('each rejected request has a decision, a row of the history and a notice, and keeps its files', async () => {
  const requests = [await buildRequest(app, employee), await buildRequest(app, employee)]
  const events = await announced(app, () => reject(lead, requests.toReversed(), '자료가 모자랍니다'))
  expect(events).toEqual([{ topic: 'requests', groupIdx: sales.idx }])
  for (const row of await rowsOf(requests))
    expect(row).toMatchObject({
      state: RequestState.REJECTED,
      waitDT: null,
      approverIdx: lead.idx,
      approverName: lead.name,
      approveDT: clock.now(),
      approvePurpose: '자료가 모자랍니다',
      filesRemovedDT: null,
    })
  const history = (await historyOf(db, 'fileExport')).filter(({ subjectIdx }) =>
    requests.some(({ idx }) => idx === subjectIdx),
  )
  const detail = {
    targetState: RequestState.REJECTED,
    targetOldState: RequestState.REQUESTED,
    approverName: lead.name,
    approvePurpose: '자료가 모자랍니다',
    step: 1,
    stepCount: 1,
    forName: null,
    files: [{ fileName: 'note.txt' }],
  }
  const row = { type: RequestEvent.REJECTED, actorIdx: lead.idx, groupIdx: sales.idx, detail }
  expect(history).toMatchObject(idxesOf(requests).map((subjectIdx) => ({ ...row, subjectIdx })))
  for (const request of requests)
    expect(await decisionsOf(request)).toMatchObject([
      { step: 1, decision: 0, deciderIdx: lead.idx, forIdx: null, reason: '자료가 모자랍니다', decideDT: clock.now() },
    ])
  const notices = await db.read
    .selectFrom('requesterNotices')
    .select(['userIdx', 'event'])
    .where('fileEximportIdx', 'in', idxesOf(requests))
    .execute()
  expect(notices).toEqual(Array(2).fill({ userIdx: employee.idx, event: 0 }))
})

test('decided, canceled, incomplete and moved requests are left out, and the others are rejected', async () => {
  const states = [RequestState.APPROVED, RequestState.CANCELED, RequestState.ALLOWED] as const
  const decided = await Promise.all(states.map((state) => buildRequest(app, employee, { state })))
  const uploading = await buildRequest(app, employee, { isFileUploaded: 0 })
  const later = await buildRequest(app, employee, { later: [security], step: 2 })
  const [open] = await build(1)
  const left = [...decided, uploading, later]
  const before = await rowsOf(left)
  expect(await reject(lead, [...left, ...(open ? [open] : [])])).toEqual({ rejected: 1, skipped: idxesOf(left) })
  expect(await rowsOf(left)).toEqual(before)
  expect(await reject(lead, left)).toEqual({ rejected: 0, skipped: idxesOf(left) })
})

test('a later step is rejected by its members, and only where the caller has seen it', async () => {
  const first = await buildRequest(app, employee, { later: [security] })
  const second = await buildRequest(app, employee, { later: [security], step: 2 })
  await expect(reject(guard, [first, second])).rejects.toMatchObject({ data: { missing: [first.idx] } })
  expect(await reject(guard, [second])).toEqual({ rejected: 0, skipped: [second.idx] })
  // An administrator decides the first step alone.
  expect(await as(admin).requests.rejectMany({ requests: [at(2)(second)], purpose: 'no' })).toMatchObject({
    rejected: 0,
  })
  expect(await as(guard).requests.rejectMany({ requests: [at(2)(second)], purpose: 'no' })).toMatchObject({
    rejected: 1,
  })
  expect(await decisionsOf(second)).toMatchObject([{ step: 2, deciderIdx: guard.idx }])
})

test('a substitute rejects for an absent person, in whose name each decision is', async () => {
  const deputy = await buildManager(db, { groups: [far], fileExportApprove: 2, fileImportApprove: 2 })
  const today = clock.now().toISOString().slice(0, 10)
  const period = { startDay: today, endDay: today, reason: 'leave' }
  await as(admin).absences.create({ userIdx: lead.idx, substituteIdx: deputy.idx, ...period })
  const requests = await build(2)
  expect(await reject(deputy, requests)).toEqual({ rejected: 2, skipped: [] })
  for (const request of requests)
    expect(await decisionsOf(request)).toMatchObject([{ deciderIdx: deputy.idx, forIdx: lead.idx, forName: lead.name }])
  const last = (await historyOf(db, 'fileExport')).at(-1)
  expect(last?.detail).toMatchObject({ forName: lead.name, approverName: deputy.name })
})

test('a request that somebody else decides during the call is left out', async () => {
  const requests = await build(3)
  const [first = { idx: 0 }] = requests
  const result = await overtake(db, {
    lock: (tx) => tx.selectFrom('fileEximports').select('idx').where('idx', '=', first.idx).forUpdate().execute(),
    call: () => reject(lead, requests),
    change: (tx) =>
      tx.updateTable('fileEximports').set({ state: 1, waitDT: null }).where('idx', '=', first.idx).execute(),
  })
  expect(result).toEqual({ rejected: 2, skipped: [first.idx] })
})

test('twenty callers whose lists overlap in opposite order reject each request once', async () => {
  const requests = await build(40)
  const people = await Promise.all(
    Array.from({ length: 20 }, () => buildManager(db, { groups: [sales], fileExportApprove: 2 })),
  )
  const lists = people.map((_, no) => {
    const part = requests.slice(no, no + 20)
    return no % 2 === 0 ? part : part.toReversed()
  })
  const results = await Promise.all(people.map((user, no) => reject(user, lists[no] ?? [])))
  const reached = requests.slice(0, 39)
  expect(results.reduce((sum, { rejected }) => sum + rejected, 0)).toBe(reached.length)
  for (const [no, { rejected, skipped }] of results.entries()) expect(rejected + skipped.length).toBe(lists[no]?.length)
  for (const request of reached) expect(await decisionsOf(request)).toHaveLength(1)
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(db.write)
  expect(rows[0]?.deadlocks).toBe(0)
})

test('fifty calls at once for the same hundred requests reject each of them once', { timeout: 60_000 }, async () => {
  const requests = await build(MAX_REJECTED)
  const results = await Promise.all(Array.from({ length: 50 }, () => reject(lead, requests)))
  expect(results.map(({ rejected }) => rejected).sort((a, b) => b - a)).toEqual([MAX_REJECTED, ...Array(49).fill(0)])
  expect(new Set(await statesOf(requests))).toEqual(new Set([RequestState.REJECTED]))
})
