// Lists narrowed to groups and to an hour of the day in the caller's time zone: a bar of the dashboard counts the rows
// that its history lists.
import { MAX_CHOSEN_GROUPS } from '@acc/contract/core/fields'
import { ROOT_GROUP } from '@acc/contract/groups'
import { formatTimeOfDay, momentFormat } from '@acc/contract/labels/formats'
import { offsetIn, splitByOffset } from '@acc/contract/labels/offsets'
import { Transfer } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildSignIns } from '../../../test/build/signIns.ts'
import { buildUser } from '../../../test/build/users.ts'
import { hours, later } from '../../clock.ts'

const { app, owner, as, admin, clock } = await startTestApp()
const { db } = app
const { sales, east, rnd } = await buildGroups(db, 'sales', 'sales/east', 'rnd')
const inEast = await buildUser(db, { group: east, name: '동쪽' })
const inRnd = await buildUser(db, { group: rnd, name: '연구' })
const manager = await buildManager(db, { groups: [sales], log: 1 })

const inZone = (timeZone: string) => ({ headers: { 'X-Time-Zone': timeZone } })
const period = (from: Date, to: Date) => ({ logSDT: from.toISOString(), logEDT: to.toISOString() })

/** The bars of the hourly chart, as a browser in that zone draws them, each with the time of day at which it begins. */
async function barsOf(
  timeZone: string,
  from: Date,
  to: Date,
  groupIdx: number,
): Promise<{ start: number; count: number }[]> {
  const parts = splitByOffset(from.getTime(), to.getTime(), offsetIn(timeZone))
  const minute = (((parts.at(-1)?.offset ?? 0) % 60) + 60) % 60
  const counts = Array.from({ length: 24 }, () => 0)
  for (const { start, end, offset } of parts) {
    const part = period(new Date(start), new Date(end))
    const { loginCounts } = await as(admin).dashboard.findHourlyUserLogins({ ...part, groupIdxes: [groupIdx] })
    loginCounts.forEach((count, hour) => {
      const local = (((hour + Math.floor(offset / 60)) % 24) + 24) % 24
      counts[local] = (counts[local] ?? 0) + count
    })
  }
  return counts.map((count, hour) => ({ start: 60 * hour + minute, count }))
}

// Over changes of summer time, over the turn of the year, and with quarters and halves of an hour; no two overlap.
test.each([
  ['Asia/Seoul', '2025-12-30T15:00:00Z'],
  ['America/New_York', '2025-10-31T04:00:00Z'],
  ['America/New_York', '2026-03-07T05:00:00Z'],
  ['America/St_Johns', '2024-11-02T02:30:00Z'],
  ['Asia/Kathmandu', '2024-12-30T18:15:00Z'],
])('the history of a bar has what it counts in %s from %s', async (timeZone, day) => {
  const from = new Date(day)
  const to = later(from, hours(3 * 24))
  const { zoned } = await buildGroups(db, 'zoned')
  const person = await buildUser(db, { group: zoned })
  await sql`select "makePartitions"('signIns', ${from.toISOString().slice(0, 10)}::date, 2)`.execute(owner)
  const moments = Array.from({ length: 110 }, (_, at) => later(from, Math.floor((at * (to.getTime() - +from)) / 110)))
  await buildSignIns(
    app,
    person,
    [...moments, later(to, -1)].map((loginDT) => ({ loginDT })),
  )
  const bars = await barsOf(timeZone, from, to, zoned.idx)
  const format = momentFormat(timeZone)
  // The hours of the changes, and some of the day.
  for (const { start, count } of bars.filter((_, hour) => hour < 4 || hour % 8 === 0)) {
    const filter = { ...period(from, to), logHour: formatTimeOfDay(start % 1440), groupIdxes: [zoned.idx] }
    const { items, totalCount } = await as(admin).history.clientLogin({ ...filter, rowsCount: 200 }, inZone(timeZone))
    expect(totalCount, filter.logHour).toBe(count)
    for (const { loginDT } of items) {
      const [hour = 0, minute = 0] = format.format(new Date(loginDT)).slice(11).split(':').map(Number)
      expect((60 * hour + minute - start + 1440) % 1440).toBeLessThan(60)
    }
  }
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(moments.length + 1)
})

/** A moment of today or yesterday, at some minutes past eight in UTC. */
const at8 = (minutes: number) =>
  later(new Date(`${later(clock.now(), -hours(24)).toISOString().slice(0, 11)}08:00:00Z`), minutes * 60_000)

test('every list takes an hour, in JSON and as CSV, without a period too', async () => {
  await buildSignIns(app, inRnd, [{ loginDT: at8(0) }, { loginDT: at8(59) }, { loginDT: at8(60) }])
  await buildSignIns(app, inRnd, [{ kind: 'web', loginDT: at8(30) }])
  await buildRequest(app, inRnd, { requestDT: at8(59) })
  await buildRequest(app, inRnd, { requestDT: at8(-1) })
  const detail = JSON.stringify({ targetName: '연구', targetKey: 'k' })
  const actor = { actorId: 'a', actorName: 'a', actorGroupName: 'a' }
  const row = { ...actor, kind: 'groupManage', subject: 'g', groupIdx: rnd.idx, type: 1, ip: '10.0.0.1', detail }
  await db.write
    .insertInto('history')
    .values([at8(10), at8(70)].map((logDT) => ({ ...row, logDT })))
    .execute()
  const filter = { logHour: '08:00', groupIdxes: [rnd.idx] }
  const { history } = as(admin)
  expect((await history.clientLogin(filter)).totalCount).toBe(2)
  expect((await history.webLogin(filter)).totalCount).toBe(1)
  expect((await history.fileEximport({ ...filter, type: Transfer.EXPORT })).totalCount).toBe(1)
  expect((await history.groupManage(filter)).totalCount).toBe(1)
  expect((await history.groupManage({ ...filter, targetName: '연구' })).totalCount).toBe(1)
  expect((await history.clientLogin(filter, inZone('Asia/Seoul'))).totalCount).toBe(0)
  expect((await history.clientLogin({ ...filter, logHour: '17:00' }, inZone('Asia/Seoul'))).totalCount).toBe(2)
  expect((await history.clientLogin({ ...filter, logHour: '08:30' })).totalCount).toBe(2)
  const headers = { Accept: 'text/csv', 'X-Time-Zone': 'Asia/Seoul' }
  const csv: unknown = await history.clientLogin({ ...filter, logHour: '17:00' }, { headers })
  if (!(csv instanceof Response)) throw new Error('not a response')
  expect((await csv.text()).trimEnd().split('\r\n').slice(1)).toEqual([
    expect.stringContaining(' 17:59:00,'),
    expect.stringContaining(' 17:00:00,'),
  ])
  for (const logHour of ['24:00', '9:00', '08:60', '', "08:00'"])
    await expect(history.clientLogin({ logHour })).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  expect((await history.clientLogin({ ...filter, logSDT: '1900-01-01T00:00:00Z' })).totalCount).toBe(2)
  expect((await history.clientLogin({ ...filter, logEDT: '1999-01-01T00:00:00Z' })).totalCount).toBe(0)
})

test('groups stand for all below them, and those that the viewer cannot see for nothing', async () => {
  const countOf = async (user: { idx: number }, ...groups: { idx: number }[]) => {
    const groupIdxes = groups.map(({ idx }) => idx)
    const { totalCount } = await as(user).history.clientLogin({ groupIdxes, userName: '동쪽', maxCount: 10_000 })
    return totalCount
  }
  await buildSignIns(app, inEast, [{}, {}])
  const all = await countOf(admin)
  expect(all).toBe(2)
  for (const groups of [[east], [sales], [{ idx: ROOT_GROUP }], [rnd, east], [sales, east]])
    expect(await countOf(admin, ...groups)).toBe(all)
  expect(await countOf(admin, rnd)).toBe(0)
  expect(await countOf(admin, { idx: 999_999 })).toBe(0)
  for (const groups of [[], [sales], [east], [east, rnd]]) expect(await countOf(manager, ...groups)).toBe(all)
  for (const foreign of [rnd, { idx: ROOT_GROUP }, { idx: 999_999 }]) expect(await countOf(manager, foreign)).toBe(0)
  expect((await as(manager).history.clientLogin({ groupIdxes: [rnd.idx] })).totalCount).toBe(0)
  const many = Array.from({ length: MAX_CHOSEN_GROUPS + 1 }, (_, at) => ({ idx: at + 1 }))
  await expect(countOf(admin, ...many)).rejects.toMatchObject({ error: 'INVALID_INPUT' })
})
