// Paging by the database against sorting in memory.
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildUser } from '../../test/build/users.ts'
import { createTestDatabase } from '../../test/database.ts'
import { type List, listOf, mapList, searchedIn } from './list.ts'
import { openDatabase } from './open.ts'
import { nameContains } from './search.ts'

const database = await createTestDatabase()
const db = openDatabase(database.connection, { warn: () => undefined })
afterAll(async () => {
  await db.close()
  await database.drop()
})

type Row = { idx: number; name: string; state: number; expireDT: string | null }
const rows: Row[] = []

beforeAll(async () => {
  await db.write
    .insertInto('groups')
    .values({ idx: 1, name: 'root', key: 'root', path: [1], position: 0 })
    .execute()
  // Many of equal value, some without one.
  for (let i = 0; i < 60; i++) {
    const row = { name: `n${i % 7}`, state: i % 3, expireDT: i % 4 === 0 ? null : `2030-01-${10 + (i % 5)}` }
    const { idx } = await buildUser(db, row)
    rows.push({ idx, ...row })
  }
})

/** Null is the largest value. */
function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}

const SORTS = ['idx', 'name', 'state', 'expireDT'] as const
type ListInput = {
  sort: (typeof SORTS)[number]
  sortOrder: 0 | 1
  rowsAfter: number
  rowsCount: number
  maxCount: number
  state: number | undefined
  text: string | undefined
}

function inMemory({ sort, sortOrder, rowsAfter, rowsCount, maxCount, state, text = '' }: ListInput) {
  const matches = rows.filter((row) => (state === undefined || row.state === state) && row.name.includes(text))
  const sign = sortOrder === 1 ? -1 : 1
  const sorted = matches.toSorted((a, b) => sign * (compare(a[sort], b[sort]) || a.idx - b.idx))
  return { totalCount: Math.min(matches.length, maxCount + 1), items: sorted.slice(rowsAfter, rowsAfter + rowsCount) }
}

function byDatabase({ state, text, ...paging }: ListInput) {
  let matches = db.read.selectFrom('users').select(['idx', 'name', 'state', 'expireDT'])
  if (state !== undefined) matches = matches.where('state', '=', state)
  if (text !== undefined) matches = matches.where(nameContains('users.name', text))
  const sorts = Object.fromEntries(SORTS.map((sort) => [sort, sql.ref(sort)]))
  const searchIn = text === undefined ? undefined : searchedIn('users', [text])
  return listOf(db.read, paging, () => ({ matches, sorts: { ...sorts, idx: sql.ref('idx') }, searchIn }))
}

type ConstantFilter = Omit<ListInput, 'text'>

/** How often the statement of `named` was built. */
let built = 0
/** A list whose statements are constant: the state is a literal. `countIn` also shows that the count needs no join. */
const named = (filter: ConstantFilter) =>
  listOf(
    db.read,
    filter,
    () => {
      built++
      return {
        matches: db.read
          .selectFrom('users')
          .innerJoin('groups', 'groups.idx', 'users.groupIdx')
          .select(['users.idx', 'users.name', 'users.state', 'users.expireDT'])
          .$if(filter.state !== undefined, (query) => query.where('users.state', '=', sql.lit(filter.state ?? 0))),
        sorts: {
          ...Object.fromEntries(SORTS.map((sort) => [sort, sql.ref(`users.${sort}`)])),
          idx: sql.ref('users.idx'),
        },
        countIn: filter.state === undefined ? ('users' as const) : undefined,
      }
    },
    'test',
  )

const asked: fc.Arbitrary<ListInput> = fc.record({
  sort: fc.constantFrom(...SORTS),
  sortOrder: fc.constantFrom(0, 1),
  rowsAfter: fc.nat(70),
  rowsCount: fc.integer({ min: 1, max: 70 }),
  maxCount: fc.integer({ min: 1, max: 70 }),
  state: fc.constantFrom(undefined, 0, 1, 5),
  text: fc.constantFrom(undefined, 'n', 'n1', '2', 'nothing'),
})

test('a page is what sorting all rows in memory would show there', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async (query) => {
      const { totalCount, items } = await byDatabase(query).page()
      const shown = items.map(({ idx, name, state, expireDT }) => ({ idx, name, state, expireDT }))
      expect({ totalCount, items: shown }).toEqual(inMemory(query))
    }),
    { numRuns: 150 },
  )
})

test('a constant list is the same whether its statement is built for the first time or not', async () => {
  const first = { rowsAfter: 0, rowsCount: 25, maxCount: 10_000 } as const
  const filters = SORTS.flatMap((sort) =>
    ([0, 1] as const).flatMap((sortOrder) => [undefined, 0, 2].map((state) => ({ ...first, sort, sortOrder, state }))),
  )
  for (const _round of [1, 2]) {
    for (const query of filters.flatMap((filter) => [filter, { ...filter, rowsAfter: 25, maxCount: 7 }])) {
      const { totalCount, items } = await named(query).page()
      const shown = items.map(({ idx, name, state, expireDT }) => ({ idx, name, state, expireDT }))
      expect({ totalCount, items: shown }).toEqual(inMemory({ ...query, text: undefined }))
    }
  }
  // The first pages once, the others each time.
  expect(built).toBe(3 * filters.length)
  const all60 = { ...first, sort: 'name', sortOrder: 0, state: undefined } as const
  expect(await all(named(all60).batches(db.streams))).toEqual(inMemory({ ...all60, text: undefined }).items)
})

test.each([false, true])('a statement with the value of a call is not kept, prepared: %s', async (isPlannedOnce) => {
  const paging = { rowsAfter: 0, rowsCount: 25, maxCount: 10_000, sortOrder: 0 } as const
  const ofState = (state: number) => {
    const matches = db.read.selectFrom('users').select(['idx', 'state']).where('state', '=', state)
    const build = () => ({ matches, sorts: { idx: sql.ref('idx') }, isPlannedOnce })
    return listOf(db.read, paging, build, `narrowed ${isPlannedOnce}`).page()
  }
  for (const state of [1, 2, 1]) {
    const { items } = await ofState(state)
    expect(items.map((row) => row.state)).toEqual(Array.from({ length: 20 }, () => state))
  }
})

async function all<T>(batches: AsyncIterable<T[]>): Promise<T[]> {
  const items: T[] = []
  for await (const batch of batches) items.push(...batch)
  return items
}

async function* textsOf(list: List<unknown>) {
  for await (const { rows } of list.texts?.(db.streams) ?? []) yield rows
}

test('a stream holds the same rows, whatever maxCount says', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async (query) => {
      const streamed = await all(byDatabase(query).batches(db.streams))
      expect(streamed).toEqual(inMemory(query).items)
      const texts = await all(textsOf(byDatabase(query)))
      expect(texts).toEqual(streamed.map(({ idx, name, state, expireDT }) => [`${idx}`, name, `${state}`, expireDT]))
    }),
    { numRuns: 50 },
  )
})

test('a stream of many rows is fetched bit by bit, and gives its connection back when it is left early', async () => {
  const matches = db.read
    .selectFrom('users as a')
    .crossJoin('users as b')
    .select(['a.idx', sql<number>`b.idx`.as('other')])
  const paging = { rowsAfter: 0, rowsCount: 10_000, maxCount: 1, sortOrder: 0 } as const
  const list = mapList(
    listOf(db.read, paging, () => ({ matches, sorts: { idx: sql`(a.idx, b.idx)` } })),
    ({ idx }) => idx,
  )
  expect(await all(list.batches(db.streams))).toHaveLength(rows.length ** 2)
  // More often than there are connections.
  for (let i = 0; i < 12; i++) {
    for await (const idxes of list.batches(db.streams)) {
      expect(idxes[0]).toBe(rows[0]?.idx)
      break
    }
  }
})
