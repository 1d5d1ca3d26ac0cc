// The strip above a list: it counts what the list shows, with every filter, and no row that the viewer may not read.
import { LOG_NAMES, LOGS, STORED_LOGS } from '@acc/contract/history/kinds'
import { Transfer } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildSignIns } from '../../../test/build/signIns.ts'
import { buildUser } from '../../../test/build/users.ts'
import { days, hours, later } from '../../clock.ts'

const { app, owner, as, fetchAs, admin, clock } = await startTestApp()
const { db } = app
const { sales, rnd } = await buildGroups(db, 'sales', 'rnd')
const [seller, engineer] = [await buildUser(db, { group: sales }), await buildUser(db, { group: rnd })]
const manager = await buildManager(db, { groups: [sales], log: 1 })
const inSeoul = { headers: { 'X-Time-Zone': 'Asia/Seoul' } }

type Counts = { parts: { startDT: string; count: number; isEstimated: number }[] }
const sumOf = ({ parts }: Counts) => parts.reduce((sum, { count }) => sum + count, 0)
const today = new Date(`${clock.now().toISOString().slice(0, 10)}T00:00:00Z`)
const period = { logSDT: later(today, -days(2)).toISOString(), logEDT: later(today, -days(1)).toISOString() }
const at = (hour: number) => later(today, hours(hour) - days(2))

test('each hour has its sign-ins, in the time zone of the viewer, with the filters of the list', async () => {
  await buildSignIns(app, seller, [{ loginDT: at(3) }, { loginDT: at(3) }, { loginDT: at(4) }, { loginDT: at(24) }])
  await buildSignIns(app, engineer, [{ loginDT: at(5) }])
  const { history } = as(admin)
  const all = await history.clientLoginCounts(period, inSeoul)
  expect(all).toMatchObject({ unit: 'hour', endDT: period.logEDT })
  expect(all.parts.map(({ count }) => count).filter((count) => count > 0)).toEqual([2, 1, 1])
  expect(all.parts.findIndex(({ count }) => count === 2)).toBe(3)
  for (const filter of [
    { userId: seller.id },
    { groupIdxes: [rnd.idx] },
    { logHour: '03:00' },
    { userName: 'nobody' },
  ]) {
    const { totalCount } = await history.clientLogin({ ...period, ...filter })
    expect(sumOf(await history.clientLoginCounts({ ...period, ...filter })), JSON.stringify(filter)).toBe(totalCount)
  }
  expect(sumOf(await as(manager).history.clientLoginCounts(period))).toBe(3)
  expect(sumOf(await as(manager).history.clientLoginCounts({ ...period, groupIdxes: [rnd.idx] }))).toBe(0)
  for (const wrong of [{ logSDT: 'x' }, { type: 'x' }, { logHour: '25:00' }, { groupIdxes: ['a'] }])
    await expect(history.clientLoginCounts(wrong)).rejects.toMatchObject({ error: 'INVALID_INPUT' })
})

test('every list has counts, which are those of its rows', async () => {
  await buildRequest(app, seller, { requestDT: at(3) })
  const row = {
    actorId: 'a',
    actorName: 'a',
    actorGroupName: 'a',
    subject: 'g',
    groupIdx: rnd.idx,
    type: 1,
    ip: '10.0.0.1',
  }
  for (const kind of STORED_LOGS)
    await db.write
      .insertInto('history')
      .values({ ...row, kind, logDT: at(6), detail: '{}' })
      .execute()
  for (const log of LOG_NAMES) {
    const query = new URLSearchParams({ ...period, ...(log === 'fileEximport' && { type: String(Transfer.EXPORT) }) })
    const answers = [`${LOGS[log].path}?${query}`, `${LOGS[log].path}/Counts?${query}`].map(
      async (path) => (await (await fetchAs(admin)(path)).json()).data,
    )
    const [list, counts] = await Promise.all(answers)
    expect(sumOf(counts), log).toBe(list.totalCount)
    const refused = await (await fetchAs(manager)(`${LOGS[log].path}/Counts?${query}`)).json()
    expect(refused.errorCode, log).toBe(LOGS[log].access === 'admin' ? 980 : 0)
  }
})

test('without a period the parts begin with the oldest row; very many rows are estimated', async () => {
  const { crowd, rest } = await buildGroups(db, 'crowd', 'rest')
  const person = await buildUser(db, { group: crowd })
  const begin = later(today, -days(30))
  await sql`select "makePartitions"('signIns', ${begin.toISOString().slice(0, 10)}::date, 3)`.execute(owner)
  await sql`
    insert into "signIns" (kind, "loginDT", "userId", "userName", "userGroupName", ip, "userRole", type, "clientVersion", "deviceName", "groupIdx")
    select 'web', ${begin}::timestamptz + n * interval '40 seconds', ${person.id}, case when n % 4 = 0 then 'fourth' else 'other' end, '', '', 2, 0, '', '',
      case when n % 2 = 0 then ${crowd.idx}::bigint else ${rest.idx} end
    from generate_series(0, 23999) n`.execute(db.write)
  const { history } = as(admin)
  const { unit, parts } = await history.webLoginCounts({})
  expect(unit).toBe('day')
  expect(parts[0]?.startDT).toBe(begin.toISOString())
  const expectEstimated = (counts: typeof parts, expected: number) => {
    for (const { count, isEstimated } of counts.slice(1, 10)) {
      expect(isEstimated).toBe(1)
      expect(Math.abs(count - expected)).toBeLessThan(15)
    }
  }
  expectEstimated(parts, 2160)
  expect(parts.at(-2)).toMatchObject({ count: 0, isEstimated: 0 })
  const fourth = await history.webLoginCounts({ userName: 'fourth' })
  expect(fourth.parts[1]).toMatchObject({ count: 540, isEstimated: 0 })
  expect(sumOf(fourth)).toBe(6000)
  // An index has all that the sign-ins of some groups need: they are counted one by one, unless a text narrows them.
  const ofCrowd = as(await buildManager(db, { groups: [crowd], log: 1 })).history
  const counted = await ofCrowd.webLoginCounts({})
  expect(counted.parts[1]).toMatchObject({ count: 1080, isEstimated: 0 })
  expect(sumOf(counted)).toBe(12_000)
  expectEstimated((await ofCrowd.webLoginCounts({ userId: person.id })).parts, 1080)
  expect((await history.webLoginCounts({ logSDT: later(clock.now(), days(3)).toISOString() })).parts).toEqual([])
  expect((await history.bimManageCounts({ logEDT: '1990-01-01T00:00:00Z' })).parts).toEqual([])
})
