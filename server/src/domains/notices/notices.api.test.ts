// The choice of each approver, and the hours after which a request is overdue: history and lists.
import { AccountAction, SettingManage } from '@acc/contract/labels/history'
import { Decision, Transfer } from '@acc/contract/labels/requests'
import { NoticeChoice } from '@acc/contract/notices'
import { WAITING } from '@acc/contract/requestState'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { hours, later } from '../../clock.ts'

const { app, as, admin, clock, fetchAs } = await startTestApp()
const { db } = app
await openExports(db)
const { sales } = await buildGroups(db, 'sales')
const approver = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
const rowsOf = (userIdx: number) =>
  db.read.selectFrom('personNotices').selectAll().where('userIdx', '=', userIdx).execute()

test('everyone has a choice of their own, with a default by role; a change is in the history', async () => {
  expect(await as(approver).notices.findChoice({})).toEqual({ choice: NoticeChoice.HOURLY })
  expect(await as(admin).notices.findChoice({})).toEqual({ choice: NoticeChoice.DAILY })
  const other = await buildManager(db, { groups: [sales], fileImportApprove: 2 })
  const headers = {
    'content-type': 'application/json',
    'x-requested-with': 'XMLHttpRequest',
    'x-time-zone': 'Asia/Seoul',
  }
  const body = JSON.stringify({ choice: NoticeChoice.DAILY, userIdx: other.idx, idx: other.idx })
  const response = await fetchAs(approver)('/Account/Notice', { method: 'POST', headers, body })
  expect(await response.json()).toMatchObject({ errorCode: 0 })
  expect(await as(approver).notices.findChoice({})).toEqual({ choice: NoticeChoice.DAILY })
  expect(await rowsOf(approver.idx)).toMatchObject([{ choice: 3, timeZone: 'Asia/Seoul' }])
  expect(await rowsOf(other.idx)).toEqual([])
  const { DAILY, HOURLY } = NoticeChoice
  const entry = { type: AccountAction.SET_NOTICE, subjectIdx: approver.idx, actorIdx: approver.idx, groupIdx: 1 }
  const history = await historyOf(db, 'account')
  expect(history).toMatchObject([{ ...entry, detail: { targetNotice: DAILY, targetOldNotice: HOURLY } }])
  await as(approver).notices.setChoice({ choice: DAILY })
  expect(await historyOf(db, 'account')).toHaveLength(1)
})

test('overdue requests are marked and come first, in the order of the sort, where that is asked for', async () => {
  const employee = await buildUser(db, { group: sales })
  const ago = (count: number) => buildRequest(app, employee, { requestDT: later(clock.now(), -hours(count)) })
  const built = []
  for (const count of [30, 5, 24, 23]) built.push((await ago(count)).idx)
  const [old = 0, young = 0, edge = 0, almost = 0] = built
  const decided = (await ago(50)).idx
  await as(admin).requests.decide({ idx: decided, state: Decision.APPROVE })
  const list = async (filter: object) =>
    (await as(approver).requests.search({ type: Transfer.EXPORT, ...WAITING, ...filter })).items
  const idxes = async (filter: object) => (await list(filter)).map(({ idx }) => idx)
  expect(await idxes({})).toEqual([almost, edge, young, old])
  expect(await idxes({ overdueFirst: 1 })).toEqual([edge, old, almost, young])
  expect(await idxes({ overdueFirst: 1, sortOrder: 0 })).toEqual([old, edge, young, almost])
  expect(await idxes({ overdueFirst: 1, sort: 'requestDT', rowsCount: 2, rowsAfter: 1 })).toEqual([old, young])
  const search = { filterType: 0, idx: employee.id, requesterId: employee.id, requesterName: employee.id }
  expect(await idxes({ ...search, overdueFirst: 1 })).toEqual([edge, old, almost, young])
  expect((await list({ overdueFirst: 1 })).map(({ isOverdue }) => isOverdue)).toEqual([1, 1, 0, 0])
  expect(await as(approver).requests.find({ idx: old })).toMatchObject({ isOverdue: 1, waitDT: expect.any(String) })
  expect(await as(approver).requests.find({ idx: decided })).toMatchObject({ isOverdue: 0, waitDT: null })
  await as(admin).notices.setOverdue({ overdueHours: 6 })
  expect((await list({})).map(({ isOverdue }) => isOverdue)).toEqual([1, 1, 0, 1])
  await as(admin).notices.setOverdue({ overdueHours: 0 })
  expect((await list({ overdueFirst: 1 })).map(({ idx, isOverdue }) => [idx, isOverdue])).toEqual(
    [almost, edge, young, old].map((idx) => [idx, 0]),
  )
  const history = (await historyOf(db, 'settingManage')).filter(({ subject }) => subject === 'overdueHours')
  const { SET_OVERDUE_HOURS: type } = SettingManage
  expect(history).toMatchObject([
    { type, detail: { targetValue: '6', targetOldValue: '24' } },
    { type, detail: { targetValue: '0', targetOldValue: '6' } },
  ])
})
