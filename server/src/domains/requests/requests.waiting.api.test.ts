// "Waiting": a decision is missing and the files are complete. Every number equals the list that it opens,
// for each viewer: badge and tab count what the viewer may decide, the dashboard all requests of the viewer's groups.

import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { NoticeChoice } from '@acc/contract/notices'
import { WAITING } from '@acc/contract/requestState'
import { beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { mailsTo } from '../../../test/mails.ts'
import { days, later } from '../../clock.ts'
import { choose, runNotices } from '../notices/notices.fixture.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
const { sales, desk, rnd } = await buildGroups(db, 'sales', 'sales/desk', 'rnd')
const inDesk = await buildUser(db, { group: desk })
const inRnd = await buildUser(db, { group: rnd })
const decider = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
const requesting = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { group: desk } })
const reader = await buildManager(db, { groups: [sales], fileExportApprove: 1 })
const mixed = await buildManager(db, { groups: [sales], fileExportApprove: 1 })
await buildAuthority(db, { groups: [rnd], users: [mixed], fileExportApprove: 2 })
const importer = await buildManager(db, { groups: [sales], fileImportApprove: 2 })

beforeAll(async () => {
  for (const requester of [inDesk, inDesk, inRnd, requesting, admin]) {
    const found = await db.read
      .selectFrom('users')
      .selectAll()
      .where('idx', '=', requester.idx)
      .executeTakeFirstOrThrow()
    await buildRequest(app, found)
    await buildRequest(app, found, { isFileUploaded: 0 })
    await buildRequest(app, found, { state: RequestState.ALLOWED, isFileUploaded: 0 })
    await buildRequest(app, found, { state: RequestState.REJECTED })
  }
})

type Person = { idx: number }
const type = Transfer.EXPORT
const listed = async (viewer: Person, filter: object) => {
  const { totalCount, items } = await as(viewer).requests.search({ type, ...filter })
  expect(items).toHaveLength(totalCount)
  return totalCount
}
const period = () => ({
  logSDT: later(clock.now(), -days(1)).toISOString(),
  logEDT: later(clock.now(), days(1)).toISOString(),
})

/** Who looks, what waits for them, and what waits in the groups that they view. */
const VIEWERS = [
  ['an administrator who asked for files, too', admin, 4, 5],
  ['a manager', decider, 3, 3],
  ['a manager who asked for files, too', requesting, 2, 3],
  ['a reader', reader, 0, 3],
  ['a reader who decides elsewhere', mixed, 1, 4],
] as const

test.each(VIEWERS)('%s: what waits for them is what they may decide', async (_name, viewer, forThem) => {
  const { items } = await as(viewer).requests.search({ type, isDecidable: 1 })
  expect(items).toHaveLength(forThem)
  for (const { idx, state, isFileUploaded } of items) {
    expect({ state, isFileUploaded }).toEqual(WAITING)
    expect((await as(viewer).requests.find({ idx })).isDecidable).toBe(1)
  }
  expect(await listed(viewer, { ...WAITING, isDecidable: 1, filterType: 1, overdueFirst: 1 })).toBe(forThem)
  const others = (await as(viewer).requests.search({ type, ...WAITING })).items.filter(
    ({ idx }) => !items.some((one) => one.idx === idx),
  )
  for (const { idx } of others) expect((await as(viewer).requests.find({ idx })).isDecidable).toBe(0)
})

test.each(VIEWERS)('%s: the counter of the dashboard is the list that it opens', async (_name, viewer, _, inGroups) => {
  for (const groupIdxes of [[], [sales.idx], [desk.idx, rnd.idx]]) {
    const { requestCounts, uploadCounts } = await as(viewer).dashboard.findFileExportStates({ ...period(), groupIdxes })
    const list = {
      groupIdxes,
      filterType: 1,
      overdueFirst: 1,
      requestSDT: period().logSDT,
      requestEDT: period().logEDT,
    } as const
    expect(await listed(viewer, { ...list, ...WAITING })).toBe(requestCounts)
    expect(await listed(viewer, { ...list, state: RequestState.REQUESTED, isFileUploaded: 0 })).toBe(uploadCounts)
    if (groupIdxes.length === 0) expect(requestCounts).toBe(inGroups)
  }
})

test('what waits for a person narrows by groups, states and texts as any list', async () => {
  expect(await listed(decider, { isDecidable: 1, groupIdxes: [rnd.idx] })).toBe(0)
  expect(await listed(mixed, { isDecidable: 1, groupIdxes: [sales.idx] })).toBe(0)
  expect(await listed(decider, { isDecidable: 1, state: RequestState.REJECTED })).toBe(0)
  expect(await listed(admin, { isDecidable: 1, filterType: 1, requesterId: inRnd.id })).toBe(1)
  await expect(as(importer).requests.search({ type, isDecidable: 1 })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
})

test('the mail names as many as the badge', async () => {
  const people = [decider, requesting, mixed, reader]
  for (const person of people) await choose(app, person, NoticeChoice.AT_ONCE)
  await runNotices(app)
  for (const person of people) {
    const [mail] = await mailsTo(app, person.email)
    const named = Number(/(\d+) requests? to decide/.exec(mail?.subject ?? '')?.[1] ?? 0)
    expect(named).toBe(await listed(person, { isDecidable: 1 }))
  }
})
