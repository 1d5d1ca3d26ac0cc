// Random and concurrent changes of the tree: it remains valid and equals a model in memory.
import { ApiError } from '@acc/contract/core/client'
import { ROOT_GROUP } from '@acc/contract/groups'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { buildGroups } from '../../../test/build/groups.ts'
import { buildUser } from '../../../test/build/users.ts'

const { app, as, admin } = await startTestApp()
const { db } = app
const calls = as(admin).groups

/** A step of a run. `at` picks one of the existing groups. */
const NAMES = ['aaa', 'AAA', 'bbb', 'ccc', 'ddd'] as const
const at = fc.nat(1000)
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), at, name: fc.constantFrom(...NAMES) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const), at, name: fc.constantFrom(...NAMES) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reorder' as const), at, turn: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const), at }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

/** The model: the same tree as linked objects. */
type Node = { idx: number; name: string; parent: Node | undefined; children: Node[]; people: number[] }
const allOf = (node: Node): Node[] => [node, ...node.children.flatMap(allOf)]
const isTaken = (siblings: readonly Node[], name: string, but?: Node) =>
  siblings.some((node) => node !== but && node.name.toLowerCase() === name.toLowerCase())
const turned = <T>(items: readonly T[], by: number): T[] => [...items.slice(by), ...items.slice(0, by)]

const DUPLICATE = { error: 'DUPLICATE_NAME' }

async function create(parent: Node, name: string): Promise<void> {
  const call = calls.create({ parentIdx: parent.idx, name })
  if (isTaken(parent.children, name)) return expect(call).rejects.toMatchObject(DUPLICATE)
  parent.children.push({ idx: (await call).idx, name, parent, children: [], people: [] })
}

async function remove(node: Node, parent: Node): Promise<void> {
  const call = calls.remove({ idx: node.idx })
  if (node.children.some(({ name }) => isTaken(parent.children, name, node)))
    return expect(call).rejects.toMatchObject(DUPLICATE)
  await call
  for (const child of node.children) child.parent = parent
  parent.children = [...parent.children.filter((child) => child !== node), ...node.children]
  parent.people.push(...node.people)
}

async function rename(node: Node, parent: Node, name: string): Promise<void> {
  const call = calls.update({ idx: node.idx, name })
  if (isTaken(parent.children, name, node)) return expect(call).rejects.toMatchObject(DUPLICATE)
  await call
  node.name = name
}

async function reorder(parent: Node, turn: number): Promise<void> {
  const ordered = turned(parent.children, turn % parent.children.length)
  const call = calls.reorder({ orderedIdxes: ordered.map(({ idx }) => idx) })
  if (ordered.length < 2) return expect(call).rejects.toMatchObject({ error: 'GROUP_ACTION_REFUSED' })
  await call
  parent.children = ordered
}

async function apply(top: Node, operation: Operation): Promise<void> {
  const nodes = allOf(top)
  const node = nodes[operation.at % nodes.length] ?? top
  if (operation.do === 'create') return create(node, operation.name)
  if (operation.do === 'join') return void node.people.push((await buildUser(db, { group: node })).idx)
  // Keeps the top group of a run, so that runs do not interfere.
  if (node.parent === undefined) return
  if (operation.do === 'remove') return remove(node, node.parent)
  if (operation.do === 'rename') return rename(node, node.parent, operation.name)
  return reorder(node.parent, operation.turn)
}

const expectedOf = (node: Node, path: number[]): unknown[] => [
  { idx: node.idx, name: node.name, path: [...path, node.idx], people: node.people.toSorted((a, b) => a - b) },
  ...node.children.flatMap((child) => expectedOf(child, [...path, node.idx])),
]

/** Returns the rows below a group, parents before children, siblings in order. */
async function storedBelow(idx: number, parentIdx: number | null = ROOT_GROUP): Promise<unknown[]> {
  const row = await db.read
    .selectFrom('groups')
    .select((eb) => [
      'idx',
      'name',
      'path',
      sql<
        number[]
      >`array(${eb.selectFrom('users').select('users.idx').whereRef('users.groupIdx', '=', 'groups.idx').orderBy('users.idx')})`.as(
        'people',
      ),
    ])
    .where('idx', '=', idx)
    .where('parentIdx', '=', parentIdx)
    .executeTakeFirstOrThrow()
  const children = await db.read
    .selectFrom('groups')
    .select('idx')
    .where('parentIdx', '=', idx)
    .orderBy('position')
    .execute()
  const below: unknown[] = []
  for (const child of children) below.push(...(await storedBelow(child.idx, idx)))
  return [row, ...below]
}

/** Returns violations of the tree: wrong paths, a second root, two siblings in one position. */
async function faults(): Promise<unknown[]> {
  const wrong = await sql`
    select g.idx from groups g left join groups p on p.idx = g."parentIdx"
    where g.path is distinct from coalesce(p.path, '{}') || g.idx or (g."parentIdx" is null and g.idx <> ${ROOT_GROUP})
       or exists (select from groups s where s."parentIdx" = g."parentIdx" and s.position = g.position and s.idx <> g.idx)`.execute(
    db.write,
  )
  return wrong.rows
}

let run = 0
const newTop = async (): Promise<Node> => {
  const name = `run ${++run}`
  const top = (await buildGroups(db, name))[name]
  return { idx: top?.idx ?? 0, name, parent: undefined, children: [], people: [] }
}

test('sequential operations leave the expected tree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 8, maxLength: 25 }), async (operations) => {
      const top = await newTop()
      for (const one of operations) await apply(top, one)
      expect(await storedBelow(top.idx)).toEqual(expectedOf(top, [ROOT_GROUP]))
    }),
    { numRuns: 12 },
  )
  expect(await faults()).toEqual([])
})

/** Errors that concurrent changes of the same groups may cause. */
const EXPECTED = ['DUPLICATE_NAME', 'NO_GROUP', 'NOT_ALLOWED', 'INVALID_INPUT', 'GROUP_ACTION_REFUSED']

test('concurrent operations leave a valid tree, and fail only with expected errors', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 12, maxLength: 20 }), async (operations) => {
      const top = await newTop()
      for (const name of ['east', 'west', 'north']) await create(top, name)
      for (const node of top.children) for (const name of NAMES.slice(1, 4)) await create(node, name)
      const idxes = allOf(top).map(({ idx }) => idx)
      const pick = (one: Operation) => idxes[1 + (one.at % (idxes.length - 1))] ?? 0
      const started = operations.map((one) => {
        if (one.do === 'create') return calls.create({ parentIdx: pick(one), name: one.name })
        if (one.do === 'rename') return calls.update({ idx: pick(one), name: one.name })
        if (one.do === 'reorder') return calls.reorder({ orderedIdxes: turned(idxes.slice(1, 4), one.turn % 3) })
        if (one.do === 'join') return calls.setIsDmsParent({ idx: pick(one) })
        return calls.remove({ idx: pick(one) })
      })
      for (const done of await Promise.allSettled(started))
        if (done.status === 'rejected')
          expect(EXPECTED).toContain(done.reason instanceof ApiError ? done.reason.error : done.reason)
      expect(await faults()).toEqual([])
    }),
    { numRuns: 8 },
  )
  expect(await db.read.selectFrom('groups').select('idx').where('isDmsParent', '=', 1).execute()).toHaveLength(1)
})
