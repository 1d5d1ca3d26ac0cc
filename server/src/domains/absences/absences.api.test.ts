// Setting and ending absences: bad input and attacks first, then what a call leaves behind, and calls at once.
import { UserManage } from '@acc/contract/labels/history'
import { UserState } from '@acc/contract/labels/users'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAbsence } from '../../../test/build/absences.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { type BuiltUser, buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { days, later } from '../../clock.ts'
import { followAbsences } from './absences.jobs.ts'

const { app, as, admin, clock, fetchAs } = await startTestApp()
const { db } = app
const { sales, rnd } = await buildGroups(db, 'sales', 'rnd')
/** Absences begin and end by the clock of the database. */
clock.set(new Date())

/** YYYY-MM-DD in UTC, some days from today. */
const dayAfter = (count: number) => later(new Date(), days(count)).toISOString().slice(0, 10)
const approver = (columns: Parameters<typeof buildManager>[1] | object = {}) =>
  buildManager(db, { groups: [sales], fileExportApprove: 2, ...columns })
type Days = { startDay?: string; endDay?: string; reason?: string; userIdx?: number }
const setAbsence = (
  actor: { idx: number },
  substitute: { idx: number },
  { startDay = dayAfter(0), endDay = dayAfter(1), reason = 'leave', userIdx }: Days = {},
) => as(actor).absences.create({ substituteIdx: substitute.idx, startDay, endDay, reason, userIdx })
const absencesOf = ({ idx }: { idx: number }) =>
  db.read.selectFrom('absences').selectAll().where('userIdx', '=', idx).orderBy('startDT').execute()
const rows = async () => (await db.read.selectFrom('absences').select('idx').execute()).length
const historyAbout = async ({ idx }: { idx: number }) =>
  (await historyOf(db, 'userManage')).filter(({ subjectIdx }) => subjectIdx === idx)
const historyRows = async () => (await historyOf(db, 'userManage')).length

/** Tries a call that must fail and leave nothing behind. */
async function expectRefused(call: () => Promise<unknown>, error: string) {
  const before = [await rows(), await historyRows()]
  await expect(call()).rejects.toMatchObject({ error })
  expect([await rows(), await historyRows()]).toEqual(before)
}

test.each([
  ['from yesterday', -1, 1],
  ['over before it begins', 2, 1],
  ['for 61 days', 0, 60],
  ['after more than a year', 366, 366],
])('%s is no period', async (_, start, end) => {
  const [absent, substitute] = [await approver(), await approver()]
  const period = { startDay: dayAfter(start), endDay: dayAfter(end) }
  await expectRefused(() => setAbsence(absent, substitute, period), 'ABSENCE_PERIOD')
})

test('days that do not exist and blank reasons are invalid input', async () => {
  const [absent, substitute] = [await approver(), await approver()]
  for (const bad of [
    { reason: ' ' },
    { reason: '\u3164\u00a0' },
    { reason: 'x'.repeat(201) },
    { endDay: '2026-02-30' },
  ])
    await expectRefused(() => setAbsence(absent, substitute, bad), 'INVALID_INPUT')
})

test('nobody but another active person with the same approval rights is a substitute', async () => {
  const absent = await approver({ fileImportApprove: 2 })
  const both = { fileImportApprove: 2 }
  const refused = [
    absent,
    { idx: 999_999 },
    await buildUser(db),
    await approver(),
    await approver({ fileExportApprove: 1, fileImportApprove: 2 }),
    await approver({ ...both, groups: [] }),
    await approver({ ...both, as: { state: UserState.DISABLED } }),
    await approver({ ...both, as: { isMortal: 1, expireDT: dayAfter(-2) } }),
  ]
  for (const substitute of refused) await expectRefused(() => setAbsence(absent, substitute), 'SUBSTITUTE_REFUSED')
  const offered = await as(absent).absences.searchSubstitutes({})
  expect(offered.items.map(({ idx }) => idx)).not.toEqual(expect.arrayContaining([refused[3]?.idx]))
  // The rights may come from two authorities.
  const other = await approver()
  await buildAuthority(db, { groups: [rnd], users: [other], fileImportApprove: 2 })
  await setAbsence(absent, other)
})

test("only an administrator is an administrator's substitute", async () => {
  const absent = await buildUser(db, { isAdmin: 1 })
  const manager = await approver({ fileImportApprove: 2 })
  await expectRefused(() => setAbsence(absent, manager), 'SUBSTITUTE_REFUSED')
  expect((await as(absent).absences.searchSubstitutes({})).items.map(({ idx }) => idx)).toEqual([admin.idx])
  await setAbsence(absent, admin)
})

test('managers set, see and end no absence of somebody else, and people without approval rights none at all', async () => {
  const [manager, other] = [await approver({ user: 2, policy: 2 }), await approver()]
  await expectRefused(() => setAbsence(manager, manager, { userIdx: other.idx }), 'NOT_ALLOWED')
  await expect(as(manager).absences.find({ userIdx: other.idx })).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  const search = as(manager).absences.searchSubstitutes({ userIdx: other.idx })
  await expect(search).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  const { idx } = await setAbsence(other, manager)
  // The substitute does not end it either: it is the absent person's.
  await expectRefused(() => as(manager).absences.end({ idx }), 'NOT_ALLOWED')
  for (const without of [
    await buildUser(db),
    await buildManager(db, { groups: [sales], fileExportApprove: 1, log: 1 }),
  ])
    await expectRefused(() => setAbsence(without, manager), 'NOT_ALLOWED')
  const user = await buildUser(db)
  await expectRefused(() => setAbsence(admin, manager, { userIdx: user.idx }), 'NOT_ALLOWED')
  const suspended = await approver({ as: { state: UserState.DISABLED } })
  await expectRefused(() => setAbsence(admin, manager, { userIdx: suspended.idx }), 'NOT_ALLOWED')
})

test('absences of one person do not overlap, also those that only touch a day', async () => {
  const [absent, substitute, other] = [await approver(), await approver(), await approver()]
  await setAbsence(absent, substitute, { startDay: dayAfter(5), endDay: dayAfter(10) })
  for (const [start, end] of [
    [0, 5],
    [10, 12],
    [7, 8],
    [1, 40],
  ] as const) {
    const period = { startDay: dayAfter(start), endDay: dayAfter(end) }
    await expectRefused(() => setAbsence(absent, other, period), 'ABSENCE_OVERLAP')
  }
  await setAbsence(absent, other, { startDay: dayAfter(1), endDay: dayAfter(4) })
  await setAbsence(absent, other, { startDay: dayAfter(11), endDay: dayAfter(12) })
  expect(await absencesOf(absent)).toHaveLength(3)
})

test('substitutes form no circle of two, three or five at any one time', async () => {
  for (const length of [2, 3, 5]) {
    const people: BuiltUser[] = []
    for (let count = 0; count < length; count++) people.push(await approver())
    const [first] = people
    const last = people.at(-1)
    if (first === undefined || last === undefined) throw new Error('nobody')
    const period = { startDay: dayAfter(3), endDay: dayAfter(20) }
    for (const [at, next] of people.slice(1).entries()) await setAbsence(people[at] ?? first, next, period)
    await expectRefused(
      () => setAbsence(last, first, { startDay: dayAfter(20), endDay: dayAfter(30) }),
      'SUBSTITUTION_CIRCLE',
    )
    // At no time would all of them be absent.
    await setAbsence(last, first, { startDay: dayAfter(21), endDay: dayAfter(30) })
  }
})

test('a chain that meets itself at no one moment is no circle', async () => {
  const [a, b, c] = [await approver(), await approver(), await approver()]
  await setAbsence(a, b, { startDay: dayAfter(1), endDay: dayAfter(10) })
  await setAbsence(b, c, { startDay: dayAfter(9), endDay: dayAfter(20) })
  await setAbsence(c, a, { startDay: dayAfter(12), endDay: dayAfter(25) })
})

test('an absence begins now and ends with its last day; the history names both people', async () => {
  const [absent, substitute] = [await approver({ as: { group: sales } }), await approver()]
  const endDay = dayAfter(59)
  const { idx } = await setAbsence(absent, substitute, { endDay, reason: ' annual leave ' })
  const [row] = await absencesOf(absent)
  expect(row).toMatchObject({ idx, substituteIdx: substitute.idx, reason: 'annual leave', isAnnounced: true })
  expect(Math.abs((row?.startDT.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
  expect(row?.endDT.toISOString()).toBe(`${dayAfter(60)}T00:00:00.000Z`)
  const [entry] = await historyAbout(absent)
  expect(entry).toMatchObject({
    type: UserManage.SET_ABSENCE,
    actorIdx: absent.idx,
    groupIdx: sales.idx,
    detail: { targetName: absent.name, substituteName: substitute.name, absenceReason: 'annual leave' },
  })
  const shown = { idx, substituteName: substitute.name, reason: 'annual leave', isEffective: 1 }
  expect(await as(absent).absences.find({})).toMatchObject({ isApprover: 1, absences: [shown], substitutions: [] })
  const acts = { absences: [], substitutions: [{ name: absent.name, groupName: 'sales' }] }
  expect(await as(substitute).absences.find({})).toMatchObject(acts)
})

test("the days are those of the caller's time zone", async () => {
  const [absent, substitute] = [await approver(), await approver()]
  const body = { substituteIdx: substitute.idx, startDay: dayAfter(3), endDay: dayAfter(3), reason: 'leave' }
  const response = await fetchAs(absent)('/Absence', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest', 'x-time-zone': 'Asia/Seoul' },
    body: JSON.stringify(body),
  })
  expect(await response.json()).toMatchObject({ errorCode: 0 })
  const [row] = await absencesOf(absent)
  expect(row?.startDT.toISOString()).toBe(`${dayAfter(2)}T15:00:00.000Z`)
  expect(row?.endDT.toISOString()).toBe(`${dayAfter(3)}T15:00:00.000Z`)
})

test('an administrator sets and ends the absence of somebody who is ill', async () => {
  const [absent, substitute] = [await approver(), await approver()]
  const { idx } = await setAbsence(admin, substitute, { userIdx: absent.idx })
  const { absences } = await as(admin).absences.find({ userIdx: absent.idx })
  expect(absences).toMatchObject([{ idx, substituteId: substitute.id }])
  await as(admin).absences.end({ idx })
  expect(await absencesOf(absent)).toEqual([])
  const log = await historyAbout(absent)
  expect(log.map(({ type, actorIdx }) => [type, actorIdx])).toEqual([
    [UserManage.SET_ABSENCE, admin.idx],
    [UserManage.END_ABSENCE, admin.idx],
  ])
  await expectRefused(() => as(admin).absences.end({ idx }), 'NOT_ALLOWED')
})

test.each(['absent', 'substitute'] as const)('suspending the %s ends it for good, also a future one', async (who) => {
  const [absent, substitute] = [await approver(), await approver()]
  const { idx } = who === 'absent' ? absent : substitute
  // Managers are suspended by administrators alone.
  await setAbsence(absent, substitute)
  await setAbsence(absent, substitute, { startDay: dayAfter(9), endDay: dayAfter(9) })
  await as(admin).users.setDisabled({ idx, state: UserState.DISABLED })
  await as(admin).users.setDisabled({ idx, state: UserState.NORMAL })
  expect((await as(absent).absences.find({})).absences).toEqual([])
  expect((await as(substitute).absences.find({})).substitutions).toEqual([])
  await followAbsences(app)
  expect(await absencesOf(absent)).toEqual([])
})

test('an account that expires or is deleted ends it for good', async () => {
  const [absent, substitute, other] = [await approver(), await approver(), await approver()]
  await setAbsence(absent, substitute)
  await setAbsence(other, absent)
  const expire = (expireDT: string) =>
    db.write.updateTable('users').set({ isMortal: 1, expireDT }).where('idx', '=', absent.idx).execute()
  await expire(dayAfter(-2))
  // At once, before the job deletes them.
  expect((await as(substitute).absences.find({})).substitutions).toEqual([])
  await followAbsences(app)
  await expire(dayAfter(100))
  expect([await absencesOf(absent), await absencesOf(other)]).toEqual([[], []])
  await setAbsence(absent, substitute)
  await as(admin).users.remove({ idxes: [substitute.idx] })
  expect(await absencesOf(absent)).toEqual([])
})

test('a stranger who types wrong passwords ends no absence', async () => {
  const [absent, substitute] = [await approver(), await approver()]
  await setAbsence(absent, substitute)
  const fails = { loginFails: app.env.maxLoginFails, state: UserState.DISABLED }
  await db.write.updateTable('users').set(fails).where('idx', '=', absent.idx).execute()
  expect((await as(substitute).absences.find({})).substitutions).toHaveLength(1)
  await as(admin).users.setDisabled({ idx: absent.idx, state: UserState.DISABLED })
  expect((await as(substitute).absences.find({})).substitutions).toEqual([])
})

test('it ends by itself', async () => {
  const [absent, substitute] = [await approver(), await approver()]
  await buildAbsence(db, absent, substitute, { from: '-2 days', to: '-1 second' })
  expect((await as(absent).absences.find({})).absences).toEqual([])
  expect((await as(substitute).absences.find({})).substitutions).toEqual([])
  await setAbsence(absent, substitute)
  await followAbsences(app)
  expect(await absencesOf(absent)).toHaveLength(1)
})

test('of 50 absences at once that overlap one is set, and two people never become substitutes of each other', async () => {
  const [absent, substitute] = [await approver(), await approver()]
  const attempts = Array.from({ length: 50 }, (_, at) =>
    at % 2 === 0 ? setAbsence(absent, substitute) : setAbsence(substitute, absent),
  )
  const results = await Promise.allSettled(attempts)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason.error)] : []))
  expect(new Set(errors)).toEqual(new Set(['ABSENCE_OVERLAP', 'SUBSTITUTION_CIRCLE']))
  expect([...(await absencesOf(absent)), ...(await absencesOf(substitute))]).toHaveLength(1)
})

test('a suspension during the call is seen by it', async () => {
  const [absent, substitute] = [await approver(), await approver()]
  let call: Promise<unknown> | undefined
  await db.write.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ state: UserState.DISABLED }).where('idx', '=', substitute.idx).execute()
    call = setAbsence(absent, substitute).catch((error: { error: string }) => error.error)
    // The call waits for the row that this transaction holds.
    const waiting = sql<{ count: number }>`select count(*) as count from pg_locks where not granted`
    while ((await waiting.execute(db.read)).rows[0]?.count === 0);
  })
  expect(await call).toBe('SUBSTITUTE_REFUSED')
})

test('possible substitutes are found by parts of names and IDs, at most 20', async () => {
  const absent = await approver()
  const { items } = await as(absent).absences.searchSubstitutes({})
  expect(items.length).toBeLessThanOrEqual(20)
  const wanted = await approver({ as: { name: '대리 김하늘', id: 'substitute.kim' } })
  for (const text of ['하늘', 'ute.k', '대'])
    expect((await as(absent).absences.searchSubstitutes({ text })).items).toMatchObject([{ idx: wanted.idx }])
  expect((await as(absent).absences.searchSubstitutes({ text: "%' or true --" })).items).toEqual([])
})
