// Substitutes and approval steps: in whose right somebody decides, and who is involved in a decision.
import { Decision, RequestEvent, Transfer } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAbsence } from '../../../test/build/absences.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'

const { app, as } = await startTestApp()
const { db } = app
await openExports(db)
const { sales, far, rnd } = await buildGroups(db, 'sales', 'far', 'rnd')
const employee = await buildUser(db, { group: sales })
const type = Transfer.EXPORT
type Person = { idx: number }
const decide = (user: Person, { idx }: { idx: number }, state: Decision = Decision.APPROVE) =>
  as(user).requests.decide({ idx, state })
const decisionsOf = ({ idx }: { idx: number }) =>
  db.read
    .selectFrom('requestDecisions')
    .select(['step', 'deciderIdx', 'forIdx', 'forName'])
    .where('fileEximportIdx', '=', idx)
    .orderBy('step')
    .execute()
const queueOf = async (user: Person) =>
  (await as(user).requests.search({ type, isDecidable: 1, rowsCount: 1000 })).items.map(({ idx }) => idx)
const REQUEST_STATE = { error: 'REQUEST_STATE' }

/** Approvers of sales, members of an authority, and a substitute who covers another group alone. */
async function buildPeople() {
  const absent = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { name: '휴가자' } })
  const substitute = await buildManager(db, { groups: [rnd], fileExportApprove: 2, as: { name: '대리인' } })
  const member = await buildUser(db, { group: far })
  const authority = await buildAuthority(db, { groups: [far], users: [member], fileExportApprove: 2 })
  return { absent, substitute, member, authority }
}

test('a substitute decides step 1 for the absent person, whose name the decision and the history have', async () => {
  const { absent, substitute, authority } = await buildPeople()
  const request = await buildRequest(app, employee, { later: [authority] })
  await expect(decide(substitute, request)).rejects.toMatchObject({ error: 'NOT_ALLOWED' })
  await buildAbsence(db, absent, substitute)
  expect(await queueOf(substitute)).toContain(request.idx)
  expect((await as(substitute).requests.find({ idx: request.idx })).deciders?.people).toContainEqual({
    name: '대리인',
    forName: '휴가자',
  })
  await decide(substitute, request)
  expect(await decisionsOf(request)).toEqual([
    { step: 1, deciderIdx: substitute.idx, forIdx: absent.idx, forName: '휴가자' },
  ])
  const rows = (await historyOf(db, 'fileExport')).filter(({ subjectIdx }) => subjectIdx === request.idx)
  expect(rows).toMatchObject([
    {
      type: RequestEvent.STEP_APPROVED,
      actorIdx: substitute.idx,
      detail: { approverName: '대리인', forName: '휴가자' },
    },
  ])
})

test('a substitute of a member decides the later step, and in their own right where they have one', async () => {
  const { substitute, member, authority } = await buildPeople()
  await buildAbsence(db, member, substitute)
  const request = await buildRequest(app, employee, { later: [authority], step: 2 })
  expect(await queueOf(substitute)).toContain(request.idx)
  await decide(substitute, request)
  expect(await decisionsOf(request)).toMatchObject([{ step: 2, deciderIdx: substitute.idx, forIdx: member.idx }])
  await db.write.insertInto('authorityUsers').values({ authorityIdx: authority.idx, userIdx: substitute.idx }).execute()
  const own = await buildRequest(app, employee, { later: [authority], step: 2 })
  await decide(substitute, own)
  expect(await decisionsOf(own)).toMatchObject([{ step: 2, deciderIdx: substitute.idx, forIdx: null }])
})

test('nobody takes part in two steps: not as decider, not as the absent person, not through two substitutions', async () => {
  const { absent, substitute, member, authority } = await buildPeople()
  const second = await buildUser(db, { group: far })
  await db.write
    .insertInto('authorityUsers')
    .values([absent, second].map(({ idx }) => ({ authorityIdx: authority.idx, userIdx: idx })))
    .execute()
  await buildAbsence(db, absent, substitute)
  await buildAbsence(db, member, substitute)
  const request = await buildRequest(app, employee, { later: [authority] })
  await decide(substitute, request)
  // The substitute of both, the absent person themselves, and nobody else's business.
  await expect(decide(substitute, request)).rejects.toMatchObject(REQUEST_STATE)
  await expect(decide(absent, request)).rejects.toMatchObject(REQUEST_STATE)
  for (const user of [substitute, absent]) expect(await queueOf(user)).not.toContain(request.idx)
  const { deciders } = await as(absent).requests.find({ idx: request.idx })
  expect(deciders?.count).toBe(2)
  await decide(second, request)
})

test('a substitute whose absent person decided an earlier step decides for another one', async () => {
  const { absent, substitute, member, authority } = await buildPeople()
  await db.write.insertInto('authorityUsers').values({ authorityIdx: authority.idx, userIdx: absent.idx }).execute()
  const request = await buildRequest(app, employee, { later: [authority] })
  await decide(absent, request)
  await buildAbsence(db, absent, substitute)
  await expect(decide(substitute, request)).rejects.toMatchObject(REQUEST_STATE)
  await buildAbsence(db, member, substitute)
  await decide(substitute, request)
  expect((await decisionsOf(request)).at(-1)).toMatchObject({ deciderIdx: substitute.idx, forIdx: member.idx })
})

test('a substitute decides no request of the absent person, in the own right either, as long as the absence lasts', async () => {
  const { substitute, authority } = await buildPeople()
  const owner = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { group: rnd } })
  await db.write.insertInto('authorityUsers').values({ authorityIdx: authority.idx, userIdx: substitute.idx }).execute()
  const { idx: absence } = await buildAbsence(db, owner, substitute)
  for (const step of [1, 2]) {
    const request = await buildRequest(app, owner, { later: [authority], step })
    expect(await queueOf(substitute)).not.toContain(request.idx)
    for (const state of Decision.values)
      await expect(decide(substitute, request, state)).rejects.toMatchObject(REQUEST_STATE)
  }
  const later = await buildRequest(app, owner, { later: [authority] })
  await db.write.deleteFrom('absences').where('idx', '=', absence).execute()
  await decide(substitute, later)
})

test('a substitution that ends between list and decision ends the right', async () => {
  const { absent, substitute, authority } = await buildPeople()
  const { idx } = await buildAbsence(db, absent, substitute)
  const request = await buildRequest(app, employee, { later: [authority] })
  expect(await queueOf(substitute)).toContain(request.idx)
  const error = await overtake(db, {
    lock: (tx) => tx.selectFrom('fileEximports').select('idx').where('idx', '=', request.idx).forUpdate().execute(),
    call: () => decide(substitute, request),
    change: (tx) => tx.deleteFrom('absences').where('idx', '=', idx).execute(),
  })
  expect(error).toMatchObject({ error: expect.stringMatching('NOT_ALLOWED|REQUEST_STATE') })
  expect(await decisionsOf(request)).toEqual([])
})

test('a request whose only member is away can be decided, unless the substitute is its requester', async () => {
  const { substitute, member, authority } = await buildPeople()
  const own = await buildRequest(app, substitute, { later: [authority], step: 2 })
  const { idx } = await buildRequest(app, employee, { later: [authority], step: 2 })
  await buildAbsence(db, member, substitute)
  await db.write.updateTable('users').set({ state: 2 }).where('idx', '=', substitute.idx).execute()
  const stuck = async () => (await as({ idx: 1 }).requests.search({ type, isUndecidable: 1, rowsCount: 1000 })).items
  // The absent person may still decide.
  expect((await stuck()).map((one) => one.idx)).not.toContain(own.idx)
  await db.write.deleteFrom('authorityUsers').where('userIdx', '=', member.idx).execute()
  expect((await stuck()).map((one) => one.idx)).toEqual(expect.arrayContaining([own.idx, idx]))
})
