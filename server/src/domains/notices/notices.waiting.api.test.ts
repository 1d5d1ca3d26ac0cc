// Mails to approvers: recipients, content, time, frequency, and exactly once.

import { Decision, Transfer } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { NoticeChoice } from '@acc/contract/notices'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { withImports } from '../../../test/consoleConfig.ts'
import { mailsTo } from '../../../test/mails.ts'
import { days, hours, minutes } from '../../clock.ts'
import { openDatabase } from '../../db/open.ts'
import { choose, runNotices } from './notices.fixture.ts'
import { notifyApprovers } from './notices.waiting.ts'

const { app, owner, as, admin, clock } = await startTestApp({ ACC_CONSOLE_CONFIG: await withImports() })
const { db } = app
await openExports(db)
const { sales, rnd } = await buildGroups(db, 'sales', 'rnd')
const employee = await buildUser(db, { group: sales, name: '김하늘' })
const approver = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { group: sales } })
await choose(app, admin, NoticeChoice.OFF)

afterEach(async () => {
  clock.advance(days(1))
  await owner.deleteFrom('fileEximports').execute()
  await db.write.deleteFrom('mails').execute()
  await owner.deleteFrom('personNotices').where('userIdx', 'not in', [admin.idx]).execute()
})

const subjectsTo = async ({ email }: { email: string }) =>
  (await mailsTo(app, email)).map(({ subject }) => /(\d+) requests? to decide/.exec(subject)?.[1])
const linksTo = async ({ email }: { email: string }) =>
  (await mailsTo(app, email)).flatMap(({ text }) =>
    [...(text.split('----')[0] ?? '').matchAll(/\?go=(\S+)/g)].map(([, place]) => place),
  )

test('a request that begins to wait is mailed at once, with a link, and never again', async () => {
  await choose(app, approver, NoticeChoice.AT_ONCE)
  const incomplete = await buildRequest(app, employee, { isFileUploaded: 0 })
  const { idx } = await buildRequest(app, employee, { purpose: 'SECRET purpose' })
  await runNotices(app)
  expect(await linksTo(approver)).toEqual([`approvals/${idx}`])
  const [mail] = await mailsTo(app, approver.email)
  expect(mail?.text).toContain(`${app.env.publicUrl}/acc/?go=approvals/${idx}\n`)
  expect(mail?.text).toContain(`#${idx} 반출 · 김하늘 (sales) · 파일 1개 · 5 B`)
  expect(mail?.text).not.toMatch(/SECRET|note\.txt/)
  clock.advance(hours(5))
  await runNotices(app)
  expect(await subjectsTo(approver)).toEqual(['1'])
  expect(await db.read.selectFrom('waitingNotices').select('fileEximportIdx').execute()).toEqual([
    { fileEximportIdx: idx },
  ])
  await db.write
    .updateTable('fileEximports')
    .set({ isFileUploaded: 1, waitDT: clock.now() })
    .where('idx', '=', incomplete.idx)
    .execute()
  await runNotices(app)
  expect(await linksTo(approver)).toEqual([`approvals/${idx}`, `approvals/${incomplete.idx}`])
})

test('only those who may decide it at this moment are notified', async () => {
  const importer = await buildManager(db, { groups: [sales], fileImportApprove: 2 })
  const colleague = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { group: sales } })
  const others = await Promise.all([
    buildManager(db, { groups: [sales], fileExportApprove: 1 }),
    buildManager(db, { groups: [rnd], fileExportApprove: 2 }),
    buildManager(db, { groups: [sales], user: 2, policy: 2, log: 1 }),
    buildManager(db, { groups: [sales], fileExportApprove: 2, as: { state: UserState.DISABLED } }),
    buildManager(db, { groups: [sales], fileExportApprove: 2, as: { isMortal: 1, expireDT: '2020-01-01' } }),
    buildManager(db, { groups: [sales], fileExportApprove: 2, as: { email: '' } }),
  ])
  const withdrawn = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
  for (const person of [approver, colleague, importer, withdrawn, ...others])
    await choose(app, person, NoticeChoice.AT_ONCE)
  const off = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
  await choose(app, off, NoticeChoice.OFF)
  const foreign = await buildRequest(app, employee)
  const own = await buildRequest(app, approver)
  const incoming = await buildRequest(app, employee, { type: Transfer.IMPORT })
  const decided = await buildRequest(app, employee)
  await as(admin).requests.decide({ idx: decided.idx, state: Decision.APPROVE })
  await db.write.deleteFrom('authorityUsers').where('userIdx', '=', withdrawn.idx).execute()
  await runNotices(app)
  expect(await linksTo(approver)).toEqual([`approvals/${foreign.idx}`])
  expect(await linksTo(colleague)).toEqual([`approvals/${foreign.idx}`, `approvals/${own.idx}`])
  expect(await linksTo(importer)).toEqual([`imports/${incoming.idx}`])
  for (const person of [withdrawn, off, ...others]) expect(await mailsTo(app, person.email)).toEqual([])
})

test('while the operator has imports switched off, no mail asks for their decision', async () => {
  const importer = await buildManager(db, { groups: [sales], fileImportApprove: 2 })
  await choose(app, importer, NoticeChoice.AT_ONCE)
  await buildRequest(app, employee, { type: Transfer.IMPORT })
  const { show } = app.env.runtime
  const runtime = { ...app.env.runtime, show: { ...show, approve: { import: false, export: true } } }
  await notifyApprovers({ ...app, env: { ...app.env, runtime } })
  expect(await mailsTo(app, importer.email)).toEqual([])
})

test('one mail for many: a burst is two mails, and a day of it no more than a person can follow', async () => {
  await choose(app, approver, NoticeChoice.AT_ONCE)
  clock.set(new Date(Math.ceil(clock.now().getTime() / days(1)) * days(1)))
  const waiting = { ...(await requestRow()), waitDT: clock.now() }
  const burst = (count: number) =>
    db.write
      .insertInto('fileEximports')
      .values(Array.from({ length: count }, () => waiting))
      .execute()
  await burst(60)
  await runNotices(app)
  expect(await subjectsTo(approver)).toEqual(['60'])
  expect(await linksTo(approver)).toHaveLength(10)
  for (let minute = 1; minute < 10; minute++) {
    clock.advance(minutes(1))
    await burst(10)
    await runNotices(app)
  }
  expect(await subjectsTo(approver)).toEqual(['60'])
  clock.advance(minutes(1))
  await runNotices(app)
  expect(await subjectsTo(approver)).toEqual(['60', '90'])
  for (let step = 0; step < 71; step++) {
    clock.advance(minutes(20))
    await burst(1)
    await notifyApprovers(app)
  }
  expect((await subjectsTo(approver)).length).toBeLessThan(36)
})

test('choosing at once again does not end the pause after a mail', async () => {
  await choose(app, approver, NoticeChoice.AT_ONCE)
  await buildRequest(app, employee)
  await runNotices(app)
  for (const choice of [NoticeChoice.OFF, NoticeChoice.AT_ONCE]) await as(approver).notices.setChoice({ choice })
  await buildRequest(app, employee)
  clock.advance(minutes(1))
  await runNotices(app)
  expect(await subjectsTo(approver)).toEqual(['1'])
  clock.advance(minutes(9))
  await runNotices(app)
  expect(await subjectsTo(approver)).toEqual(['1', '1'])
})

/** The columns of a request that waits. */
async function requestRow() {
  const { idx } = await buildRequest(app, employee)
  const { idx: _, ...row } = await db.read
    .selectFrom('fileEximports')
    .selectAll()
    .where('idx', '=', idx)
    .executeTakeFirstOrThrow()
  await owner.deleteFrom('fileEximports').where('idx', '=', idx).execute()
  return row
}

test('hourly is one mail at the full hour, daily one in the morning', async () => {
  const daily = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
  await choose(app, daily, NoticeChoice.DAILY)
  clock.set(new Date('2030-03-04T00:20:00.000Z'))
  await runNotices(app)
  for (const minute of [1, 20]) {
    clock.advance(minutes(minute))
    await buildRequest(app, employee)
    await runNotices(app)
  }
  expect([await subjectsTo(approver), await subjectsTo(daily)]).toEqual([[], []])
  clock.set(new Date('2030-03-04T01:00:00.000Z'))
  await runNotices(app)
  await runNotices(app)
  expect(await subjectsTo(approver)).toEqual(['2'])
  clock.set(new Date('2030-03-04T02:05:00.000Z'))
  await runNotices(app)
  await buildRequest(app, employee)
  clock.set(new Date('2030-03-04T02:59:00.000Z'))
  await runNotices(app)
  expect(await subjectsTo(approver)).toEqual(['2'])
  clock.set(new Date('2030-03-04T22:59:00.000Z'))
  await runNotices(app)
  expect([await subjectsTo(approver), await subjectsTo(daily)]).toEqual([['2', '1'], []])
  // Eight in the morning in Seoul.
  clock.set(new Date('2030-03-04T23:00:00.000Z'))
  await runNotices(app)
  expect(await subjectsTo(daily)).toEqual(['3'])
})

test('who waits too long is reminded of once, and not where reminders are switched off', async () => {
  await choose(app, approver, NoticeChoice.AT_ONCE)
  const { idx } = await buildRequest(app, employee)
  const { idx: decided } = await buildRequest(app, employee)
  await runNotices(app)
  await as(admin).requests.decide({ idx: decided, state: Decision.REJECT })
  await as(admin).notices.setOverdue({ overdueHours: 0 })
  clock.advance(days(3))
  await runNotices(app)
  await as(admin).notices.setOverdue({ overdueHours: 73 })
  await runNotices(app)
  expect(await subjectsTo(approver)).toEqual(['2'])
  clock.advance(hours(1))
  for (const _ of [1, 2]) {
    await runNotices(app)
    clock.advance(days(1))
  }
  expect(await subjectsTo(approver)).toEqual(['2', '1'])
  const [, reminder] = await mailsTo(app, approver.email)
  expect(reminder?.text).toContain('Waiting for more than 73 hours: 1 request.')
  expect(reminder?.text).toContain(`#${idx} Export · 김하늘 (sales) · 1 file · 5 B · overdue`)
  await as(admin).notices.setOverdue({ overdueHours: 24 })
})

test('several nodes at once store one mail; a node that dies stores none, and the next one does', async () => {
  await choose(app, approver, NoticeChoice.AT_ONCE)
  await buildRequest(app, employee)
  const dying = { ...app.jobs, enqueue: () => Promise.reject(new Error('the node dies')) }
  await expect(notifyApprovers({ ...app, jobs: dying })).rejects.toThrow('the node dies')
  expect(await mailsTo(app, approver.email)).toEqual([])
  const other = openDatabase(db.connection, app.log, 4)
  await Promise.all([app, { ...app, db: other }, app, { ...app, db: other }].map((node) => notifyApprovers(node)))
  await other.close()
  expect(await subjectsTo(approver)).toEqual(['1'])
})

test('a request that commits later than one announced after it is not missed', async () => {
  await choose(app, approver, NoticeChoice.AT_ONCE)
  const early = await requestRow()
  const slow = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const late = db.write.transaction().execute(async (tx) => {
    await tx
      .insertInto('fileEximports')
      .values({ ...early, waitDT: clock.now() })
      .execute()
    begun.resolve()
    await slow.promise
  })
  await begun.promise
  clock.advance(minutes(1))
  await buildRequest(app, employee)
  await runNotices(app)
  slow.resolve()
  await late
  clock.advance(minutes(20))
  await runNotices(app)
  expect(await subjectsTo(approver)).toEqual(['1', '1'])
})

test('a name with markup is text in the mail', async () => {
  await choose(app, approver, NoticeChoice.AT_ONCE)
  const evil = await buildUser(db, { group: sales, name: '<a href="//evil.example">x</a>\r\nBcc: a@evil.example' })
  const { idx } = await buildRequest(app, evil)
  await runNotices(app)
  const [mail] = await mailsTo(app, approver.email)
  expect(mail?.subject).toBe('[ACC] 승인 대기 요청 1건 / 1 request to decide')
  expect(await linksTo(approver)).toEqual([`approvals/${idx}`])
  expect(mail?.text).not.toMatch(/^Bcc:/m)
})

test('who becomes an approver learns once of what waits already, and of no request twice', async () => {
  const parts = await buildGroups(db, 'plant', 'plant/line', 'office')
  const newcomer = await buildUser(db, { group: parts.office })
  const manager = await buildManager(db, { groups: [parts.plant], fileExportApprove: 2 })
  for (const person of [newcomer, manager]) await choose(app, person, NoticeChoice.AT_ONCE)
  const worker = await buildUser(db, { group: parts.line })
  const clerk = await buildUser(db, { group: parts.office })
  const first = await buildRequest(app, worker)
  const second = await buildRequest(app, clerk)
  await runNotices(app)
  expect(await linksTo(manager)).toEqual([`approvals/${first.idx}`])
  const levels = { policy: 0, user: 0, fileImportApprove: 0, log: 0 } as const
  const create = (name: string, groups: readonly { idx: number }[], userIdxes: number[], fileExportApprove: 1 | 2) => {
    const groupIdxes = groups.map(({ idx }) => idx)
    return as(admin).authorities.create({ name, groupIdxes, userIdxes, fileExportApprove, ...levels })
  }
  // The line is below the plant, so that it adds nothing; a level that decides nothing neither.
  await create('line', [parts.line], [manager.idx], 2)
  const { idx } = await create('office', [parts.office], [manager.idx, newcomer.idx], 1)
  clock.advance(minutes(10))
  await runNotices(app)
  expect([await linksTo(manager), await linksTo(newcomer)]).toEqual([[`approvals/${first.idx}`], []])
  const { name, revision } = await as(admin).authorities.find({ idx })
  const groupIdxes = [parts.office.idx]
  await as(admin).authorities.update({ ...levels, idx, name, revision, groupIdxes, fileExportApprove: 2 })
  for (const _ of [1, 2]) {
    clock.advance(minutes(10))
    await runNotices(app)
  }
  expect(await linksTo(manager)).toEqual([`approvals/${first.idx}`, `approvals/${second.idx}`])
  expect(await linksTo(newcomer)).toEqual([`approvals/${second.idx}`])
})
