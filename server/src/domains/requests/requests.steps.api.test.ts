// Approval steps of requests: who decides which step, who sees what, and two decisions at the same time.
import { Decision, RequestEvent, RequestState, Transfer } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { expect, test } from 'vitest'
import { announced } from '../../../test/announced.ts'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { type BuiltRequest, buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { historyOf } from '../../../test/history.ts'
import { overtake } from '../../../test/overtake.ts'

const { app, as, admin, clock } = await startTestApp()
const { db } = app
await openExports(db)
const { sales, far } = await buildGroups(db, 'sales', 'far')
const employee = await buildUser(db, { group: sales })
const lead = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { name: '김팀장' } })
// Neither authority covers the requester: the policy that names it is the grant.
const [guard, deputy, director] = [
  await buildUser(db, { group: far, name: '이보안' }),
  await buildUser(db, { group: far }),
  await buildUser(db, { group: far, name: '박이사' }),
]
const security = await buildAuthority(db, { groups: [far], users: [guard, deputy], fileExportApprove: 2 })
const board = await buildAuthority(db, { groups: [far], users: [director], fileExportApprove: 2 })
const outsider = await buildManager(db, { groups: [far], fileExportApprove: 2, fileImportApprove: 2 })

const NOT_ALLOWED = { error: 'NOT_ALLOWED' }
const REQUEST_STATE = { error: 'REQUEST_STATE' }
type Person = { idx: number }
const type = Transfer.EXPORT
const buildStepped = (step = 1, requester = employee) =>
  buildRequest(app, requester, { later: [security, board], step })
const decide = (user: Person, { idx }: BuiltRequest, state: Decision = Decision.APPROVE, purpose = '') =>
  as(user).requests.decide({ idx, state, purpose })
const rowOf = ({ idx }: BuiltRequest) =>
  db.read.selectFrom('fileEximports').selectAll().where('idx', '=', idx).executeTakeFirstOrThrow()
const decisionsOf = ({ idx }: BuiltRequest) =>
  db.read.selectFrom('requestDecisions').selectAll().where('fileEximportIdx', '=', idx).orderBy('step').execute()
const listed = async (user: Person, { idx }: BuiltRequest, filter: object = {}) => {
  const { items } = await as(user).requests.search({ type, rowsCount: 1000, ...filter })
  return items.some((item) => item.idx === idx)
}
/** What a person can do with a request: in the list, in the queue, in the detail, and with its files. */
async function reachOf(user: Person, request: BuiltRequest) {
  const { idx } = request
  const detail = await as(user)
    .requests.find({ idx })
    .catch(({ error }) => error)
  const isFound = typeof detail === 'object'
  const download = as(user).requests.download({ fileEximport: idx, isTrial: 1 })
  const isRead = await download.then(
    () => true,
    () => false,
  )
  const inList = await listed(user, request)
  expect(inList).toBe(isFound)
  const inQueue = await listed(user, request, { isDecidable: 1 })
  expect(inQueue).toBe(isFound && detail.isDecidable === 1)
  expect(isRead).toBe(isFound && detail.isDownloadable === 1)
  return isFound ? (inQueue ? 'decides' : isRead ? 'reads' : 'sees') : 'nothing'
}

test('a request passes its steps one after the other, and each appears to its people when it is their turn', async () => {
  const request = await buildStepped()
  const reaches = async () => Promise.all([lead, guard, director, outsider].map((user) => reachOf(user, request)))
  expect(await reaches()).toEqual(['decides', 'nothing', 'nothing', 'nothing'])
  await decide(lead, request, Decision.APPROVE, '확인')
  expect(await reaches()).toEqual(['reads', 'decides', 'nothing', 'nothing'])
  expect(await rowOf(request)).toMatchObject({ state: 0, step: 2, approverIdx: null, approveDT: null })
  clock.advance(1000)
  await decide(guard, request)
  expect(await reaches()).toEqual(['reads', 'reads', 'decides', 'nothing'])
  expect((await rowOf(request)).waitDT).toEqual(clock.now())
  await decide(director, request, Decision.APPROVE, 'fine')
  expect(await reaches()).toEqual(['reads', 'reads', 'reads', 'nothing'])
  expect(await rowOf(request)).toMatchObject({
    state: RequestState.APPROVED,
    step: 3,
    approverIdx: director.idx,
    approvePurpose: 'fine',
    waitDT: null,
  })
  expect(await decisionsOf(request)).toMatchObject([
    { step: 1, decision: 1, deciderIdx: lead.idx, reason: '확인', forIdx: null },
    { step: 2, decision: 1, deciderIdx: guard.idx, reason: '' },
    { step: 3, decision: 1, deciderIdx: director.idx, reason: 'fine' },
  ])
  const history = (await historyOf(db, 'fileExport')).filter(({ subjectIdx }) => subjectIdx === request.idx)
  const common = { stepCount: 3, forName: null }
  expect(history).toMatchObject([
    { type: RequestEvent.STEP_APPROVED, actorIdx: lead.idx, detail: { step: 1, approvePurpose: '확인', ...common } },
    { type: RequestEvent.STEP_APPROVED, actorIdx: guard.idx, detail: { step: 2, approverName: '이보안', ...common } },
    { type: RequestEvent.APPROVED, actorIdx: director.idx, detail: { step: 3, targetState: 1, ...common } },
  ])
})

test('a rejection at any step ends the request', async () => {
  for (const [at, user] of [lead, guard, director].entries()) {
    const request = await buildStepped(at + 1)
    await decide(user, request, Decision.REJECT, 'no')
    expect(await rowOf(request)).toMatchObject({ state: RequestState.REJECTED, step: at + 1, approverIdx: user.idx })
    for (const other of [lead, guard, director]) {
      const refused = decide(other, request)
      await expect(refused).rejects.toMatchObject({ error: expect.stringMatching('NOT_ALLOWED|REQUEST_STATE') })
    }
  }
})

test('a member of the authority of a step is not shown their own request', async () => {
  const inside = await buildUser(db, { group: sales })
  const own = await buildAuthority(db, { groups: [far], users: [inside, guard], fileExportApprove: 2 })
  const request = await buildRequest(app, inside, { later: [own], step: 2 })
  expect(await reachOf(inside, request)).toBe('nothing')
  await decide(guard, request)
  expect(await reachOf(inside, request)).toBe('nothing')
})

test('an authority without groups, with a lower level or without the person gives nothing at once', async () => {
  const member = await buildUser(db, { group: far })
  const { idx, name } = await buildAuthority(db, { groups: [far], users: [member], fileExportApprove: 2 })
  const request = await buildRequest(app, employee, { later: [{ idx, name }], step: 2 })
  const keeps = await buildAuthority(db, { groups: [far], users: [member], fileExportApprove: 2 })
  expect(await reachOf(member, request)).toBe('decides')
  await db.write.deleteFrom('authorityGroups').where('authorityIdx', '=', idx).execute()
  expect(await reachOf(member, request)).toBe('nothing')
  await expect(decide(member, request)).rejects.toMatchObject(NOT_ALLOWED)
  await db.write.insertInto('authorityGroups').values({ authorityIdx: idx, groupIdx: far.idx }).execute()
  await db.write.updateTable('authorities').set({ fileExportApprove: 1 }).where('idx', '=', idx).execute()
  expect(await reachOf(member, request)).toBe('nothing')
  await db.write.updateTable('authorities').set({ fileExportApprove: 2 }).where('idx', '=', idx).execute()
  await db.write.deleteFrom('authorityUsers').where('authorityIdx', '=', idx).execute()
  expect(await reachOf(member, request)).toBe('nothing')
  expect(keeps.idx).not.toBe(idx)
})

test('a level in one direction decides no step of the other', async () => {
  const incoming = await buildRequest(app, employee, { type: Transfer.IMPORT, later: [security], step: 2 })
  await expect(decide(guard, incoming)).rejects.toMatchObject(NOT_ALLOWED)
  await expect(as(guard).requests.find({ idx: incoming.idx })).rejects.toMatchObject(NOT_ALLOWED)
})

test('fifty decisions of one step at once: one counts, the others fail with REQUEST_STATE', async () => {
  for (const [at, members] of [[lead], [guard, deputy]].entries()) {
    const request = await buildStepped(at + 1)
    const calls = Array.from({ length: 50 }, (_, no) => decide(members[no % members.length] ?? lead, request))
    const errors = (await Promise.allSettled(calls)).map((call) => call.status === 'rejected' && call.reason.error)
    expect(errors.filter((error) => error === false)).toHaveLength(1)
    expect(errors.filter((error) => error === 'REQUEST_STATE')).toHaveLength(49)
    expect(await decisionsOf(request)).toHaveLength(1)
    expect((await rowOf(request)).step).toBe(at + 2)
  }
})

test('a decision of a step never counts for the next one, which the same person may decide too', async () => {
  const ready = await buildManager(db, { groups: [sales], fileExportApprove: 2 })
  const next = await buildAuthority(db, { groups: [far], users: [ready], fileExportApprove: 2 })
  const request = await buildRequest(app, employee, { later: [next] })
  const { idx } = request
  const error = await overtake(db, {
    lock: (tx) => tx.selectFrom('fileEximports').select('idx').where('idx', '=', idx).forUpdate().execute(),
    call: () => decide(ready, request),
    change: (tx) => tx.updateTable('fileEximports').set({ step: 2 }).where('idx', '=', idx).execute(),
  })
  expect(error).toMatchObject(REQUEST_STATE)
  // The screen still showed step 1.
  await expect(as(ready).requests.decide({ idx, state: 1, step: 1 })).rejects.toMatchObject(REQUEST_STATE)
  expect((await rowOf(request)).step).toBe(2)
  await as(ready).requests.decide({ idx, state: 1, step: 2 })
  for (const step of [0, 4, 1.5]) {
    const input = { idx, state: 1 as const, step }
    await expect(as(ready).requests.decide(input)).rejects.toMatchObject({ error: 'INVALID_INPUT' })
  }
})

test('the detail says the steps, who decided before and why, and who can decide now', async () => {
  const request = await buildStepped()
  const { idx } = request
  await decide(lead, request, Decision.APPROVE, '검토했습니다')
  const shown = await as(guard).requests.find({ idx })
  expect(shown).toMatchObject({
    step: 2,
    stepCount: 3,
    laterSteps: [
      { step: 2, authorityName: security.name },
      { step: 3, authorityName: board.name },
    ],
    deciders: { count: 2, people: expect.arrayContaining([{ name: '이보안', forName: null }]) },
  })
  expect(shown.steps).toMatchObject([
    { type: RequestEvent.STEP_APPROVED, actorName: '김팀장', step: 1, forName: null, reason: '검토했습니다' },
  ])
  const first = await buildRequest(app, employee)
  const { deciders } = await as(lead).requests.find({ idx: first.idx })
  // Managers come before administrators.
  expect(deciders?.people.map(({ name }) => name)).toContain('김팀장')
  expect(deciders?.people.at(-1)?.name).toBe('Administrator')
  await decide(lead, first)
  expect((await as(lead).requests.find({ idx: first.idx })).deciders).toBeNull()
})

test('no more than twenty people are named, and all are counted', async () => {
  const crowd = []
  for (let no = 0; no < 23; no++) crowd.push(await buildUser(db, { group: far }))
  const many = await buildAuthority(db, { groups: [far], users: crowd, fileExportApprove: 2 })
  const { idx } = await buildRequest(app, employee, { later: [many], step: 2 })
  const { deciders } = await as(lead).requests.find({ idx })
  expect([deciders?.count, deciders?.people.length]).toEqual([23, 20])
})

test('requests that nobody can decide are a filter: no member, only the requester, or suspended members', async () => {
  const lonely = await buildUser(db, { group: sales })
  const alone = await buildAuthority(db, { groups: [far], users: [lonely], fileExportApprove: 2 })
  const empty = await buildAuthority(db, { groups: [far], fileExportApprove: 2 })
  const own = await buildRequest(app, lonely, { later: [alone], step: 2 })
  const none = await buildRequest(app, employee, { later: [empty], step: 2 })
  const others = await buildRequest(app, employee, { later: [alone], step: 2 })
  const stuck = async () => {
    const found = []
    for (const request of [own, none, others]) found.push(await listed(admin, request, { isUndecidable: 1 }))
    return found
  }
  expect(await stuck()).toEqual([true, true, false])
  expect((await as(admin).requests.find({ idx: none.idx })).deciders).toEqual({ count: 0, people: [] })
  const suspended = UserState.DISABLED
  await db.write.updateTable('users').set({ state: suspended }).where('idx', '=', lonely.idx).execute()
  expect(await stuck()).toEqual([true, true, true])
  const { items } = await as(lead).requests.search({ type, isUndecidable: 1 })
  expect(items.map(({ idx }) => idx)).toEqual(expect.arrayContaining([own, none, others].map(({ idx }) => idx)))
  expect((await as(guard).requests.search({ type, isUndecidable: 1 })).items).toEqual([])
})

test('members of the steps follow a request live, others do not learn of it', async () => {
  const request = await buildStepped()
  const events = await announced(app, () => decide(lead, request))
  expect(events).toContainEqual({
    topic: 'requests',
    groupIdx: null,
    authorityIdxes: expect.arrayContaining([security.idx, board.idx]),
  })
})
