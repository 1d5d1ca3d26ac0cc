// Calls that lock the same rows, at once: none deadlocks, and none ends with an internal error.
import type { ApiError } from '@acc/contract/core/client'
import { ROOT_GROUP } from '@acc/contract/groups'
import { Decision, Transfer } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { buildAbsence } from '../../test/build/absences.ts'
import { buildAuthority, buildManager } from '../../test/build/authorities.ts'
import { buildGroups } from '../../test/build/groups.ts'
import { buildPolicy } from '../../test/build/policies.ts'
import { buildRequest } from '../../test/build/requests.ts'
import { buildUser } from '../../test/build/users.ts'
import { openDesktopClient } from '../../test/desktopClients.ts'
import type { Tx } from '../db/open.ts'

/** Deadlocks and internal errors that the server logged. */
const logged: string[] = []
const write = (line: string) => void (/a transaction is repeated|a call failed/.test(line) && logged.push(line))
const log = pino({ level: 'warn' }, { write })
const testApp = await startTestApp({}, log)
const { app, as, admin, anonymous } = testApp
const { db } = app

afterEach(() => expect(logged.splice(0)).toEqual([]))

const LEVELS = { policy: 0, user: 0, fileImportApprove: 2, fileExportApprove: 2, log: 0 } as const
const PAIRS = 25
const times = <T>(build: (at: number) => Promise<T>, count = PAIRS) =>
  Promise.all(Array.from({ length: count }, (_, at) => build(at)))
const group = async (path: string) => {
  const built = await buildGroups(db, path)
  return built[path.split('/').at(-1) ?? ''] ?? expect.fail('no group')
}

/** Makes the calls at once. Returns their errors by name, without successful ones. */
async function errorsAtOnce(calls: readonly (() => Promise<unknown>)[]): Promise<string[]> {
  const results = await Promise.allSettled(calls.map((call) => call()))
  return results.flatMap((one) =>
    one.status === 'rejected' ? [(one.reason as ApiError).error ?? String(one.reason)] : [],
  )
}
/** Edits an authority, without a change of rights, which would end sessions. */
const edit = (authority: { idx: number; name: string }, groups: readonly { idx: number }[]) => (at: number) => () =>
  as(admin).authorities.update({
    ...{ idx: authority.idx, name: authority.name, description: `edit ${at}`, ...LEVELS },
    groupIdxes: groups.map(({ idx }) => idx),
  })
const numbers = Array.from({ length: PAIRS }, (_, at) => at)

test('members end their absences while their substitute edits their authority', async () => {
  const over = await group('absences')
  const members = await times(() => buildUser(db))
  const authority = await buildAuthority(db, { groups: [over], users: members, ...LEVELS })
  const absences = await times(async (at) => buildAbsence(db, members[at] ?? admin, admin))
  const ends = absences.map(
    ({ idx }, at) =>
      () =>
        as(members[at] ?? admin).absences.end({ idx }),
  )
  expect(await errorsAtOnce(ends.flatMap((end, at) => [end, edit(authority, [over])(at)]))).toEqual([])
})

test('two people end absences in which each is the substitute of the other', async () => {
  const over = await group('mutual')
  const approver = () => buildManager(db, { groups: [over], ...LEVELS })
  const calls = await times(async () => {
    const [one, other] = [await approver(), await approver()]
    const now = await buildAbsence(db, one, other)
    const coming = await buildAbsence(db, other, one, { from: '30 days', to: '31 days' })
    return [() => as(one).absences.end(now), () => as(other).absences.end(coming)]
  })
  expect(await errorsAtOnce(calls.flat())).toEqual([])
})

/** Builds a group with an authority over it that decides step 2 of its requests. */
async function buildSteps(name: string) {
  const over = await group(name)
  const members = await times(() => buildUser(db, { group: over }))
  const authority = await buildAuthority(db, { groups: [over], users: members, ...LEVELS })
  const policy = await buildPolicy(db, { group: over })
  const step = { type: Transfer.EXPORT, step: 2, authorityIdx: authority.idx } as const
  await as(admin).policies.update({ idx: policy.idx, approvalSteps: [step] })
  return { over, members, authority, step }
}

test('members upload the last files of requests whose step is theirs while it is edited', async () => {
  const { over, members, authority } = await buildSteps('uploads')
  const bytes = Buffer.from('plan')
  const uploads = await times(async (at) => {
    const person = members[at] ?? expect.fail('no member')
    const files = [{ name: 'plan.txt', bytes }]
    const { idx, files: built } = await buildRequest(app, person, { isFileUploaded: 0, files })
    const pc = await openDesktopClient(testApp, person)
    return () => pc.requests.upload({ fileEximport: idx, file: built[0]?.idx ?? 0, offset: 0 }, bytes.toString())
  })
  expect(await errorsAtOnce(uploads.flatMap((upload, at) => [upload, edit(authority, [over])(at)]))).toEqual([])
})

test('members are deleted while their authority is edited', async () => {
  const over = await group('deleted')
  const members = await times(() => buildUser(db))
  const authority = await buildAuthority(db, { groups: [over], users: members, ...LEVELS })
  const removals = members.map((one) => () => as(admin).users.remove({ idxes: [one.idx] }))
  expect(await errorsAtOnce(removals.flatMap((remove, at) => [remove, edit(authority, [over])(at)]))).toEqual([])
})

test('groups are deleted while the policies of their subgroups get steps', async () => {
  const { step } = await buildSteps('steps')
  const calls = await times(async (at) => {
    const above = await group(`above ${at}`)
    const policy = await buildPolicy(db, { group: await group(`above ${at}/below ${at}`) })
    const users = [await buildUser(db)]
    const authority = await buildAuthority(db, { groups: [above, await group('steps')], users, ...LEVELS })
    return [
      () => as(admin).groups.remove({ idx: above.idx }),
      () => as(admin).policies.update({ idx: policy.idx, approvalSteps: [{ ...step, authorityIdx: authority.idx }] }),
    ]
  })
  expect(await errorsAtOnce(calls.flat())).toEqual([])
})

test('two administrators edit each other and themselves', async () => {
  const other = await buildUser(db, { isAdmin: 1 })
  const rename = (by: { idx: number }, whom: { idx: number }) => (at: number) => () =>
    as(by).users.update({ idx: whom.idx, name: `Name ${at}` })
  const edits = [rename(admin, other), rename(other, admin), rename(admin, admin), rename(other, other)]
  expect(await errorsAtOnce(numbers.flatMap((at) => edits.map((one) => one(at))))).toEqual([])
})

test('an approver decides requests while an act names requester and approver', async () => {
  const over = await group('decided')
  const requester = await buildUser(db, { group: over })
  const approver = await buildManager(db, { groups: [over], fileExportApprove: 2 })
  const idxes = [requester.idx, approver.idx]
  const calls = await times(async () => {
    const { idx } = await buildRequest(app, requester)
    return [
      () => as(approver).requests.decide({ idx, state: Decision.REJECT }),
      () => as(admin).users.setExpiry({ idxes, isMortal: 0 }),
    ]
  })
  expect(await errorsAtOnce(calls.flat())).toEqual([])
})

type Meeting = { hold(tx: Tx): Promise<unknown>; first(): Promise<unknown>; second(): Promise<unknown> }
/** Holds a row that the first call waits for, and releases it when the second one waits, too, or has ended. */
async function errorsOfMeeting({ hold, first, second }: Meeting): Promise<string[]> {
  let hasEnded = false
  const countWaiting = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`.execute(db.write)
    return rows.length
  }
  const { errors } = await db.write.transaction().execute(async (tx) => {
    await hold(tx)
    const waiting = first()
    await expect.poll(countWaiting).toBe(1)
    const meeting = second().finally(() => {
      hasEnded = true
    })
    const errors = errorsAtOnce([() => waiting, () => meeting])
    await expect.poll(async () => hasEnded || (await countWaiting()) > 1).toBe(true)
    return { errors }
  })
  return errors
}
const holdUser = (tx: Tx, { idx }: { idx: number }) =>
  tx.selectFrom('users').select('idx').where('idx', '=', idx).forUpdate().execute()
const holdSessionsOf = (tx: Tx, { idx }: { idx: number }) =>
  tx.selectFrom('sessions').select('idx').where('userIdx', '=', idx).forUpdate().execute()

test('requests are rejected while their requester is deleted', async () => {
  const over = await group('rejected')
  const requester = await buildUser(db, { group: over })
  const approver = await buildManager(db, { groups: [over], fileExportApprove: 2 })
  const { idx } = await buildRequest(app, requester)
  await as(requester).session.find({})
  const errors = await errorsOfMeeting({
    hold: (tx) => holdSessionsOf(tx, requester),
    first: () => as(admin).users.remove({ idxes: [requester.idx] }),
    second: () => as(approver).requests.rejectMany({ requests: [{ idx, step: 1 }], purpose: 'no' }),
  })
  expect(errors).toEqual([])
})

test('an administrator creates a group while theirs is deleted', async () => {
  const own = await group('own')
  const [colleague, inside] = [await buildUser(db, { group: own }), await buildUser(db, { group: own, isAdmin: 1 })]
  const errors = await errorsOfMeeting({
    hold: (tx) => holdUser(tx, colleague),
    first: () => as(admin).groups.remove({ idx: own.idx }),
    second: () => as(inside).groups.create({ parentIdx: ROOT_GROUP, name: 'created', description: '' }),
  })
  expect(errors).toEqual([])
})

test('a token is used while the sessions of its person end', async () => {
  const person = await buildUser(db)
  const { tmpToken } = await as(person).session.createTmpToken({})
  const errors = await errorsOfMeeting({
    hold: (tx) => holdSessionsOf(tx, person),
    first: () => as(admin).users.setDisabled({ idx: person.idx, state: UserState.DISABLED }),
    second: () => anonymous.session.consumeTmpToken({ tmpToken }),
  })
  expect(errors).toEqual(['ACCOUNT_DISABLED'])
})
