// The figures of the dashboard: what counts, in which groups, at which time (spec S2 §2.5, §3, §7).

import { MAX_CHOSEN_GROUPS } from '@acc/contract/core/fields'
import { ROOT_GROUP } from '@acc/contract/groups'
import { momentFormat } from '@acc/contract/labels/formats'
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import { ShownState } from '@acc/contract/labels/users'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildDevice } from '../../../test/build/devices.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildSignIns } from '../../../test/build/signIns.ts'
import { buildUser } from '../../../test/build/users.ts'
import { days, hours, later } from '../../clock.ts'

const { app, owner, as, admin, clock, fetchAs } = await startTestApp()
const { db } = app
const groups = await buildGroups(db, 'sales', 'sales/east', 'sales/east/front', 'rnd', 'rnd/lab')
const { sales, east, front, rnd, lab } = groups
const inEast = await buildUser(db, { group: east })
const inFront = await buildUser(db, { group: front })
const inRnd = await buildUser(db, { group: rnd })
const inLab = await buildUser(db, { group: lab })
const everyPage = { log: 1, user: 1, fileExportApprove: 1, fileImportApprove: 1 } as const
const manager = await buildManager(db, { groups: [east], ...everyPage })
const whole = await buildManager(db, { groups: [{ idx: ROOT_GROUP }], ...everyPage })

const NOWHERE = 999_999
const at = (text: string) => new Date(text)
const between = (from: string, to: string, groupIdxes?: readonly { idx: number }[]) => ({
  logSDT: from,
  logEDT: to,
  ...(groupIdxes && { groupIdxes: groupIdxes.map(({ idx }) => idx) }),
})
const none = () => Array.from({ length: 24 }, () => 0)
const hoursWith = (counts: Record<number, number>) => none().map((_, hour) => counts[hour] ?? 0)

/** A past month with a partition. */
const DAY = later(at(clock.now().toISOString().slice(0, 10)), -days(3))
const onDay = (hour: number, rest = '00:00.000') =>
  `${DAY.toISOString().slice(0, 11)}${String(hour).padStart(2, '0')}:${rest}Z`
const wholeDay = (...chosen: readonly { idx: number }[]) => between(onDay(0), later(DAY, days(1)).toISOString(), chosen)

await buildSignIns(app, inEast, [
  { loginDT: at(onDay(9)) },
  { loginDT: at(onDay(9, '59:59.999')), type: 5 },
  { loginDT: at(onDay(10)), type: 6 },
  { loginDT: at(onDay(10)), type: 8 },
  { loginDT: at(onDay(10)), type: 3 },
  { loginDT: at(onDay(10)), type: 9 },
  { loginDT: at(onDay(11)), kind: 'web' },
])
await buildSignIns(app, inFront, [{ loginDT: at(onDay(23, '59:59.999')) }, { loginDT: later(DAY, days(1)) }])
await buildSignIns(app, inRnd, [{ loginDT: at(onDay(0)) }])
await buildSignIns(app, inLab, [{ loginDT: at(onDay(0)) }, { loginDT: later(DAY, -1) }])

const logins = async (user: { idx: number }, input: ReturnType<typeof between>) =>
  (await as(user).dashboard.findHourlyUserLogins(input)).loginCounts

test('hourly sign-ins: successful ones of desktop clients, by hour in UTC, from the start to before the end', async () => {
  expect(await logins(admin, wholeDay())).toEqual(hoursWith({ 0: 2, 9: 2, 10: 1, 23: 1 }))
  expect(await logins(whole, wholeDay())).toEqual(hoursWith({ 0: 2, 9: 2, 10: 1, 23: 1 }))
  expect(await logins(admin, between(onDay(9, '00:00.001'), onDay(10, '00:00.001')))).toEqual(
    hoursWith({ 9: 1, 10: 1 }),
  )
  expect(await logins(admin, between(onDay(9), onDay(10)))).toEqual(hoursWith({ 9: 2 }))
  // Another offset is the same moment.
  const seoul = (text: string) => `${new Date(at(text).getTime() + hours(9)).toISOString().slice(0, -1)}+09:00`
  expect(await logins(admin, between(seoul(onDay(9)), seoul(onDay(10))))).toEqual(hoursWith({ 9: 2 }))
})

test('every figure covers the groups of the viewer, within the chosen ones and all below them', async () => {
  expect(await logins(manager, wholeDay())).toEqual(hoursWith({ 9: 2, 10: 1, 23: 1 }))
  expect(await logins(manager, wholeDay(front))).toEqual(hoursWith({ 23: 1 }))
  expect(await logins(admin, wholeDay(sales))).toEqual(hoursWith({ 9: 2, 10: 1, 23: 1 }))
  expect(await logins(admin, wholeDay(front, lab))).toEqual(hoursWith({ 0: 1, 23: 1 }))
  expect(await logins(admin, wholeDay(east, front))).toEqual(hoursWith({ 9: 2, 10: 1, 23: 1 }))
  expect(await logins(admin, wholeDay({ idx: ROOT_GROUP }, front))).toEqual(await logins(admin, wholeDay()))
  expect(await logins(whole, wholeDay({ idx: ROOT_GROUP }))).toEqual(await logins(admin, wholeDay()))
})

test('groups that the viewer cannot see are as if they did not exist, also above or below visible groups', async () => {
  // Sales is above the managed group: counting in it would show that.
  for (const foreign of [sales, rnd, lab, { idx: NOWHERE }, { idx: ROOT_GROUP }]) {
    expect(await logins(manager, wholeDay(foreign))).toEqual(none())
    expect(await logins(manager, wholeDay(front, foreign))).toEqual(hoursWith({ 23: 1 }))
    const input = wholeDay(foreign)
    expect(await as(manager).dashboard.findFileExportStates(input)).toMatchObject({ requestCounts: 0 })
    expect(await as(manager).dashboard.findUserStates(input)).toMatchObject({ normalCounts: 0 })
  }
  // A group that is seen on another page may be chosen; the figures stay those of their own page.
  const twoPages = await buildManager(db, { groups: [lab], log: 1 })
  const { idx: authorityIdx } = await db.write
    .insertInto('authorities')
    .values({ name: 'other', policy: 0, user: 1, fileImportApprove: 0, fileExportApprove: 0, log: 0 })
    .returning('idx')
    .executeTakeFirstOrThrow()
  await db.write.insertInto('authorityGroups').values({ authorityIdx, groupIdx: rnd.idx }).execute()
  await db.write.insertInto('authorityUsers').values({ authorityIdx, userIdx: twoPages.idx }).execute()
  expect(await logins(twoPages, wholeDay(rnd))).toEqual(hoursWith({ 0: 1 }))
  // The lists that the figures lead to take the same choice, also of a group above those of their page.
  const groupIdxes = [rnd.idx]
  const readsUsers = await buildManager(db, { groups: [rnd], log: 1 })
  await db.write.insertInto('authorityGroups').values({ authorityIdx, groupIdx: lab.idx }).execute()
  await db.write
    .deleteFrom('authorityGroups')
    .where('groupIdx', '=', rnd.idx)
    .where('authorityIdx', '=', authorityIdx)
    .execute()
  await db.write.insertInto('authorityUsers').values({ authorityIdx, userIdx: readsUsers.idx }).execute()
  const { items } = await as(readsUsers).users.search({ groupIdxes, rowsCount: 100 })
  expect(items.map(({ idx }) => idx)).toEqual([inLab.idx])
  expect(await as(readsUsers).dashboard.findUserStates({ groupIdxes })).toMatchObject({ normalCounts: items.length })
})

test('more groups than a statement names', async () => {
  const { wide } = await buildGroups(db, 'wide')
  const many = Array.from({ length: 301 }, (_, number) => 50_000 + number)
  await db.write
    .insertInto('groups')
    .values(
      many.map((idx, position) => ({
        idx,
        parentIdx: wide.idx,
        name: `group ${idx}`,
        key: `key ${idx}`,
        path: [...wide.path, idx],
        position,
      })),
    )
    .execute()
  const last = await buildUser(db, { group: { idx: 50_300 } })
  await buildSignIns(app, last, [{ loginDT: at(onDay(4)) }])
  const reader = await buildManager(db, { groups: [wide, front], log: 1 })
  for (const viewer of [admin, reader]) {
    expect(await logins(viewer, wholeDay(wide))).toEqual(hoursWith({ 4: 1 }))
    expect(await logins(viewer, wholeDay(wide, front, rnd))).toMatchObject({ 4: 1, 23: 1 })
  }
  expect(await logins(reader, wholeDay())).toEqual(hoursWith({ 4: 1, 23: 1 }))
})

test('sign-ins of a deleted group count where its people moved to', async () => {
  const { old, heir } = await buildGroups(db, 'heir', 'heir/old')
  const person = await buildUser(db, { group: old })
  await buildSignIns(app, person, [{ loginDT: later(DAY, -hours(5)) }])
  await as(admin).groups.remove({ idx: old.idx })
  const before = between(later(DAY, -days(1)).toISOString(), onDay(0), [heir])
  expect((await logins(admin, before)).reduce((sum, count) => sum + count)).toBe(1)
  const reader = await buildManager(db, { groups: [heir], log: 1 })
  expect((await logins(reader, { ...before, groupIdxes: [] })).reduce((sum, count) => sum + count)).toBe(1)
})

test('requests by state; auto-approved and uploading ones apart', async () => {
  const { APPROVED, REJECTED, CANCELED, REQUESTED, ALLOWED } = RequestState
  const requestDT = at(onDay(12))
  for (const state of [APPROVED, APPROVED, REJECTED, CANCELED, REQUESTED, ALLOWED])
    await buildRequest(app, inFront, { state, requestDT })
  await buildRequest(app, inEast, { isFileUploaded: 0, requestDT: at(onDay(0)) })
  await buildRequest(app, inEast, { requestDT: later(DAY, days(1)) })
  await buildRequest(app, inLab, { type: Transfer.IMPORT, state: REJECTED, requestDT })
  const exports = {
    approveCounts: 2,
    rejectCounts: 1,
    cancelCounts: 1,
    requestCounts: 1,
    uploadCounts: 1,
    allowCounts: 1,
  }
  const nothing = {
    approveCounts: 0,
    rejectCounts: 0,
    cancelCounts: 0,
    requestCounts: 0,
    uploadCounts: 0,
    allowCounts: 0,
  }
  for (const viewer of [admin, whole, manager]) {
    expect(await as(viewer).dashboard.findFileExportStates(wholeDay())).toEqual(exports)
  }
  expect(await as(admin).dashboard.findFileImportStates(wholeDay())).toEqual({ ...nothing, rejectCounts: 1 })
  expect(await as(manager).dashboard.findFileImportStates(wholeDay())).toEqual(nothing)
  expect(await as(admin).dashboard.findFileExportStates(wholeDay(rnd))).toEqual(nothing)
  const exporter = await buildManager(db, { groups: [sales], fileExportApprove: 1 })
  expect(await as(exporter).dashboard.findFileExportStates(wholeDay())).toEqual(exports)
})

test.each(['Asia/Seoul', 'America/St_Johns', 'nonsense'])(
  'requests by month in %s, with every month of the period',
  async (timeZone) => {
    const { zoned } = await buildGroups(db, 'zoned')
    const user = await buildUser(db, { group: zoned })
    const zone = timeZone === 'nonsense' ? 'UTC' : timeZone
    const from = at('2024-10-01T00:00:00Z')
    const to = later(from, days(400))
    const nearBounds = fc.constantFrom(...Array.from({ length: 14 }, (_, month) => Date.UTC(2024, 9 + month)))
    const [moments = []] = fc.sample(
      fc.array(fc.tuple(nearBounds, fc.integer({ min: -hours(30), max: hours(30) })), { minLength: 60, maxLength: 60 }),
      { numRuns: 1, seed: 7 },
    )
    const made = moments
      .map(([bound, offset]) => new Date(bound + offset))
      .filter((moment) => moment >= from && moment < to)
    const group = { requesterGroupIdx: zoned.idx, requesterGroupName: 'zoned' }
    const person = {
      requesterIdx: user.idx,
      requesterId: user.id,
      requesterName: user.name,
      requesterEmail: user.email,
    }
    const rest = {
      type: Transfer.IMPORT,
      state: RequestState.APPROVED,
      requestPurpose: 'x',
      isFileUploaded: 1,
      fileCount: 1,
      fileSize: 3,
    } as const
    await db.write
      .insertInto('fileEximports')
      .values(made.map((requestDT) => ({ ...group, ...person, ...rest, requestDT })))
      .execute()
    const input = { ...between(from.toISOString(), to.toISOString(), [zoned]), type: Transfer.IMPORT }
    const { approveRequests } = await as(admin).dashboard.searchApproveRequests(input, {
      headers: { 'X-Time-Zone': timeZone },
    })
    const format = momentFormat(zone)
    const monthOf = (moment: Date) => format.format(moment).slice(0, 7)
    const hoursThere = Array.from({ length: 400 * 4 }, (_, at) => later(from, hours(6 * at + 5)))
    const names = [...new Set([from, ...hoursThere].map(monthOf))]
    const expected = names.map((dt) => {
      const count = made.filter((moment) => monthOf(moment) === dt).length
      return { dt, count, size: count * 3 }
    })
    expect(approveRequests).toEqual(expected)
    expect(approveRequests.reduce((sum, { count }) => sum + count, 0)).toBe(made.length)
    await owner.deleteFrom('fileEximports').where('requesterGroupIdx', '=', zoned.idx).execute()
  },
)

test('users: suspended before expired before a temporary password', async () => {
  const { people } = await buildGroups(db, 'people')
  const [yesterday, today] = [later(clock.now(), -days(1)), clock.now()].map((day) =>
    momentFormat().format(day).slice(0, 10),
  )
  const expired = { isMortal: 1, expireDT: yesterday } as const
  for (const state of [
    {},
    { isMortal: 1, expireDT: today } as const,
    { expireDT: yesterday },
    { state: 1 },
    expired,
    { ...expired, state: 1 },
    { state: 2 },
    { state: 3 },
    { ...expired, state: 2 },
  ])
    await buildUser(db, { group: people, ...state })
  const counts = { normalCounts: 3, newCounts: 1, expiredCounts: 2, disabledCounts: 3 }
  expect(await as(admin).dashboard.findUserStates({ groupIdxes: [people.idx] })).toEqual(counts)
  const reader = await buildManager(db, { groups: [people], user: 1 })
  expect(await as(reader).dashboard.findUserStates({})).toEqual(counts)
  const listed = async (user: { idx: number }, groupIdxes?: number[]) => {
    const counted = await Promise.all(
      ShownState.values.map((shownState) => as(user).users.search({ shownState, ...(groupIdxes && { groupIdxes }) })),
    )
    return counted.map(({ totalCount }) => totalCount)
  }
  expect(await listed(admin, [people.idx])).toEqual([3, 1, 3, 2])
  expect(await listed(reader)).toEqual([3, 1, 3, 2])
  const all = await as(admin).dashboard.findUserStates({})
  const users = await db.read
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Object.values(all).reduce((sum, count) => sum + count)).toBe(users.count)
  // A group that is visible by another page is not theirs here.
  await buildUser(db, { group: rnd })
  const readsLog = await buildManager(db, { groups: [rnd], log: 1 })
  await buildAuthority(db, { groups: [people], user: 1, users: [readsLog] })
  expect(await listed(readsLog, [rnd.idx])).toEqual([0, 0, 0, 0])
  expect(await as(readsLog).dashboard.findUserStates({})).toEqual(counts)
})

test('licenses: registered PCs of those that the license covers', async () => {
  const useCount = 1
  await buildDevice(app, inEast)
  expect(await as(admin).dashboard.findLicenseStates({})).toEqual({ useCount, maxCount: 10 })
})

test('periods and groups are bounded', async () => {
  const from = '2026-01-01T00:00:00Z'
  for (const to of ['2026-01-01T00:00:00Z', '2025-12-31T00:00:00Z', '2027-02-06T00:00:00Z', '9999-12-31T00:00:00Z']) {
    const input = between(from, to)
    const { findHourlyUserLogins, searchApproveRequests, findFileExportStates } = as(admin).dashboard
    for (const call of [
      findHourlyUserLogins,
      findFileExportStates,
      (period: typeof input) => searchApproveRequests({ ...period, type: 1 }),
    ])
      await expect(call(input)).rejects.toMatchObject({ error: 'INVALID_INPUT', data: { fields: ['logEDT'] } })
  }
  const many = Array.from({ length: MAX_CHOSEN_GROUPS + 1 }, (_, number) => ({ idx: number + 1 }))
  await expect(logins(admin, wholeDay(...many))).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  expect(await logins(admin, wholeDay(...many.slice(1)))).toHaveLength(24)
  const answer = async (query: string) => (await fetchAs(admin)(`/HourlyUserLogins?${query}`)).json()
  const period = `logSDT=${onDay(0)}&logEDT=${later(DAY, days(1)).toISOString()}`
  expect(await answer(`${period}&groupIdxes=${front.idx},${lab.idx}`)).toMatchObject({
    errorCode: 0,
    data: { loginCounts: hoursWith({ 0: 1, 23: 1 }) },
  })
  expect(await answer(`${period}&groupIdxes=`)).toMatchObject({
    data: { loginCounts: await logins(admin, wholeDay()) },
  })
  for (const wrong of ['groupIdxes=x', 'groupIdxes=0', 'groupIdxes=-1', 'groupIdxes=1e3'])
    expect(await answer(`${period}&${wrong}`)).toMatchObject({ errorCode: 983 })
})
