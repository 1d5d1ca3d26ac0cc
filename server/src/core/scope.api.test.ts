// A planned scope lets through what the scope itself does, however many groups it covers.
import { Role } from '@acc/contract/labels/access'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { buildAuthority, buildManager } from '../../test/build/authorities.ts'
import { buildGroups } from '../../test/build/groups.ts'
import { buildUser } from '../../test/build/users.ts'
import { GROUPS_EVER, scopeForLargeLists, scopeOf } from './scope.ts'

const { app, admin } = await startTestApp()
const { db } = app
const { sales, rnd } = await buildGroups(db, 'sales', 'rnd')
/** Many groups below one, and a person in each of all groups. */
const addTeams = (parent: { idx: number }, count: number) =>
  sql`insert into groups (idx, "parentIdx", name, key, path, position)
    select idx * 1000 + i, idx, 'team ' || i, idx || '-' || i, path || idx * 1000 + i, i
    from groups, generate_series(1, ${count}::int) i where idx = ${parent.idx}`.execute(db.write)
await addTeams(sales, 600)
await addTeams(rnd, 5)
await addTeams({ idx: sales.idx * 1000 + 7 }, 3)
await sql`insert into users (id, name, email, "groupIdx", key)
  select 'member' || idx, 'x', 'member' || idx, idx, 'member' || idx from groups`.execute(db.write)

/** Which of some numbers a scope over histories lets through, as it is and planned. */
async function reachedEver(actor: { idx: number }, idxes: number[]): Promise<number[][]> {
  const manager = { idx: actor.idx, role: Role.MANAGER, isSubstitute: false }
  const scope = scopeOf(manager, 'log', 1, GROUPS_EVER)
  const scopes = [scope, await scopeForLargeLists(db.read, manager, 'log', 1, GROUPS_EVER)]
  return Promise.all(
    scopes.map(async (one) => {
      const rows = db.read.selectFrom(sql<{ idx: number }>`(select unnest(${idxes}::bigint[]) as idx)`.as('row'))
      const found = await rows
        .selectAll()
        .where((eb) => one(eb.ref('row.idx')))
        .orderBy('idx')
        .execute()
      return found.map(({ idx }) => idx)
    }),
  )
}

async function reached(person: { idx: number; role: Role }): Promise<number[][]> {
  const actor = { ...person, isSubstitute: false }
  const scope = scopeOf(actor, 'log', 1)
  const scopes = [scope, await scopeForLargeLists(db.read, actor, 'log', 1)]
  return Promise.all(
    scopes.map(async (one) => {
      const query = db.read
        .selectFrom('users')
        .select('idx')
        .where((eb) => one(eb.ref('users.groupIdx')))
      return (await query.orderBy('idx').execute()).map(({ idx }) => idx)
    }),
  )
}

test.each([
  ['nothing', []],
  ['few groups', [rnd]],
  ['many groups', [sales]],
  ['all of them', [{ idx: 1 }]],
])('%s', async (_what, groups) => {
  const manager = await buildManager(db, { groups, log: 1 })
  await buildAuthority(db, { groups: [sales, rnd], users: [manager], user: 2 })
  const [plain, planned] = await reached({ idx: manager.idx, role: Role.MANAGER })
  expect(planned).toEqual(plain)
  expect(plain?.length === 0).toBe(groups.length === 0)
})

test('more groups named than are compared one by one: those and what lies below them', async () => {
  const teams = await db.read.selectFrom('groups').select('idx').where('parentIdx', '=', sales.idx).execute()
  const manager = await buildManager(db, { groups: teams, log: 1 })
  const [plain, planned] = await reached({ idx: manager.idx, role: Role.MANAGER })
  const { rows } = await sql<{ idx: number }>`
    select u.idx from users u join groups g on g.idx = u."groupIdx"
    where ${sales.idx}::bigint = any(g.path) and g.idx <> ${sales.idx} order by u.idx`.execute(db.read)
  expect(plain).toEqual(rows.map(({ idx }) => idx))
  expect(planned).toEqual(plain)
  expect(plain).toHaveLength(603)
})

test('the history of a deleted group is read by those who cover its heir', async () => {
  const [ofSales, ofTeam, ofRnd] = [9_000_001, 9_000_002, 9_000_003]
  const heirs = [
    { idx: ofSales, heirIdx: sales.idx },
    { idx: ofTeam, heirIdx: sales.idx * 1000 + 7 },
    { idx: ofRnd, heirIdx: rnd.idx },
  ]
  await db.write.insertInto('deletedGroups').values(heirs).execute()
  const rows = [sales.idx, rnd.idx, ofSales, ofTeam, ofRnd, 9_000_004]
  const few = await buildManager(db, { groups: [rnd], log: 1 })
  expect(await reachedEver(few, rows)).toEqual(Array(2).fill([rnd.idx, ofRnd]))
  const many = await buildManager(db, { groups: [sales], log: 1 })
  expect(await reachedEver(many, rows)).toEqual(Array(2).fill([sales.idx, ofSales, ofTeam]))
  const team = await buildManager(db, { groups: [{ idx: sales.idx * 1000 + 7 }], log: 1 })
  expect(await reachedEver(team, rows)).toEqual(Array(2).fill([ofTeam]))
})

test('an administrator reaches everybody', async () => {
  await buildUser(db)
  const [plain, planned] = await reached({ idx: admin.idx, role: Role.ADMIN })
  expect(planned).toEqual(plain)
  expect(planned?.length).toBeGreaterThan(327)
})

test('thousands of named groups are looked up in one hash, not read for each group', async () => {
  const rows = db.read.selectFrom('groups').select('groups.idx')
  const plan = await rows
    .where((eb) => scopeOf({ idx: admin.idx, role: Role.MANAGER, isSubstitute: false }, 'log', 1)(eb.ref('groups.idx')))
    .explain('json')
  expect(JSON.stringify(plan)).toContain('hashed SubPlan')
})
