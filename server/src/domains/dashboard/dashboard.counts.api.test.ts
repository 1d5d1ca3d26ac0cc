// Counts kept in advance: the figures are the same with and without them, in any period and zone.
import { ROOT_GROUP } from '@acc/contract/groups'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildSignIns } from '../../../test/build/signIns.ts'
import { buildUser } from '../../../test/build/users.ts'
import { days, hours, later, minutes } from '../../clock.ts'
import { countActivity } from './dashboard.counts.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
const { sales } = await buildGroups(db, 'sales')
const user = await buildUser(db, { group: sales })
const whole = await buildManager(db, { groups: [{ idx: ROOT_GROUP }], log: 1 })

const DAY = new Date(`${clock.now().toISOString().slice(0, 10)}T00:00:00Z`)
// Partitions reach back to the last month.
clock.set(later(DAY, hours(12)))
const PAST = 28
const momentsOf = (count: number, seed: number) => {
  const [list = []] = fc.sample(
    fc.array(fc.integer({ min: 0, max: days(PAST) }), { minLength: count, maxLength: count }),
    { numRuns: 1, seed },
  )
  return list.map((offset) => later(clock.now(), -offset))
}
const buildRequests = (moments: readonly Date[], type: Transfer, sizeOf = (at: number) => 1 + at) =>
  db.write
    .insertInto('fileEximports')
    .values(
      moments.map((requestDT, at) => ({
        type,
        state: RequestState.APPROVED,
        requestDT,
        requesterIdx: user.idx,
        requesterId: user.id,
        requesterName: user.name,
        requesterEmail: user.email,
        requesterGroupIdx: at === 0 ? null : sales.idx,
        requesterGroupName: 'sales',
        requestPurpose: 'x',
        isFileUploaded: 1 as const,
        fileCount: 1,
        fileSize: sizeOf(at),
      })),
    )
    .execute()

test('without any row there is nothing to count', async () => {
  await countActivity(app)
  expect(await db.read.selectFrom('activityCounts').selectAll().execute()).toEqual([])
})

test('the figures of any period are the same before and after counting', async () => {
  await buildSignIns(
    app,
    user,
    momentsOf(150, 1).map((loginDT) => ({ loginDT })),
  )
  await buildSignIns(
    app,
    user,
    momentsOf(20, 2).map((loginDT) => ({ loginDT, type: 8 as const })),
  )
  await buildSignIns(
    app,
    user,
    momentsOf(20, 3).map((loginDT) => ({ loginDT, kind: 'web' as const })),
  )
  await buildRequests(momentsOf(80, 4), Transfer.EXPORT)
  await buildRequests(momentsOf(40, 5), Transfer.IMPORT)
  const zones = ['UTC', 'Asia/Seoul', 'Asia/Kathmandu', 'America/St_Johns']
  const periods = fc.tuple(
    fc.integer({ min: -days(2), max: days(PAST + 1) }),
    fc.oneof(fc.integer({ min: 1, max: hours(2) }), fc.integer({ min: 1, max: days(60) })),
    fc.constantFrom(1, minutes(15), hours(1)),
    fc.constantFrom(...zones),
  )
  const asked = fc.sample(periods, { numRuns: 30, seed: 9 }).map(([back, length, round, timeZone]) => {
    const start = Math.floor((clock.now().getTime() - back) / round) * round
    const moment = (at: number) => new Date(at).toISOString()
    return { timeZone, input: { logSDT: moment(start), logEDT: moment(start + Math.ceil(length / round) * round) } }
  })
  const figures = () =>
    Promise.all(
      asked.map(async ({ timeZone, input }) => {
        const { dashboard } = as(admin)
        const headers = { 'X-Time-Zone': timeZone }
        return [
          await dashboard.findHourlyUserLogins(input),
          await dashboard.searchApproveRequests({ ...input, type: Transfer.EXPORT }, { headers }),
          await dashboard.searchApproveRequests({ ...input, type: Transfer.IMPORT }, { headers }),
        ]
      }),
    )
  const before = await figures()
  await Promise.all([countActivity(app), countActivity(app)])
  const { counted } = await db.read
    .selectFrom('activityCounts')
    .select((eb) => eb.fn.sum<number>('signIns').as('counted'))
    .executeTakeFirstOrThrow()
  expect(Number(counted)).toBeGreaterThan(50)
  expect(await figures()).toEqual(before)
  const [first] = asked
  if (first !== undefined) expect(await as(whole).dashboard.findHourlyUserLogins(first.input)).toEqual(before[0]?.[0])
})

const signInsOf = async (from: Date, to: Date) => {
  const period = { logSDT: from.toISOString(), logEDT: to.toISOString() }
  const { loginCounts } = await as(admin).dashboard.findHourlyUserLogins(period)
  return loginCounts.reduce((sum, count) => sum + count, 0)
}
const lastDay = () => signInsOf(later(clock.now(), -days(1)), later(clock.now(), 1))

test('new sign-ins count at once, later ones from the counts, and late ones with the next run', async () => {
  const before = await lastDay()
  await buildSignIns(app, user, [{ loginDT: clock.now() }, { loginDT: later(clock.now(), -hours(3)) }])
  // The second is in a quarter that was counted without it.
  expect(await lastDay()).toBe(before + 1)
  await countActivity(app)
  expect(await lastDay()).toBe(before + 2)
  clock.advance(hours(2))
  const afterwards = await lastDay()
  await countActivity(app)
  expect(await lastDay()).toBe(afterwards)
})

test('sign-ins that are no longer kept are no longer counted, requests are', async () => {
  const month = { logSDT: later(DAY, -days(PAST + 3)).toISOString(), logEDT: later(DAY, days(1)).toISOString() }
  const requests = () => as(admin).dashboard.searchApproveRequests({ ...month, type: Transfer.EXPORT })
  const before = await requests()
  const kept = { ...app, env: { ...app.env, logRetentionDays: 0 } }
  const until = new Date(clock.now().toISOString().slice(0, 7))
  const [past, current] = [await signInsOf(later(until, -days(31)), until), await signInsOf(until, clock.now())]
  expect(past + current).toBeGreaterThan(100)
  await countActivity(kept)
  expect(await signInsOf(later(until, -days(31)), until)).toBeLessThan(Math.max(past, 1))
  expect(await signInsOf(until, clock.now())).toBe(current)
  expect(await requests()).toEqual(before)
})

test('more announced bytes than an exact number holds are the largest exact number', async () => {
  // As many as 9,000 requests of 1 TiB, which a person may announce and cancel within nine days.
  await buildRequests(
    Array.from({ length: 9 }, () => later(DAY, -days(3))),
    Transfer.IMPORT,
    () => 2 ** 50,
  )
  const period = { logSDT: later(DAY, -days(4)).toISOString(), logEDT: DAY.toISOString(), groupIdxes: [sales.idx] }
  const { approveRequests } = await as(admin).dashboard.searchApproveRequests({ ...period, type: Transfer.IMPORT })
  expect(Math.max(...approveRequests.map(({ size }) => size))).toBe(Number.MAX_SAFE_INTEGER)
})
