// The tables "Who decides a step" of docs/decisions/30-approval.md: a test for each line.
import { readFileSync } from 'node:fs'
import { Decision, Transfer } from '@acc/contract/labels/requests'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAbsence } from '../../../test/build/absences.ts'
import { type BuiltAuthority, buildAuthority, buildManager } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { openExports } from '../../../test/build/policies.ts'
import { type BuiltRequest, buildRequest } from '../../../test/build/requests.ts'
import { buildUser } from '../../../test/build/users.ts'
import { findUndecidable } from './requestDeciders.queries.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
await openExports(db)
const { sales, far, rnd } = await buildGroups(db, 'sales', 'far', 'rnd')
const employee = await buildUser(db, { group: sales })

type Person = Awaited<ReturnType<typeof buildUser>>
type Step = 1 | 2
const approver = (level: 1 | 2 = 2) =>
  buildManager(db, { groups: [sales], fileExportApprove: level, as: { group: sales } })
/** May be a substitute, but reaches no request by themselves. */
const stranger = () => buildManager(db, { groups: [rnd], fileExportApprove: 2 })
/** An authority of a step. Its groups do not cover the requester. */
const authorityOf = (...users: { idx: number }[]) => buildAuthority(db, { groups: [far], users, fileExportApprove: 2 })
const requestOf = async (requester: Person, step: number, second?: BuiltAuthority, third?: BuiltAuthority) =>
  buildRequest(app, requester, { later: [second ?? (await authorityOf()), third ?? (await authorityOf())], step })
const approve = (user: { idx: number }, { idx }: BuiltRequest) => as(user).requests.decide({ idx, state: 1 })

/** Who tries to decide which request; `right`: the absent person whose right counts. */
type Case = { user: { idx: number }; request: BuiltRequest; right?: { idx: number } }
type Build = (step: Step) => Promise<Case>

/** A person who decides a step of others, with the authority of step 2. */
async function buildHolder(step: Step) {
  const person = step === 1 ? await approver() : await buildUser(db, { group: far })
  return { person, authority: step === 1 ? await authorityOf() : await authorityOf(person) }
}
/** A requester of sales in a role, and their request. */
async function buildOwn(step: Step, requester: Person, authority?: BuiltAuthority): Promise<Case> {
  return { user: requester, request: await requestOf(requester, step, authority) }
}

const WHO: Record<string, Build> = {
  'level 2 over the group': async (step) => ({ user: await approver(), request: await requestOf(employee, step) }),
  'level 1 over the group': async (step) => ({ user: await approver(1), request: await requestOf(employee, step) }),
  administrator: async (step) => ({ user: admin, request: await requestOf(employee, step) }),
  'member of the authority of the step': async (step) => {
    const user = await buildUser(db, { group: far })
    return { user, request: await requestOf(employee, step, await authorityOf(user)) }
  },
  'member of the authority of an earlier step': async () => {
    const user = await buildUser(db, { group: far })
    return { user, request: await requestOf(employee, 3, await authorityOf(user)) }
  },
  'member of the authority of a coming step': async (step) => {
    const user = await buildUser(db, { group: far })
    return { user, request: await requestOf(employee, step, undefined, await authorityOf(user)) }
  },
  'decided an earlier step': async () => {
    const user = await approver()
    const request = await requestOf(employee, 1, await authorityOf(user))
    await approve(user, request)
    return { user, request }
  },
  'an earlier step was decided for them': async () => {
    const [user, substitute] = [await approver(), await stranger()]
    const request = await requestOf(employee, 1, await authorityOf(user))
    await buildAbsence(db, user, substitute)
    await approve(substitute, request)
    return { user, request }
  },
  'absent, with a substitute': async (step) => {
    const { person, authority } = await buildHolder(step)
    await buildAbsence(db, person, await stranger())
    return { user: person, request: await requestOf(employee, step, authority) }
  },
  'substitute: the absent person may decide': async (step) => {
    const [{ person, authority }, user] = [await buildHolder(step), await stranger()]
    await buildAbsence(db, person, user)
    return { user, request: await requestOf(employee, step, authority), right: person }
  },
  'substitute who may decide without it': async (step) => {
    const [{ person: absent }, { person: user }] = [await buildHolder(step), await buildHolder(step)]
    const authority = await authorityOf(absent, user)
    await buildAbsence(db, absent, user)
    return { user, request: await requestOf(employee, step, authority) }
  },
  'substitute whose absent person decided an earlier step': async () => {
    const [absent, user] = [await approver(), await stranger()]
    const request = await requestOf(employee, 1, await authorityOf(absent))
    await approve(absent, request)
    await buildAbsence(db, absent, user)
    return { user, request }
  },
  'substitute of two people, who decided for one of them': async () => {
    const [absent, user, member] = [await approver(), await stranger(), await buildUser(db, { group: far })]
    const request = await requestOf(employee, 1, await authorityOf(absent, member))
    for (const one of [absent, member]) await buildAbsence(db, one, user)
    await approve(user, request)
    return { user, request }
  },
  'substitute of two people; one of them decided an earlier step': async () => {
    const [absent, user, member] = [await approver(), await stranger(), await buildUser(db, { group: far })]
    const request = await requestOf(employee, 1, await authorityOf(absent, member))
    await approve(absent, request)
    for (const one of [absent, member]) await buildAbsence(db, one, user)
    return { user, request, right: member }
  },
  'substitute of a substitute': async (step) => {
    const [{ person, authority }, between, user] = [await buildHolder(step), await stranger(), await stranger()]
    await buildAbsence(db, person, between)
    await buildAbsence(db, between, user)
    return { user, request: await requestOf(employee, step, authority) }
  },
}

/** An absent requester, whose substitute may decide in their own right. */
async function buildAbsentRequester(step: Step) {
  const { person: user, authority } = await buildHolder(step)
  const requester = await buildManager(db, { groups: [sales], fileExportApprove: 2, as: { group: sales } })
  const { idx } = await buildAbsence(db, requester, user)
  return { user, requester, authority, absence: idx }
}

const OWN: Record<string, Build> = {
  'without an authority': async (step) => buildOwn(step, employee),
  'with level 2 over the group': async (step) => buildOwn(step, await approver()),
  administrator: async (step) => buildOwn(step, await buildUser(db, { group: sales, isAdmin: 1 })),
  'member of the authority of the step': async (step) => {
    const requester = await buildUser(db, { group: sales })
    return buildOwn(step, requester, await authorityOf(requester, await buildUser(db)))
  },
  'substitute of somebody who may decide': async (step) => {
    const { person, authority } = await buildHolder(step)
    const requester = await buildManager(db, { groups: [rnd], fileExportApprove: 2, as: { group: sales } })
    await buildAbsence(db, person, requester)
    return buildOwn(step, requester, authority)
  },
  'absent; the substitute may decide without it': async (step) => {
    const { user, requester, authority } = await buildAbsentRequester(step)
    return { user, request: await requestOf(requester, step, authority) }
  },
  'absent; the substitute is an administrator': async (step) => {
    const requester = await approver()
    await buildAbsence(db, requester, admin)
    return { user: admin, request: await requestOf(requester, step) }
  },
  'absent; the substitute is that of somebody who may decide, too': async (step) => {
    const [{ person, authority }, requester, user] = [await buildHolder(step), await approver(), await stranger()]
    for (const one of [person, requester]) await buildAbsence(db, one, user)
    return { user, request: await requestOf(requester, step, authority) }
  },
  'back from an absence; the former substitute may decide': async (step) => {
    const { user, requester, authority, absence } = await buildAbsentRequester(step)
    await as(requester).absences.end({ idx: absence })
    return { user, request: await requestOf(requester, step, authority) }
  },
}

/** The answers of each line: of step 1, and of a later one. Empty where the line has no such step. */
const CODES: Record<string, string> = { 980: 'NOT_ALLOWED', 170: 'REQUEST_STATE' }
const page = readFileSync(new URL('../../../../docs/decisions/30-approval.md', import.meta.url), 'utf8')
const linesBelow = (heading: string) => {
  const table = page.slice(page.indexOf(heading)).split('\n\n')[1] ?? ''
  const cells = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  return cells.slice(2).map(([, who = '', first = '', later = '']) => ({ who, answers: [first, later] as const }))
}

async function expectAnswer(build: Build, step: Step, answer: string) {
  const { user, request, right } = await build(step)
  const { idx } = request
  const { items } = await as(user)
    .requests.search({ type: Transfer.EXPORT, isDecidable: 1, rowsCount: 1000 })
    .catch(() => ({ items: [] }))
  expect(items.some((item) => item.idx === idx)).toBe(answer === 'yes')
  const decisions = () =>
    db.read
      .selectFrom('requestDecisions')
      .select(['step', 'deciderIdx', 'forIdx'])
      .where('fileEximportIdx', '=', idx)
      .execute()
  const before = await decisions()
  if (answer === 'yes') {
    await approve(user, request)
    expect(await decisions()).toEqual([...before, { step, deciderIdx: user.idx, forIdx: right?.idx ?? null }])
  } else {
    const error = CODES[/\d+/.exec(answer)?.[0] ?? '']
    for (const state of Decision.values)
      await expect(as(user).requests.decide({ idx, state })).rejects.toMatchObject({ error })
    expect(await decisions()).toEqual(before)
  }
}

const TABLES = [
  ['Who decides a step that the request waits for', WHO],
  ['The requester, and those who act for them', OWN],
] as const
for (const [heading, builds] of TABLES) {
  const lines = linesBelow(heading)
  test(`${heading}: the page and the tests have the same lines`, () => {
    expect(lines.map(({ who }) => who)).toEqual(Object.keys(builds))
  })
  test.each(lines)(`${heading}: $who`, async ({ who, answers }) => {
    const build = builds[who]
    if (build === undefined) throw new Error('no test')
    for (const [at, answer] of answers.entries()) if (answer !== '') await expectAnswer(build, at === 0 ? 1 : 2, answer)
  })
}

test('a requester is the substitute of the only member of the step: the member decides, or nobody can', async () => {
  const requester = await buildManager(db, { groups: [rnd], fileExportApprove: 2, as: { group: sales } })
  const member = await buildUser(db, { group: far })
  const authority = await authorityOf(member)
  const [first, second] = [await requestOf(requester, 2, authority), await requestOf(requester, 2, authority)]
  await buildAbsence(db, member, requester)
  const stuck = async ({ idx }: BuiltRequest) => {
    const { items } = await as(admin).requests.search({ type: Transfer.EXPORT, isUndecidable: 1, rowsCount: 1000 })
    return items.some((item) => item.idx === idx)
  }
  expect(await stuck(first)).toBe(false)
  await approve(member, first)
  await as(admin).users.setDisabled({ idx: member.idx, state: 2 })
  expect(await stuck(second)).toBe(true)
})

test('the substitute of a member decides until the last day of the member', async () => {
  const [lastDay, dayAfter] = ['2038-01-01', '2038-01-02']
  const member = await buildUser(db, { group: far, isMortal: 1, expireDT: lastDay })
  const { idx } = await requestOf(employee, 2, await authorityOf(member))
  await buildAbsence(db, member, await stranger())
  expect(await findUndecidable(db.read, lastDay)).not.toContain(idx)
  expect(await findUndecidable(db.read, dayAfter)).toContain(idx)
})
