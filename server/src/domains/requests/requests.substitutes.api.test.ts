// Substitutes and approval steps: what a decision for an absent person leaves behind, and one while the absence ends.
// Who decides at all: requests.whoDecides.api.test.ts.
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
const decide = (user: Person, { idx }: { idx: number }) => as(user).requests.decide({ idx, state: Decision.APPROVE })
const decisionsOf = ({ idx }: { idx: number }) =>
  db.read
    .selectFrom('requestDecisions')
    .select(['step', 'deciderIdx', 'forIdx', 'forName'])
    .where('fileEximportIdx', '=', idx)
    .orderBy('step')
    .execute()
const queueOf = async (user: Person) =>
  (await as(user).requests.search({ type, isDecidable: 1, rowsCount: 1000 })).items.map(({ idx }) => idx)

/** An approver of sales, a substitute who covers another group alone, and the authority of step 2. */
async function buildPeople() {
  const absent = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { name: '휴가자' } })
  const substitute = await buildManager(db, { groups: [rnd], fileExportApprove: 2, as: { name: '대리인' } })
  const authority = await buildAuthority(db, { groups: [far], fileExportApprove: 2 })
  return { absent, substitute, authority }
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

test('a decision for an absent person who is deleted at the same time is refused', async () => {
  const { absent, substitute, authority } = await buildPeople()
  await buildAbsence(db, absent, substitute)
  const request = await buildRequest(app, employee, { later: [authority] })
  const error = await overtake(db, {
    lock: (tx) => tx.deleteFrom('users').where('idx', '=', absent.idx).execute(),
    call: () => decide(substitute, request),
  })
  expect(error).toMatchObject({ error: 'REQUEST_STATE' })
  expect(await decisionsOf(request)).toEqual([])
})
