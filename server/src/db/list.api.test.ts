// Paging by the database against sorting in memory.
import type { Paging } from '@acc/contract/core/paging'
import fc from 'fast-check'
import { type SqlBool, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildUser } from '../../test/build/users.ts'
import { createTestDatabase } from '../../test/database.ts'
import { filterBy } from './filters.ts'
import { listOf, mapList, searchedIn } from './list.ts'
import { openDatabase } from './open.ts'
import { contains, nameContains } from './search.ts'

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
  const sorts = { idx: sql.ref('idx'), name: sql.ref('name'), state: sql.ref('state'), expireDT: sql.ref('expireDT') }
  const searchIn = text === undefined ? undefined : searchedIn('users', [text])
  const [middle] = rows.slice(rows.length / 3)
  const parts = [sql<SqlBool>`idx >= ${middle?.idx}`, sql<SqlBool>`idx < ${middle?.idx}`]
  const inOrder = paging.sortOrder === 1 ? parts : parts.toReversed()
  return listOf(db.read, paging, { matches, sorts, searchIn, parts: paging.sort === 'idx' ? inOrder : [] })
}

const inputs: fc.Arbitrary<ListInput> = fc.record({
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
    fc.asyncProperty(inputs, async (query) => {
      const { totalCount, items } = await byDatabase(query).page()
      const shown = items.map(({ idx, name, state, expireDT }) => ({ idx, name, state, expireDT }))
      expect({ totalCount, items: shown }).toEqual(inMemory(query))
    }),
    { numRuns: 150 },
  )
})

async function all<T>(batches: AsyncIterable<T[]>): Promise<T[]> {
  const items: T[] = []
  for await (const batch of batches) items.push(...batch)
  return items
}

test('a stream has the same rows for every maxCount', async () => {
  await fc.assert(
    fc.asyncProperty(inputs, async (query) => {
      expect(await all(byDatabase(query).batches(db.streams))).toEqual(inMemory(query).items)
    }),
    { numRuns: 50 },
  )
})

type UserQuery = Paging<'idx'> & { filterType: 0 | 1; name?: string; id?: string; state?: number }
const PAGE = { rowsAfter: 0, rowsCount: 100, maxCount: 100, sortOrder: 0 } as const
const TEXTS = {
  name: (text: string) => nameContains('users.name', text),
  id: (text: string) => contains('users.id', text),
}

test('one text of the box is enough or all of them must match; other filters must match, empty texts count for nothing', async () => {
  const found = async (query: Omit<UserQuery, keyof Paging>) => {
    const { condition } = filterBy<UserQuery, 'name' | 'id'>({ ...PAGE, ...query }, TEXTS, {
      state: (state) => sql`users.state = ${state}`,
    })
    return db.read.selectFrom('users').select(['name', 'state']).where(condition).execute()
  }
  const isFirst = ({ name }: { name: string }) => name === 'n1'
  const ofFirst = rows.filter(isFirst)
  expect(await found({ filterType: 0, name: 'n1', id: 'nobody' })).toHaveLength(ofFirst.length)
  expect(await found({ filterType: 1, name: 'n1', id: 'nobody' })).toEqual([])
  expect(await found({ filterType: 0, name: 'n1', id: '' })).toHaveLength(ofFirst.length)
  expect(await found({ filterType: 0, name: 'n1', state: 2 })).toHaveLength(
    ofFirst.filter(({ state }) => state === 2).length,
  )
  expect(await found({ filterType: 0 })).toHaveLength(rows.length)
})

test('a filter or a sort of the query that is forgotten does not compile', () => {
  const query: UserQuery = { ...PAGE, filterType: 0 }
  // @ts-expect-error state
  filterBy(query, TEXTS, {})
  // @ts-expect-error name
  filterBy(query, { id: TEXTS.id }, { state: null })
  const matches = db.read.selectFrom('users').select('idx')
  // @ts-expect-error name
  listOf(db.read, { ...PAGE, sort: 'name' }, { matches, sorts: { idx: sql.ref('idx') } })
})

test('a stream of many rows is fetched bit by bit, and gives its connection back when it is left early', async () => {
  const matches = db.read
    .selectFrom('users as a')
    .crossJoin('users as b')
    .select(['a.idx', sql<number>`b.idx`.as('other')])
  const paging = { rowsAfter: 0, rowsCount: 10_000, maxCount: 1, sortOrder: 0 } as const
  const list = mapList(listOf(db.read, paging, { matches, sorts: { idx: sql`(a.idx, b.idx)` } }), ({ idx }) => idx)
  expect(await all(list.batches(db.streams))).toHaveLength(rows.length ** 2)
  // More often than there are connections.
  for (let i = 0; i < 12; i++) {
    for await (const idxes of list.batches(db.streams)) {
      expect(idxes[0]).toBe(rows[0]?.idx)
      break
    }
  }
})

test('a first page without texts is planned once, others at each call', async () => {
  const one = openDatabase(database.connection, { warn: () => undefined }, 1)
  const sorts = { idx: sql.ref('idx') }
  const ofName = rows.filter(({ name }) => name === 'n1').length
  const pageOf = (name: string | undefined, rowsAfter: number) => {
    const matches = one.read
      .selectFrom('users')
      .select(['idx', 'name'])
      .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    return listOf(one.read, { ...PAGE, rowsAfter, maxCount: 50 }, { matches, sorts }).page()
  }
  for (let i = 0; i < 3; i++) {
    expect((await pageOf(undefined, 0)).items).toHaveLength(rows.length)
    expect((await pageOf(undefined, 50)).items).toHaveLength(rows.length - 50)
    expect((await pageOf('n1', 0)).items).toHaveLength(ofName)
  }
  const { rows: prepared } = await sql<{ plans: number }>`
    select (generic_plans + custom_plans)::int as plans from pg_prepared_statements`.execute(one.read)
  expect(prepared).toEqual([{ plans: 3 }])
  await one.close()
})
