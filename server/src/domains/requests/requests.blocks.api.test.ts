// Requests whose reason is gone: of deleted people they are canceled; a suspended or expired requester, or a policy
// that blocks exports by now, stops approving and every download until that ends. Rejecting stays possible.
import { localDayOf } from '@acc/contract/labels/formats'
import { FileExport } from '@acc/contract/labels/policies'
import { RequestBlock, RequestEvent, RequestState, Transfer } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildPolicy } from '../../../test/build/policies.ts'
import { type BuiltRequest, buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { openDesktopClient } from '../../../test/desktopClients.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'
import { days, later } from '../../clock.ts'

const testApp = await startTestApp()
const { app, as, admin, clock } = testApp
const { db } = app
const { REQUESTED, APPROVED, REJECTED, CANCELED, ALLOWED } = RequestState

let built = 0
/** A group whose exports need approval, its approver, and a member. */
async function buildOffice() {
  const name = `office${++built}`
  const { [name]: office } = await buildGroups(db, name)
  if (office === undefined) throw new Error('no group')
  const { idx: policyIdx } = await buildPolicy(db, { group: office, fileExport: FileExport.APPROVAL })
  const approver = await buildManager(db, { groups: [office], fileExportApprove: 2, fileImportApprove: 2 })
  return { office, policyIdx, approver, user: await buildUser(db, { group: office }) }
}
type Office = Awaited<ReturnType<typeof buildOffice>>

const setFileExport = ({ policyIdx: idx }: Office, fileExport: 0 | 1 | 2) =>
  as(admin).policies.update({ idx, fileExport })
const setSuspended = ({ user: { idx } }: Office, isSuspended: boolean) =>
  as(admin).users.setDisabled({ idx, state: isSuspended ? UserState.DISABLED : UserState.NORMAL })
const setLastDay = ({ user }: Office, day: Date) =>
  db.write
    .updateTable('users')
    .set({ isMortal: 1, expireDT: localDayOf(day) })
    .where('idx', '=', user.idx)
    .execute()

const stateOf = async (idx: number) =>
  await db.read.selectFrom('fileEximports').select(['state', 'waitDT']).where('idx', '=', idx).executeTakeFirstOrThrow()
const isTrial = 1
const downloads = (viewer: { idx: number }, { idx: fileEximport }: BuiltRequest) =>
  Promise.allSettled([
    as(viewer).requests.download({ fileEximport }),
    as(viewer).requests.download({ fileEximport, isTrial }),
  ]).then((calls) => calls.map((call) => (call.status === 'rejected' ? call.reason.error : 'bytes')))

const NOTHING = ['bytes', 'bytes']
const STOPPED = ['NOT_ALLOWED', 'NOT_ALLOWED']

const BLOCKS = [
  ['a suspended requester', RequestBlock.SUSPENDED, setSuspended, true],
  [
    'an expired requester',
    RequestBlock.EXPIRED,
    // It can be used on its last day.
    (office: Office, isStopped: boolean) => setLastDay(office, later(clock.now(), -days(isStopped ? 1 : 0))),
    true,
  ],
  [
    'a policy that blocks exports by now',
    RequestBlock.POLICY,
    (office: Office, isStopped: boolean) => setFileExport(office, isStopped ? FileExport.BLOCK : FileExport.APPROVAL),
    false,
  ],
] as const

test.each(BLOCKS)(
  '%s stops approving and downloads until that ends, and rejecting never',
  async (_, block, stop, stopsImports) => {
    const office = await buildOffice()
    const { user, approver } = office
    const [first, second] = [await buildRequest(app, user), await buildRequest(app, user)]
    const approved = await buildRequest(app, user, { state: APPROVED })
    const incoming = await buildRequest(app, user, { type: Transfer.IMPORT })
    await stop(office, true)
    for (const viewer of [approver, admin]) {
      expect(await as(viewer).requests.find({ idx: first.idx })).toMatchObject({
        block,
        isDecidable: 1,
        isApprovable: 0,
        isDownloadable: 0,
      })
      await expect(as(viewer).requests.decide({ idx: first.idx, state: 1 })).rejects.toMatchObject({
        error: 'REQUEST_STATE',
      })
      expect(await downloads(viewer, first)).toEqual(STOPPED)
      expect(await downloads(viewer, approved)).toEqual(STOPPED)
    }
    expect((await stateOf(first.idx)).state).toBe(REQUESTED)
    const { items } = await as(approver).requests.search({ type: Transfer.EXPORT, isDecidable: 1 })
    expect(items.map((request) => [request.idx, request.block])).toEqual([
      [second.idx, block],
      [first.idx, block],
    ])
    expect((await as(approver).requests.find({ idx: incoming.idx })).block).toBe(stopsImports ? block : null)
    await as(approver).requests.decide({ idx: second.idx, state: 0 })
    expect((await stateOf(second.idx)).state).toBe(REJECTED)
    await stop(office, false)
    expect(await as(approver).requests.find({ idx: first.idx })).toMatchObject({
      block: null,
      isApprovable: 1,
      isDownloadable: 1,
    })
    expect(await downloads(approver, approved)).toEqual(NOTHING)
    await as(approver).requests.decide({ idx: first.idx, state: 1 })
    expect((await stateOf(first.idx)).state).toBe(APPROVED)
  },
)

test('a lock after wrong passwords, which strangers can cause, stops nothing', async () => {
  const { user, approver } = await buildOffice()
  const request = await buildRequest(app, user)
  const lock = { state: UserState.DISABLED, loginFails: app.env.maxLoginFails }
  await db.write.updateTable('users').set(lock).where('idx', '=', user.idx).execute()
  expect(await as(approver).requests.find({ idx: request.idx })).toMatchObject({ block: null, isApprovable: 1 })
  await as(approver).requests.decide({ idx: request.idx, state: 1 })
  expect(await downloads(approver, request)).toEqual(NOTHING)
})

test('a block of the policy also stops approved and allowed files of the requester', async () => {
  const office = await buildOffice()
  const pc = await openDesktopClient(testApp, office.user)
  const fetch = async (state: RequestState) => {
    const { idx, files } = await buildRequest(app, office.user, { state })
    return () => pc.requests.downloadOwn({ fileEximport: idx, file: files[0]?.idx ?? 0 })
  }
  const [approved, allowed, waiting] = [await fetch(APPROVED), await fetch(ALLOWED), await fetch(REQUESTED)]
  await setFileExport(office, FileExport.BLOCK)
  const rows = (await historyOf(db, 'fileDownload')).length
  for (const call of [approved, allowed]) await expect(call()).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(waiting()).rejects.toMatchObject({ error: 'REQUEST_STATE' })
  expect(await historyOf(db, 'fileDownload')).toHaveLength(rows)
  expect((await pc.requests.searchOwn({})).items.map(({ block }) => block)).toEqual([3, 3, 3])
  await setFileExport(office, FileExport.ALLOW)
  for (const call of [approved, allowed]) expect(await (await call()).text()).toBe('hello')
  expect((await pc.requests.searchOwn({})).items.map(({ block }) => block)).toEqual([null, null, null])
})

test('the policy that counts is the one in force: a personal one, or that of the group the person is in now', async () => {
  const office = await buildOffice()
  const request = await buildRequest(app, office.user)
  const { idx: personal } = await buildPolicy(db, { user: office.user, fileExport: FileExport.BLOCK })
  const blockNow = async () => (await as(office.approver).requests.find({ idx: request.idx })).block
  expect(await blockNow()).toBe(RequestBlock.POLICY)
  await as(admin).policies.update({ idx: personal, fileExport: FileExport.APPROVAL })
  expect(await blockNow()).toBeNull()
  await as(admin).users.setIsMyPolicy({ idx: office.user.idx, isMyPolicy: 0 })
  const { shut } = await buildGroups(db, 'shut')
  await as(admin).users.move({ idxes: [office.user.idx], groupIdx: shut.idx })
  expect(await blockNow()).toBe(RequestBlock.POLICY)
})

test('a suspension or a block in the middle of an approval comes before it', async () => {
  const office = await buildOffice()
  const [first, second] = [await buildRequest(app, office.user), await buildRequest(app, office.user)]
  const approve = ({ idx }: BuiltRequest) => as(office.approver).requests.decide({ idx, state: 1 })
  const policy = await overtake(db, {
    lock: (tx) => tx.selectFrom('policies').select('idx').where('idx', '=', office.policyIdx).forUpdate().execute(),
    call: () => approve(first),
    change: (tx) =>
      tx.updateTable('policies').set({ fileExport: FileExport.BLOCK }).where('idx', '=', office.policyIdx).execute(),
  })
  expect(policy).toMatchObject({ error: 'REQUEST_STATE' })
  await setFileExport(office, FileExport.APPROVAL)
  const person = await overtake(db, {
    lock: (tx) => tx.selectFrom('users').select('idx').where('idx', '=', office.user.idx).forUpdate().execute(),
    call: () => approve(second),
    change: (tx) =>
      tx.updateTable('users').set({ state: UserState.DISABLED }).where('idx', '=', office.user.idx).execute(),
  })
  expect(person).toMatchObject({ error: 'REQUEST_STATE' })
  for (const { idx } of [first, second]) expect((await stateOf(idx)).state).toBe(REQUESTED)
})

test('deleting people cancels their open requests, with history, and leaves decided ones', async () => {
  const { user, approver } = await buildOffice()
  const waiting = await buildRequest(app, user)
  const uploading = await buildRequest(app, user, { isFileUploaded: 0 })
  const allowed = await buildRequest(app, user, { state: ALLOWED, isFileUploaded: 0 })
  const decided = await Promise.all([APPROVED, REJECTED, ALLOWED].map((state) => buildRequest(app, user, { state })))
  await as(admin).users.remove({ idxes: [user.idx] })
  for (const { idx } of [waiting, uploading, allowed]) {
    expect(await stateOf(idx)).toEqual({ state: CANCELED, waitDT: null })
    const rows = (await historyOf(db, 'fileExport')).filter(({ subjectIdx }) => subjectIdx === idx)
    expect(rows).toMatchObject([
      { type: RequestEvent.CANCELED, actorIdx: admin.idx, subject: user.id, detail: { targetState: CANCELED } },
    ])
  }
  for (const file of waiting.files) await expect(app.files.read(file)).rejects.toMatchObject({ reason: 'missing' })
  expect(await as(approver).requests.search({ type: Transfer.EXPORT, isDecidable: 1 })).toMatchObject({ totalCount: 0 })
  await expect(as(approver).requests.decide({ idx: waiting.idx, state: 1 })).rejects.toMatchObject({
    error: 'REQUEST_STATE',
  })
  for (const [at, state] of [APPROVED, REJECTED, ALLOWED].entries()) {
    const { idx, files } = decided[at] ?? waiting
    expect((await stateOf(idx)).state).toBe(state)
    // The files stay, as evidence for approvers.
    for (const file of files) (await app.files.read(file)).destroy()
    expect((await as(approver).requests.find({ idx })).block).toBeNull()
  }
  const notices = db.read.selectFrom('requesterNotices').selectAll().where('fileEximportIdx', '=', waiting.idx)
  expect(await notices.execute()).toEqual([])
})

test('deleting a person and deciding their request at once: one of them', async () => {
  for (let round = 0; round < 5; round++) {
    const { user, approver } = await buildOffice()
    const { idx } = await buildRequest(app, user)
    const [removed, decided] = await Promise.allSettled([
      as(admin).users.remove({ idxes: [user.idx] }),
      as(approver).requests.decide({ idx, state: 1 }),
    ])
    expect(removed.status).toBe('fulfilled')
    expect((await stateOf(idx)).state).toBe(decided.status === 'fulfilled' ? APPROVED : CANCELED)
    if (decided.status === 'rejected') expect(decided.reason).toMatchObject({ error: 'REQUEST_STATE' })
  }
})
