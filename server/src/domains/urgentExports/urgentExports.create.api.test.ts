// Urgent exports from the desktop client: who may create them, how many, and what a stricter policy makes of them.
import { createHash } from 'node:crypto'
import { FileExport } from '@acc/contract/labels/policies'
import { RequestEvent, RequestState, Transfer } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { MAX_UNREVIEWED } from '@acc/contract/urgentExports'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAbsence } from '../../../test/build/absences.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { buildUser } from '../../../test/build/users.ts'
import { withImports } from '../../../test/consoleConfig.ts'
import { type DesktopClient, openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { mailsTo } from '../../../test/mails.ts'
import { hours, later, minutes } from '../../clock.ts'
import { notifyRequesters } from '../notices/notices.requesters.ts'

const testApp = await startTestApp({ ACC_CONSOLE_CONFIG: await withImports() })
const { app, as, admin, clock } = testApp
const { db } = app
const groups = await buildGroups(db, 'urgent', 'strict', 'free', 'blocked', 'far')
const { idx: policyIdx } = await buildPolicy(db, {
  ...{ group: groups.urgent, fileExport: FileExport.APPROVAL },
  ...{ urgentExport: 1, urgentReviewHours: 4 },
})
await buildPolicy(db, { group: groups.strict, fileExport: FileExport.APPROVAL })
await buildPolicy(db, { group: groups.free, fileExport: FileExport.ALLOW, urgentExport: 1 })
await buildPolicy(db, { group: groups.blocked, fileExport: FileExport.BLOCK, urgentExport: 1 })
const lead = await buildManager(db, { groups: [groups.urgent], fileExportApprove: 2, as: { name: '김팀장' } })

const REASON = '고객이 현장에서 도면을 기다리고 있어 승인을 기다릴 수 없습니다.'
const { ALLOWED, REQUESTED, CANCELED } = RequestState
const NEW_REQUEST = {
  type: Transfer.EXPORT,
  purpose: '고객 전달',
  urgentReason: REASON,
  files: [{ name: 'a.txt', size: 5, sha256: createHash('sha256').update('hello').digest('hex') }],
}
const rowOf = (idx: number) =>
  db.read.selectFrom('fileEximports').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const eventsOf = async (idx: number) =>
  (await historyOf(db, 'fileExport')).filter(({ subjectIdx }) => subjectIdx === idx)
const requestsOf = ({ idx }: { idx: number }) =>
  db.read.selectFrom('fileEximports').select(['idx', 'state', 'urgentReason']).where('requesterIdx', '=', idx).execute()
const setPolicy = (values: object) =>
  db.write.updateTable('policies').set(values).where('idx', '=', policyIdx).execute()

async function buildAsker(group: { idx: number } = groups.urgent) {
  const user = await buildUser(db, { group })
  return { user, pc: await openDesktopClient(testApp, user) }
}
type Created = Awaited<ReturnType<DesktopClient['requests']['create']>>
const placeOf = ({ idx, files }: Created) => ({ fileEximport: idx, file: files[0]?.idx ?? 0 })
const send = (pc: DesktopClient, created: Created) =>
  pc.requests.upload({ ...placeOf(created), offset: 0 }, new Blob(['hello']))
async function createComplete(pc: DesktopClient) {
  const created = await pc.requests.create(NEW_REQUEST)
  await send(pc, created)
  return created
}

test.each([
  ['too short', 'a'.repeat(19)],
  ['short after trimming', `  ${'a'.repeat(19)}  `],
  ['too long', 'a'.repeat(201)],
  ['blank', '\u200b'.repeat(30)],
  ['with control characters', `${'a'.repeat(30)}\u0000`],
  ['with turned text', `${'a'.repeat(30)}\u202e`],
])('a reason that is %s is refused', async (_, urgentReason) => {
  const { user, pc } = await buildAsker()
  const refused = pc.requests.create({ ...NEW_REQUEST, urgentReason })
  await expect(refused).rejects.toMatchObject({ error: 'INVALID_INPUT', data: { fields: ['urgentReason'] } })
  expect(await requestsOf(user)).toEqual([])
})

test('an import is never urgent', async () => {
  const { user, pc } = await buildAsker()
  await expect(pc.requests.create({ ...NEW_REQUEST, type: Transfer.IMPORT })).rejects.toMatchObject({
    error: 'INVALID_INPUT',
    data: { fields: ['urgentReason'] },
  })
  expect(await requestsOf(user)).toEqual([])
})

test('a policy without urgent exports refuses them, and so does one that blocks exports', async () => {
  for (const group of [groups.strict, groups.blocked]) {
    const { user, pc } = await buildAsker(group)
    await expect(pc.requests.create(NEW_REQUEST)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
    expect(await requestsOf(user)).toEqual([])
  }
})

test('nobody exports urgently by a switch that they set themselves', async () => {
  const { user, pc } = await buildAsker()
  await setPolicy({ urgentExportSetBy: user.idx })
  await expect(pc.requests.create(NEW_REQUEST)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  const created = await pc.requests.create({ ...NEW_REQUEST, urgentReason: undefined })
  expect(created.state).toBe(REQUESTED)
  await setPolicy({ urgentExportSetBy: lead.idx })
  expect((await pc.requests.create(NEW_REQUEST)).state).toBe(ALLOWED)
  await setPolicy({ urgentExportSetBy: null })
})

test('without the screen of export approval nobody could review, so urgent exports are refused', async () => {
  const { pc } = await buildAsker()
  const { approve } = app.env.runtime.show
  Object.assign(approve, { export: false })
  await expect(pc.requests.create(NEW_REQUEST)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  Object.assign(approve, { export: true })
})

test('where the policy allows exports anyway, an urgent one is a normal one without a review', async () => {
  const { pc } = await buildAsker(groups.free)
  for (let count = 0; count <= MAX_UNREVIEWED; count++) {
    const created = await createComplete(pc)
    expect(await rowOf(created.idx)).toMatchObject({ state: ALLOWED, urgentReason: null, reviewDueDT: null })
  }
})

test('an urgent export is allowed at once and is to be reviewed from its last file on', async () => {
  const { user, pc } = await buildAsker()
  const created = await pc.requests.create(NEW_REQUEST)
  expect(created.state).toBe(ALLOWED)
  expect(await rowOf(created.idx)).toMatchObject({ urgentReason: REASON, reviewDueDT: null, approveDT: null })
  await expect(pc.requests.downloadOwn(placeOf(created))).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  clock.advance(minutes(5))
  await send(pc, created)
  const reviewDueDT = later(clock.now(), hours(4))
  expect(await rowOf(created.idx)).toMatchObject({ state: ALLOWED, isFileUploaded: 1, waitDT: null, reviewDueDT })
  await pc.requests.downloadOwn(placeOf(created))
  expect((await pc.requests.searchOwn({ idx: created.idx })).items).toMatchObject([
    {
      urgentReason: REASON,
      reviewDueDT: reviewDueDT.toISOString(),
      deciders: { people: [{ name: '김팀장', forName: null }, expect.anything()] },
    },
  ])
  const events = await eventsOf(created.idx)
  expect(events.map(({ type }) => type)).toEqual([RequestEvent.ALLOWED, RequestEvent.UPLOADED])
  expect(events).toMatchObject([
    { actorIdx: user.idx, detail: { urgentReason: REASON } },
    { detail: { urgentReason: REASON } },
  ])
})

test('everybody who can review it gets a mail at once, and the requester learns who they are', async () => {
  const { user, pc } = await buildAsker()
  const [absent, substitute] = [
    await buildManager(db, { groups: [groups.urgent], fileExportApprove: 2, as: { name: '휴가자' } }),
    await buildManager(db, { groups: [groups.far], fileExportApprove: 2, as: { name: '대리인' } }),
  ]
  const [reader, outsider, suspended] = [
    await buildManager(db, { groups: [groups.urgent], fileExportApprove: 1 }),
    await buildManager(db, { groups: [groups.far], fileExportApprove: 2 }),
    await buildManager(db, { groups: [groups.urgent], fileExportApprove: 2, as: { state: UserState.DISABLED } }),
  ]
  await buildAbsence(db, absent, substitute)
  await as(lead).notices.setChoice({ choice: 3 })
  await db.write.deleteFrom('mails').execute()
  const { idx } = await createComplete(pc)
  const root = await db.read.selectFrom('users').select('email').where('idx', '=', admin.idx).executeTakeFirstOrThrow()
  for (const { email } of [lead, absent, substitute, root]) {
    const [mail, ...others] = await mailsTo(app, email)
    expect(others).toEqual([])
    expect(mail?.subject).toContain(`긴급 반출 검토 요청 #${idx}`)
    expect(mail?.text).toContain(REASON)
    expect(mail?.text).toContain('검토 기한')
    expect(mail?.text).toContain(`?go=approvals/${idx}`)
    expect(mail?.text).not.toMatch(/고객 전달|a\.txt/)
  }
  for (const { email } of [reader, outsider, suspended, user]) expect(await mailsTo(app, email)).toEqual([])
  await notifyRequesters(app)
  const [mail] = await mailsTo(app, user.email)
  expect(mail?.text).toContain(`#${idx} 반출 · 긴급 반출: 검토 기한:`)
  expect(mail?.text).toMatch(/결정할 수 있는 사람: .*김팀장/)
})

test('three are not reviewed at most, incomplete ones included, also when 50 are created at once', async () => {
  const { user, pc } = await buildAsker()
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => pc.requests.create(NEW_REQUEST)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refused).toHaveLength(50 - MAX_UNREVIEWED)
  for (const error of refused) expect(error).toMatchObject({ error: 'URGENT_REFUSED', data: { reason: 'open' } })
  const [first, second] = await requestsOf(user)
  expect(await requestsOf(user)).toHaveLength(MAX_UNREVIEWED)
  // A normal request is still possible, and so is an urgent one in the place of a canceled one.
  await pc.requests.create({ ...NEW_REQUEST, urgentReason: undefined })
  await pc.requests.cancel({ idx: first?.idx ?? 0 })
  await createComplete(pc)
  await expect(pc.requests.create(NEW_REQUEST)).rejects.toMatchObject({ error: 'URGENT_REFUSED' })
  await setPolicy({ urgentExport: 0 })
  // What waits for an approver by now is no urgent export any more.
  const files = await db.read
    .selectFrom('requestFiles')
    .select('idx')
    .where('fileEximportIdx', '=', second?.idx ?? 0)
    .executeTakeFirstOrThrow()
  await pc.requests.upload({ fileEximport: second?.idx ?? 0, file: files.idx, offset: 0 }, new Blob(['hello']))
  await setPolicy({ urgentExport: 1 })
  expect((await pc.requests.create(NEW_REQUEST)).state).toBe(ALLOWED)
})

test('one review that is overdue is enough, and other people are not affected', async () => {
  const [{ pc }, other] = [await buildAsker(), await buildAsker()]
  const { idx } = await createComplete(pc)
  await db.write.updateTable('fileEximports').set({ reviewDueDT: clock.now() }).where('idx', '=', idx).execute()
  await pc.requests.create(NEW_REQUEST)
  clock.advance(1)
  const refused = pc.requests.create(NEW_REQUEST)
  await expect(refused).rejects.toMatchObject({ error: 'URGENT_REFUSED', data: { reason: 'overdue' } })
  await other.pc.requests.create(NEW_REQUEST)
})

test('without the switch it waits for the approvers: before its last file and at a download', async () => {
  const { pc } = await buildAsker()
  const [incomplete, complete] = [await pc.requests.create(NEW_REQUEST), await createComplete(pc)]
  await setPolicy({ urgentExport: 0 })
  await send(pc, incomplete)
  await expect(pc.requests.downloadOwn(placeOf(complete))).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  await setPolicy({ urgentExport: 1 })
  for (const { idx } of [incomplete, complete]) {
    const waits = { state: REQUESTED, waitDT: clock.now(), reviewDueDT: null, urgentReason: REASON, step: 1 }
    expect(await rowOf(idx)).toMatchObject(waits)
    expect(await as(lead).requests.find({ idx })).toMatchObject({ isDecidable: 1, isReviewable: 0 })
  }
  expect((await eventsOf(complete.idx)).map(({ type }) => type)).toEqual([
    ...[RequestEvent.ALLOWED, RequestEvent.UPLOADED, RequestEvent.REQUESTED],
  ])
})

test('a policy that blocks exports by now cancels it at its last file, and stops its downloads', async () => {
  const { pc } = await buildAsker()
  const [incomplete, complete] = [await pc.requests.create(NEW_REQUEST), await createComplete(pc)]
  await setPolicy({ fileExport: FileExport.BLOCK })
  await expect(send(pc, incomplete)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(pc.requests.downloadOwn(placeOf(complete))).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await setPolicy({ fileExport: FileExport.APPROVAL })
  expect((await rowOf(incomplete.idx)).state).toBe(CANCELED)
  await pc.requests.downloadOwn(placeOf(complete))
})
