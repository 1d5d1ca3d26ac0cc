// Who can decide a waiting request now, or review an urgent export, and which ones nobody can decide
// (docs/decisions/30-approval.md).
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { substitutions } from '../../core/grants.ts'
import type { Reader } from '../../db/open.ts'
import { compiledOnce } from '../../db/statement.ts'
import { isUsable } from '../credentials/accountStates.ts'
import { holders, isDecided, isInvolved, isToReview } from './requestSteps.queries.ts'

type Day = string | Expression<string>

/** As `isOfOthers`, by the substitutes that a statement has found. */
const isOfOthersThan = (person: RawBuilder<unknown>) => sql<SqlBool>`(
  "fileEximports"."requesterIdx" = ${person}
  or (${person}, "fileEximports"."requesterIdx") in (select idx, "forIdx" from substitutes)) is not true`

/**
 * The people who can decide a request now: a statement of `idx` and `forIdx`, the person whose right they use. `today`
 * decides who has expired. Needs the parts of `withPeople`.
 */
const deciders = (today: Day) => sql`(
  select v.idx, v.name, pair."forIdx"
  from (
    select a.idx, a.idx as "forIdx" from admins a where "fileEximports".step = 1
    union all
    select person.idx, h.idx as "forIdx" from ${holders} h cross join lateral (
      select h.idx union all select s.idx from substitutes s where s."forIdx" = h.idx) person
  ) pair join users v on v.idx = pair.idx
  where ${isUsable('v', today)} and ${isOfOthersThan(sql.ref('v.idx'))}
    and not ${isInvolved(sql.ref('v.idx'), sql.ref('pair.forIdx'))})`

/** Finds administrators and substitutes once for a statement. */
const withPeople = (db: Reader, today: Day) =>
  db
    .with(
      (cte) => cte('admins').materialized(),
      () => sql<{ idx: number; isActive: boolean }>`(
        select idx, ${isUsable('users', today)} as "isActive" from users where "isAdmin" = 1)`,
    )
    .with(
      (cte) => cte('substitutes').materialized(),
      () => sql<{ idx: number; forIdx: number }>`${substitutions(today)}`,
    )

/** Each person who can decide a request now, managers first, and in whose right. */
const eachDecider = (db: Reader, idx: number, today: string) =>
  withPeople(db, today)
    .selectFrom('fileEximports')
    .innerJoinLateral(
      sql<{ idx: number; name: string; forName: string | null; isAdmin: boolean }>`(
        select distinct on (d.idx) d.idx, d.name, case when d."forIdx" <> d.idx then p.name end as "forName",
          d.idx in (select idx from admins) as "isAdmin"
        from ${deciders(today)} d join users p on p.idx = d."forIdx"
        order by d.idx, d."forIdx" <> d.idx, d."forIdx")`.as('one'),
      (join) => join.onTrue(),
    )
    .where('fileEximports.idx', '=', idx)
    .where(isDecided)
    .orderBy('one.isAdmin')
    .orderBy(sql`one.name collate people`)
    .orderBy('one.idx')

/** Finds who can decide a request now: the first ones by name, and the number of all. */
export async function findDeciders(db: Reader, idx: number, today: string, limit: number) {
  const rows = await eachDecider(db, idx, today)
    .select(['one.name', 'one.forName', sql<number>`count(*) over ()`.as('count')])
    .limit(limit)
    .execute()
  return { count: rows[0]?.count ?? 0, people: rows.map(({ name, forName }) => ({ name, forName })) }
}

/** Finds the addresses of everybody who can decide a request now. */
export const findDeciderAddresses = (db: Reader, idx: number, today: string) =>
  eachDecider(db, idx, today)
    .innerJoin('users', 'users.idx', 'one.idx')
    .select(['users.name', 'users.email'])
    .where('users.email', '<>', '')
    .execute()

// Prepared: planning takes half as long as reading. In a subquery, the day does not count in the planner's estimate;
// otherwise PostgreSQL would plan the statement for each value.
const selectUndecidable = compiledOnce((db, day: Expression<string>) => {
  const today = sql<string>`(select ${day}::date)`
  // Thousands wait for step 1, which administrators decide, except requests of their own or of people they act for.
  const isBeyondAdmins = sql<SqlBool>`(step > 1 or not exists (select from admins where "isActive")
    or "requesterIdx" = any(array(select idx from admins union all select "forIdx" from substitutes)))`
  return withPeople(db, today)
    .selectFrom('fileEximports')
    .select('fileEximports.idx')
    .where(sql<SqlBool>`("waitDT" is not null or ${isToReview})`)
    .where(isBeyondAdmins)
    .where(sql<SqlBool>`not exists (select from ${deciders(today)} d)`)
    .orderBy('fileEximports.idx')
})

/** Finds the requests that wait, or are to be reviewed, and that nobody can decide. */
export const findUndecidable = async (db: Reader, today: string): Promise<number[]> =>
  (await selectUndecidable(db, today)).map(({ idx }) => idx)
