// Inheritance against a naive model: after any separation, change, move or deletion, every owner has their own policy,
// with its exceptions, or that of the nearest group above.

import { NO_END } from '@acc/contract/ends'
import { ROOT_GROUP } from '@acc/contract/groups'
import { Role } from '@acc/contract/labels/access'
import { OwnerType } from '@acc/contract/labels/policies'
import { Transfer } from '@acc/contract/labels/requests'
import type { PolicyContents } from '@acc/contract/policies'
import { EXCEPTION_LISTS, type ExceptionLists, NO_EXCEPTIONS } from '@acc/contract/policyExceptions'
import type { StepChoices } from '@acc/contract/policySteps'
import { DEFAULT_POLICY, type PolicyValues } from '@acc/contract/policyValues'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildAuthority } from '../../../test/build/authorities.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'
import { valuesOf } from './policies.history.ts'
import { findEffectivePolicy, setIsMyPolicy } from './policies.service.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const calls = as(admin)

/** Values, lists whose rows have no idx yet, approval steps, and web shortcuts. */
type Contents = PolicyValues & ExceptionLists & StepChoices & { shortcutWebs: { idx: number }[] }
const ROOT_POLICY: Contents = { ...DEFAULT_POLICY, ...NO_EXCEPTIONS, approvalSteps: [], shortcutWebs: [] }
const webs = await Promise.all(
  ['a', 'b', 'c'].map((name) => calls.shortcuts.createWeb({ name, url: `https://${name}.example.com` })),
)

const member = await buildUser(db)
const [one, two] = [
  await buildAuthority(db, { groups: [{ idx: ROOT_GROUP }], users: [member], fileExportApprove: 2 }),
  await buildAuthority(db, { groups: [{ idx: ROOT_GROUP }], users: [member], fileExportApprove: 2 }),
]
const exportStep = (step: 2 | 3, { idx }: { idx: number }) => ({ type: Transfer.EXPORT, step, authorityIdx: idx })

/** A group or a user, linked to its parent group, with contents of its own if it has an own policy. */
type Holder = { idx: number; type: OwnerType; parent: Holder | undefined; own: Contents | undefined }
const ROOT: Holder = { idx: ROOT_GROUP, type: OwnerType.GROUP, parent: undefined, own: ROOT_POLICY }

const above = (holder: Holder): Contents => (holder.parent ? applied(holder.parent) : ROOT_POLICY)
const applied = (holder: Holder): Contents => holder.own ?? above(holder)

const at = fc.nat(1000)
const someValues = fc.record(
  {
    clipboard: fc.constantFrom(0, 1, 2, 3),
    fileExport: fc.constantFrom(0, 1, 2),
    network: fc.constantFrom(0, 1),
    offlineDays: fc.integer({ min: 1, max: 365 }),
  },
  { requiredKeys: [] },
)
const network = fc
  .uniqueArray(
    fc.record({
      description: fc.constantFrom('one', 'two'),
      type: fc.constant(1 as const),
      ip1: fc.nat(5).map((last) => `10.0.0.${last}`),
      ip2: fc.constant('10.0.0.9'),
      port: fc.constantFrom(0, 443),
      access: fc.constantFrom(0 as const, 1 as const),
    }),
    { maxLength: 5, selector: ({ ip1, port }) => `${ip1} ${port}` },
  )
  .map((rows) => rows.map((row, at) => ({ ...row, idx: -1 - at })))
const processes = fc
  .uniqueArray(fc.record({ description: fc.constantFrom('one', 'two'), processName: fc.constantFrom('a', 'b', 'c') }), {
    selector: ({ processName }) => processName,
  })
  .map((rows) => rows.map((row, at) => ({ ...row, idx: -1 - at })))
const someLists = fc.record(
  { policyNetworkExceptions: network, policyLocalNetworkExceptions: network, policyLoopbackExceptions: processes },
  { requiredKeys: [] },
)
const someSteps = fc.constantFrom<StepChoices['approvalSteps'] | undefined>(
  undefined,
  [],
  [exportStep(2, one)],
  [exportStep(2, two), exportStep(3, one)],
)
const someWebs = fc.option(fc.subarray(webs), { nil: undefined })
const operation = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('separate' as const), at }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      at,
      values: someValues,
      lists: someLists,
      steps: someSteps,
      webs: someWebs,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('inherit' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), at, to: at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), at }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

let run = 0
/** Groups as a list of parents (0: the top of this run), each below an earlier one; then users, each in a group. */
async function build(parents: readonly number[], places: readonly number[]): Promise<Holder[]> {
  const top = `run ${++run}`
  const paths = [top]
  for (const [number, parent] of parents.entries())
    paths.push(`${paths[parent % paths.length]}/run ${run} group ${number}`)
  const groups = Object.values(await buildGroups(db, ...paths))
  const holders: Holder[] = groups.map(({ idx }) => ({ idx, type: OwnerType.GROUP, parent: undefined, own: undefined }))
  for (const [number, group] of groups.entries()) {
    const holder = holders[number]
    if (holder) holder.parent = holders.find(({ idx }) => idx === group.parentIdx) ?? ROOT
  }
  for (const place of places) {
    const parent = holders[place % groups.length] ?? ROOT
    const { idx } = await buildUser(db, { group: parent })
    holders.push({ idx, type: OwnerType.USER, parent, own: undefined })
  }
  return holders
}

const ownerOf = ({ idx, type }: Holder) => ({ ownerIdx: idx, ownerType: type })
const set = (holder: Holder, isMyPolicy: 0 | 1) =>
  holder.type === OwnerType.GROUP
    ? calls.groups.setIsMyPolicy({ idx: holder.idx, isMyPolicy })
    : db.write
        .transaction()
        .execute((tx) =>
          setIsMyPolicy(tx, { idx: admin.idx, role: Role.ADMIN, isSubstitute: false }, ownerOf(holder), isMyPolicy),
        )

/** The lists with every second stored row as an edit of that row, the others as new rows. */
function keepRows(stored: PolicyContents, lists: Partial<ExceptionLists>): Partial<ExceptionLists> {
  const kept = EXCEPTION_LISTS.flatMap((name) => {
    const idxes = stored[name].filter((_, at) => at % 2 === 1).map(({ idx }) => idx)
    return lists[name] === undefined
      ? []
      : [[name, lists[name].map((row, at) => ({ ...row, idx: idxes[at] ?? row.idx }))]]
  })
  return Object.fromEntries(kept)
}

/** Contents to compare: the rows of each list without their idxes, in one order. */
function comparable(policy: Contents) {
  const textOf = (row: object) => JSON.stringify(Object.entries({ ...NO_END, ...row, idx: 0, policyIdx: 0 }).sort())
  const lists = EXCEPTION_LISTS.map((name) => policy[name].map(textOf).sort())
  const shortcuts = policy.shortcutWebs.map(({ idx }) => idx).sort((a, b) => a - b)
  const steps = policy.approvalSteps.map(({ type, step, authorityIdx }) => [type, step, authorityIdx])
  return { values: valuesOf(policy), lists, steps, shortcuts }
}

async function apply(holders: Holder[], operation: Operation): Promise<Holder[]> {
  const holder = holders[operation.at % holders.length]
  if (holder === undefined) return holders
  if (operation.do === 'separate') {
    await set(holder, 1)
    holder.own = applied(holder)
  } else if (operation.do === 'inherit') {
    await set(holder, 0)
    holder.own = undefined
  } else if (operation.do === 'update') {
    if (holder.own === undefined) return holders
    const stored = await calls.policies.find(ownerOf(holder))
    const values = operation.values as Partial<PolicyValues>
    const shortcutWebIdxes = operation.webs?.map(({ idx }) => idx)
    const lists = { ...keepRows(stored, operation.lists), shortcutWebIdxes, approvalSteps: operation.steps }
    await calls.policies.update({ idx: stored.idx, ...values, ...lists })
    holder.own = {
      ...holder.own,
      ...values,
      ...operation.lists,
      approvalSteps: operation.steps ?? holder.own.approvalSteps,
      shortcutWebs: operation.webs ?? holder.own.shortcutWebs,
    }
  } else if (holder.type === OwnerType.USER) {
    const groups = holders.filter(({ type }) => type === OwnerType.GROUP)
    const to = operation.do === 'move' ? groups[operation.to % groups.length] : undefined
    if (to === undefined) return holders
    await db.write.updateTable('users').set({ groupIdx: to.idx }).where('idx', '=', holder.idx).execute()
    holder.parent = to
  } else if (operation.do === 'remove' && holder.parent !== ROOT) {
    await calls.groups.remove({ idx: holder.idx })
    for (const other of holders) if (other.parent === holder) other.parent = holder.parent
    return holders.filter((other) => other !== holder)
  }
  return holders
}

/** Returns the owners that a policy reaches, including its own. */
const reached = (holder: Holder, holders: readonly Holder[]): Holder[] => [
  holder,
  ...holders.filter((other) => other.parent === holder && !other.own).flatMap((other) => reached(other, holders)),
]

test('every owner has their own policy, otherwise that of the nearest group above', async () => {
  const parents = fc.array(fc.nat(20), { minLength: 2, maxLength: 7 })
  const places = fc.array(fc.nat(20), { minLength: 1, maxLength: 5 })
  const operations = fc.array(operation, { minLength: 6, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(parents, places, operations, async (groups, people, steps) => {
      let holders = await build(groups, people)
      for (const step of steps) holders = await apply(holders, step)
      for (const holder of holders) {
        const found = await calls.policies.find(ownerOf(holder))
        expect(comparable(found)).toEqual(comparable(applied(holder)))
        expect(found.isMyPolicy).toBe(holder.own ? 1 : 0)
        expect(found.above && comparable(found.above)).toEqual(holder.own ? comparable(above(holder)) : null)
        const all = reached(holder, holders)
        const count = (type: OwnerType) => all.filter((other) => other.type === type).length
        expect(found.reach).toEqual({ users: count(OwnerType.USER), groups: count(OwnerType.GROUP) })
        if (holder.type === OwnerType.USER)
          expect((await findEffectivePolicy(db.read, holder.idx))?.values).toEqual(valuesOf(applied(holder)))
      }
    }),
    { numRuns: 12 },
  )
})
