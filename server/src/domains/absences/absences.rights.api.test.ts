// What a substitute may do: requests of the absent person's groups on the approval pages, while both have the right.
import { RequestEvent } from '@acc/contract/labels/requests'
import { NoticeChoice } from '@acc/contract/notices'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAbsence } from '../../../test/build/absences.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { type BuiltUser, buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { mailsTo } from '../../../test/mails.ts'
import { overtake } from '../../../test/overtake.ts'
import { hours } from '../../clock.ts'
import { choose, runNotices } from '../notices/notices.fixture.ts'

const { app, as, admin, clock, owner } = await startTestApp()
const { db } = app
const { sales, east, rnd } = await buildGroups(db, 'sales', 'sales/east', 'rnd')
await openExports(db)
const employee = await buildUser(db, { group: east })

type Manager = BuiltUser & { authorityIdx: number }
let absent: Manager
let substitute: Manager
let request: number
beforeEach(async () => {
  await owner.deleteFrom('fileEximports').execute()
  absent = await buildManager(db, { groups: [sales], fileExportApprove: 2, user: 2, policy: 2, log: 1 })
  substitute = await buildManager(db, { groups: [rnd], fileExportApprove: 2, user: 2, policy: 2, log: 1 })
  request = (await buildRequest(app, { ...employee, groupIdx: east.idx })).idx
})

const search = (viewer: { idx: number }, isDecidable: 0 | 1 = 0) =>
  as(viewer).requests.search({ type: 1, filterType: 1, isDecidable })
const sees = async (viewer: { idx: number }) => (await search(viewer)).items.some(({ idx }) => idx === request)
const decide = (viewer: { idx: number }) => as(viewer).requests.decide({ idx: request, state: 1 })
/** The request cannot be opened, downloaded or decided. */
async function expectClosed(viewer: { idx: number }) {
  const { requests } = as(viewer)
  await expect(requests.find({ idx: request })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(requests.download({ fileEximport: request })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await expect(decide(viewer)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
}
/** Nothing of the request shows either. */
async function expectNoRight(viewer: { idx: number }) {
  expect(await sees(viewer)).toBe(false)
  await expectClosed(viewer)
}

test('a substitute sees and decides what the absent person may, and the absent person still does', async () => {
  await expectNoRight(substitute)
  await buildAbsence(db, absent, substitute)
  expect(await sees(substitute)).toBe(true)
  expect((await search(substitute, 1)).items.map(({ idx }) => idx)).toContain(request)
  expect(await as(substitute).requests.find({ idx: request })).toMatchObject({ isDecidable: 1, isDownloadable: 1 })
  expect(await as(absent).requests.find({ idx: request })).toMatchObject({ isDecidable: 1 })
  await decide(substitute)
})

test.each([
  ['over', { from: '-2 days', to: '-1 second' }],
  ['in the future', { from: '1 hour', to: '2 days' }],
])('an absence that is %s gives nothing', async (_, period) => {
  await buildAbsence(db, absent, substitute, period)
  await expectNoRight(substitute)
})

/** The request, with a second step of others. */
async function buildStepped() {
  const authority = await buildAuthority(db, { groups: [rnd], fileExportApprove: 2 })
  request = (await buildRequest(app, { ...employee, groupIdx: east.idx }, { later: [authority] })).idx
}
const decisions = () =>
  db.read
    .selectFrom('requestDecisions')
    .select(['step', 'deciderIdx', 'forIdx', 'forName'])
    .where('fileEximportIdx', '=', request)
    .execute()

test('a decision for the absent person has their name, and so has the history', async () => {
  await buildAbsence(db, absent, substitute)
  await buildStepped()
  const { deciders } = await as(substitute).requests.find({ idx: request })
  expect(deciders?.people).toContainEqual({ name: substitute.name, forName: absent.name })
  await decide(substitute)
  expect(await decisions()).toEqual([{ step: 1, deciderIdx: substitute.idx, forIdx: absent.idx, forName: absent.name }])
  const rows = (await historyOf(db, 'fileExport')).filter(({ subjectIdx }) => subjectIdx === request)
  expect(rows).toMatchObject([
    {
      type: RequestEvent.STEP_APPROVED,
      actorIdx: substitute.idx,
      detail: { approverName: substitute.name, forName: absent.name },
    },
  ])
})

test('a substitution that ends between list and decision ends the right', async () => {
  const { idx } = await buildAbsence(db, absent, substitute)
  await buildStepped()
  const error = await overtake(db, {
    lock: (tx) => tx.selectFrom('fileEximports').select('idx').where('idx', '=', request).forUpdate().execute(),
    call: () => decide(substitute),
    change: (tx) => tx.deleteFrom('absences').where('idx', '=', idx).execute(),
  })
  expect(error).toMatchObject({ error: expect.stringMatching('NOT_ALLOWED|REQUEST_STATE') })
  expect(await decisions()).toEqual([])
})

test('a decision for an absent person who is deleted at the same time is refused', async () => {
  await buildAbsence(db, absent, substitute)
  await buildStepped()
  const error = await overtake(db, {
    lock: (tx) => tx.deleteFrom('users').where('idx', '=', absent.idx).execute(),
    call: () => decide(substitute),
  })
  expect(error).toMatchObject({ error: 'REQUEST_STATE' })
  expect(await decisions()).toEqual([])
})

test('of decisions while the absence ends, each is before its end or refused', async () => {
  const { idx } = await buildAbsence(db, absent, substitute)
  const requests = await Promise.all(
    Array.from({ length: 25 }, () => buildRequest(app, { ...employee, groupIdx: east.idx })),
  )
  const outcomes = await Promise.all([
    ...requests.map(({ idx: one }) =>
      as(substitute)
        .requests.decide({ idx: one, state: 1 })
        .then(
          () => 'done',
          ({ error }: { error: string }) => error,
        ),
    ),
    as(absent)
      .absences.end({ idx })
      .then(() => 'ended'),
  ])
  expect(new Set([...outcomes, 'done', 'NOT_ALLOWED', 'ended']).size).toBe(3)
  const approved = db.read.selectFrom('fileEximports').select('idx').where('state', '=', 1)
  expect(await approved.execute()).toHaveLength(outcomes.filter((outcome) => outcome === 'done').length)
  await expectNoRight(substitute)
})

test('the right counts at the moment: it ends when the absent person loses theirs', async () => {
  await buildAbsence(db, absent, substitute)
  const { authorityIdx } = absent
  await as(admin).authorities.setMembers({ idx: authorityIdx, userIdxes: [] })
  await expectNoRight(substitute)
  await as(admin).authorities.setMembers({ idx: authorityIdx, userIdxes: [absent.idx] })
  expect(await sees(substitute)).toBe(true)
  await db.write.deleteFrom('authorityGroups').where('authorityIdx', '=', authorityIdx).execute()
  await expectNoRight(substitute)
})

test('a substitute who is no approver any more loses it at once, also one of another page alone', async () => {
  await buildAbsence(db, absent, substitute)
  const levels = (columns: { fileExportApprove: 0 | 1 | 2; fileImportApprove?: 2 }) =>
    db.write.updateTable('authorities').set(columns).where('idx', '=', substitute.authorityIdx).execute()
  await levels({ fileExportApprove: 1 })
  expect(await sees(substitute)).toBe(false)
  await levels({ fileExportApprove: 2 })
  expect(await sees(substitute)).toBe(true)
  await levels({ fileExportApprove: 0, fileImportApprove: 2 })
  await expectClosed(substitute)
  await levels({ fileExportApprove: 2 })
  await db.write.deleteFrom('authorityGroups').where('authorityIdx', '=', substitute.authorityIdx).execute()
  await expectClosed(substitute)
})

test('a page on which the absent person alone has a level stays closed', async () => {
  await buildAuthority(db, { groups: [sales], users: [absent], fileImportApprove: 1 })
  await buildAbsence(db, absent, substitute)
  const { idx } = await buildRequest(app, { ...employee, groupIdx: east.idx }, { type: 0 })
  await expect(as(substitute).requests.search({ type: 0, filterType: 1 })).rejects.toMatchObject({
    error: 'NOT_ALLOWED',
  })
  await expect(as(substitute).requests.find({ idx })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

test('other pages, the groups, the history and the session stay as they are', async () => {
  const found = async () => {
    const calls = as(substitute)
    const [session, tree, users, log] = await Promise.all([
      calls.session.find({}),
      calls.groups.searchAuthGroups({}),
      calls.users.search({ filterType: 1 }),
      calls.history.fileEximport({ type: 1 }),
    ])
    return [session.pageAuth, tree.groups, users.items.map(({ idx }) => idx), log.items.map(({ idx }) => idx)]
  }
  const before = await found()
  await buildAbsence(db, absent, substitute)
  expect(await found()).toEqual(before)
  await expect(as(substitute).users.find({ idx: employee.idx })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  const policy = as(substitute).policies.find({ ownerIdx: east.idx, ownerType: 0 })
  await expect(policy).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

test('rights are passed on neither twice nor from an administrator to a manager', async () => {
  const third = await buildManager(db, { groups: [rnd], fileExportApprove: 2 })
  await buildAbsence(db, absent, substitute)
  await buildAbsence(db, substitute, third)
  await buildAbsence(db, await buildUser(db, { isAdmin: 1 }), third)
  await expectNoRight(third)
})

test('many groups of many absent people are one more hash in the same statement', async () => {
  await sql`insert into groups (idx, "parentIdx", name, key, path, position)
    select idx * 1000 + i, idx, 'team ' || i, idx || '-' || i, path || idx * 1000 + i, i
    from groups, generate_series(1, 200) i where idx = ${east.idx}`.execute(db.write)
  const teams = await db.read.selectFrom('groups').select('idx').where('parentIdx', '=', east.idx).execute()
  for (let count = 0; count < 3; count++) {
    const one = await buildManager(db, { groups: teams.slice(count * 60, 60 + count * 60), fileExportApprove: 2 })
    await buildAbsence(db, one, substitute)
  }
  expect(await sees(substitute)).toBe(false)
  const below = await buildRequest(app, { ...employee, groupIdx: teams[170]?.idx ?? 0 })
  expect((await search(substitute, 1)).items.map(({ idx }) => idx)).toEqual([below.idx])
})

test('what waits for the absent person is mailed to the substitute, also what waited before', async () => {
  await choose(app, substitute, NoticeChoice.AT_ONCE)
  await runNotices(app)
  expect(await mailsTo(app, substitute.email)).toEqual([])
  const { idx } = await buildAbsence(db, absent, substitute)
  await runNotices(app)
  const [mail, ...others] = await mailsTo(app, substitute.email)
  expect(mail?.text).toContain(`approvals/${request}\n`)
  expect(others).toEqual([])
  await as(absent).absences.end({ idx })
  await buildRequest(app, { ...employee, groupIdx: east.idx })
  clock.advance(hours(3))
  await runNotices(app)
  expect(await mailsTo(app, substitute.email)).toHaveLength(1)
})
