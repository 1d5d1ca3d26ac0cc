// Random operations on approval steps, absences and memberships, alone and at once, compared with a plain model of the
// rules (test/approval/model.ts): each answer, all rows, who can decide, and what nobody can decide.
import { isDeepStrictEqual } from 'node:util'
import { Level } from '@acc/contract/labels/access'
import { FileExport } from '@acc/contract/labels/policies'
import { Decision, RequestState, Transfer } from '@acc/contract/labels/requests'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { type Draw, interleaving, operationOf } from '../../../test/approval/draws.ts'
import {
  type Authority,
  at,
  decidersOf,
  isApprover,
  isUsable,
  isWaiting,
  type Request,
  rightOf,
  shown,
  undecidable,
  type World,
} from '../../../test/approval/model.ts'
import { apply, type Operation } from '../../../test/approval/operations.ts'
import { openWorld, type Server } from '../../../test/approval/server.ts'
import { buildUser } from '../../../test/build/users.ts'
import { withImports } from '../../../test/consoleConfig.ts'

/** Interleavings of all worlds: `npm run drill -- approval` raises them. */
const INTERLEAVINGS = Number(process.env.ACC_TEST_INTERLEAVINGS ?? 150)
/** Interleavings of one world at most. */
const LENGTH = 60

/** Errors and repeated transactions that the server logged. */
const errors: string[] = []
const write = (line: string) => void (/"level":50|a transaction is repeated/.test(line) && errors.push(line))
const log = pino({ level: 'warn' }, { write })
const testApp = await startTestApp({ ACC_CONSOLE_CONFIG: await withImports() }, log)
const { app, owner, admin, clock } = testApp
const chief = await buildUser(app.db, { isAdmin: 1 })

const { EXPORT, IMPORT } = Transfer
const authority = (exports: Level, imports: Level, groups: string[], members: string[]): Authority => ({
  levels: { [EXPORT]: exports, [IMPORT]: imports },
  groups,
  members: Object.fromEntries(members.map((name) => [name, { lastDay: null }])),
})
const { EDIT, READ, NONE } = Level
const person = (group: string, isAdmin = false) => ({ group, isAdmin, isSuspended: false, lastDay: null, session: 0 })
const newWorld = (): World => ({
  day: 0,
  groups: { top: null, sales: 'top', east: 'sales', rnd: 'top' },
  people: {
    ...{ operator: person('top', true), chief: person('top', true) },
    ...{ lead: person('sales'), deputy: person('sales'), guard: person('rnd'), director: person('top') },
    ...{ anna: person('east'), ben: person('east'), cara: person('rnd') },
  },
  authorities: {
    sales: authority(EDIT, EDIT, ['sales'], ['lead', 'deputy']),
    rnd: authority(EDIT, READ, ['rnd', 'east'], ['deputy', 'cara']),
    security: authority(EDIT, NONE, ['top'], ['guard', 'ben']),
    board: authority(EDIT, EDIT, ['rnd'], ['director', 'lead']),
  },
  policies: {
    top: {
      fileExport: FileExport.APPROVAL,
      setBy: null,
      steps: { [EXPORT]: ['security', 'board'], [IMPORT]: ['board'] },
    },
    east: { fileExport: FileExport.APPROVAL, setBy: null, steps: { [EXPORT]: ['security'], [IMPORT]: [] } },
  },
  absences: {},
  requests: {},
})

const orders = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one) => orders(all.filter((other) => other !== one)).map((rest) => [one, ...rest]))

/** Applies an operation to both sides. */
async function runAlone(w: World, server: Server, [operation]: readonly Operation[]): Promise<World> {
  if (operation === undefined) return w
  const answer = await server.run(operation)
  count(`${operation.do}: ${answer}`)
  expect([operation, answer]).toEqual([operation, apply(w, operation)])
  expect(await server.read(w.day)).toEqual(shown(w))
  return w
}

/** Sends operations at once. The server must answer and end as the model does in one of their orders. */
async function runAtOnce(w: World, server: Server, operations: readonly Operation[]): Promise<World> {
  const answers = await Promise.all(operations.map(server.run))
  const found = await server.read(w.day)
  server.forgetSessions()
  for (const [no, { do: name }] of operations.entries()) count(`${name} at once: ${answers[no]}`)
  const succeeded = operations.map((_, no) => answers[no] === 'ok')
  const ends = orders([...operations.keys()]).map((order) => {
    const world = structuredClone(w)
    const isOk: boolean[] = []
    for (const no of order) isOk[no] = apply(world, operations[no] as Operation) === 'ok'
    return { world, isSame: isDeepStrictEqual(isOk, succeeded) && isDeepStrictEqual(shown(world), found) }
  })
  const end = ends.find(({ isSame }) => isSame)
  if (end === undefined)
    expect({ operations, answers, before: shown(w), found }).toEqual('what the model allows in one order')
  return end?.world ?? w
}

/** Nobody takes part twice, no requester, and every decided request has the decisions that it needs. */
function requireSound(id: string, { state, requester, step, later, decisions }: Request) {
  const people = decisions.flatMap(({ decider, absent }) => [decider, absent]).filter((name) => name !== null)
  expect([id, new Set(people).size]).toEqual([id, people.length])
  expect([id, people.includes(requester ?? '-')]).toEqual([id, false])
  expect([id, decisions.map((one) => one.step)]).toEqual([id, decisions.map((_, at) => at + 1)])
  const verdicts = decisions.map(({ decision }) => decision)
  const approved = (count: number) => Array.from({ length: count }, () => Decision.APPROVE)
  if (state === RequestState.APPROVED) expect([id, verdicts]).toEqual([id, approved(1 + later.length)])
  else if (state === RequestState.REJECTED)
    expect([id, verdicts]).toEqual([id, [...approved(step - 1), Decision.REJECT]])
  else expect([id, verdicts]).toEqual([id, approved(step - 1)])
}

const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name)

/** Compares who can decide: by the filter, by the detail of requests, and by the queues of people. */
async function compareDeciders(w: World, { rows, as }: Server, people: readonly string[], requests: readonly string[]) {
  const calls = testApp.as(admin)
  const idsOf = ({ items }: { items: { idx: number }[] }) => items.map(({ idx }) => rows.requests.name(idx)).sort()
  for (const type of Transfer.values) {
    const ofType = (ids: readonly string[]) => ids.filter((id) => at(w.requests, id).type === type).sort()
    const list = await calls.requests.search({ type, isUndecidable: 1, rowsCount: 1000 })
    expect(['undecidable', idsOf(list)]).toEqual(['undecidable', ofType(undecidable(w))])
    for (const name of people) {
      const search = (await as(name, at(w.people, name).session)).requests.search({
        type,
        isDecidable: 1,
        rowsCount: 1000,
      })
      const queue = await search.then(idsOf, ({ error }) => (error === 'NOT_ALLOWED' ? [] : error))
      const decided = Object.keys(w.requests).filter((id) => rightOf(w, name, at(w.requests, id)) !== undefined)
      expect([name, queue]).toEqual([name, ofType(decided)])
    }
  }
  for (const id of requests) {
    const { deciders } = await calls.requests.find({ idx: rows.requests.idx(id) })
    const expected = decidersOf(w, at(w.requests, id)).map(({ person, right }) => {
      return { name: person, forName: right === person ? null : right }
    })
    expect([id, deciders?.people.toSorted(byName)]).toEqual([id, expected.toSorted(byName)])
  }
}

/** How often each operation had each answer, and how each request ended. */
const counts = new Map<string, number>()
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
function countRequests(w: World) {
  for (const { state, step, decisions } of Object.values(w.requests)) {
    count(`request ${RequestState.labels[state].en} at step ${step}`)
    for (const { absent } of decisions) count(absent === null ? 'decision' : 'decision for an absent person')
  }
  for (const _ of undecidable(w)) count('nobody can decide')
}

/** Returns the operations that draws mean, without a second sender of the same bytes: one of them would be refused. */
const operationsOf = (w: World, draws: readonly Draw[], no: number): Operation[] => {
  const all = draws.flatMap((draw, at) => operationOf(w, draw, `r${no}.${at}`) ?? [])
  const uploadOf = (one: Operation) => (one.do === 'upload' ? one.id : undefined)
  return all.filter((one, at) => one.do !== 'upload' || all.findIndex((other) => uploadOf(other) === one.id) === at)
}

/** What was done in this world, for the message of a failure. */
const trace: string[] = []
const failWithTrace = (cause: unknown) => {
  throw new Error(`after\n${trace.join('\n')}\nlogged\n${errors.join('')}`, { cause })
}

async function live(draws: readonly (readonly Draw[])[]) {
  trace.length = 0
  clock.set(new Date())
  await owner.deleteFrom('fileEximports').execute()
  await owner.deleteFrom('absences').execute()
  let w = newWorld()
  const server = await openWorld(testApp, w, { operator: admin.idx, chief: chief.idx })
  const present = () => Object.keys(w.people).filter((name) => isUsable(w, name) && isApprover(w, name))
  const waiting = () => Object.keys(w.requests).filter((id) => isWaiting(at(w.requests, id)))
  for (const [no, draw] of draws.entries()) {
    const operations = operationsOf(w, draw, no)
    trace.push(operations.map((operation) => JSON.stringify(operation)).join(' | '))
    w = operations.length === 1 ? await runAlone(w, server, operations) : await runAtOnce(w, server, operations)
    if (no % 5 === 4) await compareDeciders(w, server, present().slice(no % 7, 1 + (no % 7)), waiting().slice(-1))
  }
  await compareDeciders(w, server, present(), waiting())
  for (const [id, request] of Object.entries((await server.read(w.day)).requests)) requireSound(id, request)
  countRequests(w)
}

test('after any operations, alone and at once, the server is as the model says', { timeout: 7_200_000 }, async () => {
  const world = fc.array(interleaving, { minLength: LENGTH, maxLength: LENGTH })
  const [seed, path] = process.env.ACC_TEST_SEED?.split(' ') ?? []
  const repeated = seed === undefined ? {} : { seed: Number(seed), path: path ?? '' }
  // A shorter example would take as many minutes as worlds are tried.
  const options = { numRuns: Math.ceil(INTERLEAVINGS / LENGTH), endOnFailure: true, ...repeated }
  await fc.assert(
    fc.asyncProperty(world, (draws) => live(draws).catch(failWithTrace)),
    options,
  )
  expect(errors).toEqual([])
  if (process.env.ACC_TEST_INTERLEAVINGS !== undefined) console.log(Object.fromEntries([...counts].sort()))
})
