// Which rows an actor reaches. Administrators reach all, others the groups that their authorities cover with the
// required level, and all groups below them. The same statement evaluates this, so a right counts at the
// moment of use. A group outside of the scope is treated as if it did not exist.
import { ROOT_GROUP } from '@acc/contract/groups'
import { type Level, type Page, Role } from '@acc/contract/labels/access'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reader, Tx } from '../db/open.ts'
import { executePrepared } from '../db/statement.ts'
import { requireAll } from './errors.ts'
import { groupsGranted, isMember } from './grants.ts'

/** Narrows a query to the rows whose group the actor reaches. */
export type Scope = (groupIdx: Expression<number | null>) => Expression<SqlBool>

/** The person whose rights are checked. */
export type Viewer = { idx: number; role: Role; isSubstitute: boolean }

/** Comparing each path with more groups than these costs more than looking up each group on it. */
const FEW_GRANTS = 50

/**
 * Whether a group `g` is covered. Few groups are compared with its path by the index on paths. For thousands, the
 * groups of each path are looked up instead: the comparison would take the square of their number. With `is true`,
 * PostgreSQL looks them up in a hash that it builds once; otherwise it may read all of them for each group. `<> 0` is
 * estimated, unlike a bare condition, as nearly always true, so the plan begins with the first part.
 */
const isCovered = (granted: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`
  g.path && (
    select case when count(*) <= ${FEW_GRANTS} then array_agg("groupIdx") else array[${ROOT_GROUP}::bigint] end
    from ${granted} named)
  and (
    (select count(*) <= ${FEW_GRANTS} from ${granted} named)
    or exists (select from unnest(g.path) as above(idx) where (above.idx in ${granted}) is true)
  )::int <> 0`

/** Groups that a scope is looked up among, each with its `idx` and `path`. */
type Among = RawBuilder<unknown>
export const GROUPS: Among = sql`groups`
/** Deleted groups too, at the place of their heirs: histories keep their idxes. */
export const GROUPS_EVER: Among = sql`(
  select idx, path from groups
  union all
  select d.idx, heir.path from "deletedGroups" d join groups heir on heir.idx = d."heirIdx")`

/** Every row, for callers that have checked the right. */
export const EVERYWHERE: Scope = () => sql<SqlBool>`true`

/** What has a group, for those who cover all groups: rows without one are for administrators only. */
export const OF_ANY_GROUP: Scope = (groupIdx) => sql<SqlBool>`${groupIdx} is not null`

/** Whether a scope covers all groups. */
export const isUnbounded = (scope: Scope): boolean => scope === EVERYWHERE || scope === OF_ANY_GROUP

/** What any of several scopes reaches. */
export const anyOf =
  (scopes: readonly Scope[]): Scope =>
  (groupIdx) =>
    sql<SqlBool>`(${sql.join(
      scopes.map((scope) => scope(groupIdx)),
      sql` or `,
    )})`

/** The scope of an actor on a page at a level. */
export const scopeOf = (actor: Viewer, page: Page, level: Level, among: Among = GROUPS): Scope =>
  actor.role === Role.ADMIN
    ? EVERYWHERE
    : (groupIdx) => sql<SqlBool>`${groupIdx} in (
        select g.idx from ${among} g where ${isCovered(groupsGranted(actor, page, level))})`

type NamedRows = { groupIdxes?: readonly number[]; userIdxes?: readonly number[] }

/** Ends the call with NOT_ALLOWED unless the actor reaches every named group and user with the level. */
export async function requireInScope(
  db: Reader,
  actor: Viewer,
  page: Page,
  level: Level,
  { groupIdxes = [], userIdxes = [] }: NamedRows,
): Promise<void> {
  const scope = scopeOf(actor, page, level)
  if (groupIdxes.length > 0) requireAll(groupIdxes, await groupsIn(db, scope, groupIdxes).execute())
  if (userIdxes.length > 0) requireAll(userIdxes, await usersIn(db, scope, userIdxes).execute())
}

/** The same for a change: also locks the rows, so that they do not move until the transaction ends. */
export async function lockInScope(
  tx: Tx,
  actor: Viewer,
  page: Page,
  level: Level,
  { groupIdxes = [], userIdxes = [] }: NamedRows,
): Promise<void> {
  const scope = scopeOf(actor, page, level)
  const groups = groupsIn(tx, scope, groupIdxes).orderBy('groups.idx').forShare()
  if (groupIdxes.length > 0) requireAll(groupIdxes, await groups.execute())
  const users = usersIn(tx, scope, userIdxes).orderBy('users.idx').forNoKeyUpdate()
  if (userIdxes.length > 0) requireAll(userIdxes, await users.execute())
}

/** Finds the named users within reach, to lock them together with the actor (core/change.ts). */
export async function findInScope(
  tx: Tx,
  actor: Viewer,
  page: Page,
  level: Level,
  userIdxes: readonly number[],
): Promise<number[]> {
  const users = userIdxes.length === 0 ? [] : await usersIn(tx, scopeOf(actor, page, level), userIdxes).execute()
  return users.map(({ idx }) => idx)
}

const groupsIn = (db: Reader | Tx, scope: Scope, idxes: readonly number[]) =>
  db
    .selectFrom('groups')
    .select('groups.idx')
    .where('groups.idx', '=', sql<number>`any(${idxes})`)
    .where((eb) => scope(eb.ref('groups.idx')))

const usersIn = (db: Reader | Tx, scope: Scope, idxes: readonly number[]) =>
  db
    .selectFrom('users')
    .select('users.idx')
    .where('users.idx', '=', sql<number>`any(${idxes})`)
    .where((eb) => scope(eb.ref('users.groupIdx')))

/**
 * Whether a user outranks a manager: a system administrator, or another member of an authority. An authority without
 * groups counts too: a stolen account would have its rights as soon as a group is added.
 */
export const outranksManager = (viewer: Viewer): RawBuilder<SqlBool> =>
  sql<SqlBool>`(users.idx <> ${viewer.idx} and (users."isAdmin" = 1 or ${isMember(sql.ref('users.idx'))}))`

/** Whether a viewer's reach includes a group. */
export const isReached = async (db: Reader | Tx, scope: Scope, groupIdx: number): Promise<boolean> =>
  (await groupsIn(db, scope, [groupIdx]).executeTakeFirst()) !== undefined

/** Whether a user outranks the viewer, who is no system administrator. */
export async function isStronger(db: Reader, viewer: Viewer, userIdx: number): Promise<boolean> {
  const query = db.selectFrom('users').select('users.idx').where('users.idx', '=', userIdx)
  return (await query.where(outranksManager(viewer)).executeTakeFirst()) !== undefined
}

/** Maximum number of groups that are looked up by the index on the group. More are a filter on the remaining rows. */
const FEW_GROUPS = 300

/** The rows of some groups, for lists over millions of rows: PostgreSQL looks each row's group up in a hash of them. */
export const ofGroups = (idxes: readonly number[]): Scope =>
  idxes.length <= FEW_GROUPS
    ? (groupIdx) => sql`${groupIdx} = any(${idxes}::bigint[])`
    : // Not the bare column: its index is what leads through ten thousand groups one by one.
      (groupIdx) => sql`(${groupIdx} + 0) = any(${idxes}::bigint[])`

/** Whether a group with this path is one of some groups or below one. */
export const isBelow = (path: RawBuilder<unknown>, idxes: readonly number[]): RawBuilder<SqlBool> =>
  idxes.length <= FEW_GRANTS
    ? sql`${path} && ${idxes}::bigint[]`
    : sql`exists (select from unnest(${path}) as above(idx) where above.idx = any(${idxes}::bigint[]))`

/** Groups of an actor: those that the authorities name, and those that they cover. */
type Coverage = { granted: number[]; covered: number[] }

/**
 * Finds the groups that the actor's authorities name, up to one more than are compared with each path, and the groups
 * that they cover. Returns no covered groups if all are covered or too many are named. Prepared: planning takes longer
 * than reading, for every actor.
 */
async function findCoverage(db: Reader, actor: Viewer, page: Page, level: Level, among: Among): Promise<Coverage> {
  const query = db
    .selectFrom(
      // Aggregated, so that it is evaluated once for both columns.
      sql<{ granted: number[] }>`(
        select coalesce(array_agg("groupIdx"), '{}') as granted
        from (select distinct "groupIdx" from ${groupsGranted(actor, page, level)} one limit ${sql.lit(FEW_GRANTS + 1)}) each)`.as(
        'named',
      ),
    )
    .select([
      'named.granted',
      sql<number[]>`array(
        select g.idx from ${among} g
        where g.path && named.granted and cardinality(named.granted) <= ${sql.lit(FEW_GRANTS)}
          and ${sql.lit(ROOT_GROUP)} <> all(named.granted))`.as('covered'),
    ])
  const [coverage = { granted: [], covered: [] }] = await executePrepared(db, query.compile())
  return coverage
}

/** Finds the groups that a scope covers. */
async function findCovered(db: Reader, scope: Scope, among: Among): Promise<number[]> {
  const rows = await db
    .selectFrom(sql<{ idx: number }>`${among}`.as('g'))
    .select('g.idx')
    .where((eb) => scope(eb.ref('g.idx')))
    .execute()
  return rows.map(({ idx }) => idx)
}

/**
 * Returns this scope for lists over millions of rows. PostgreSQL cannot estimate how many groups a manager covers: a
 * wrong plan takes seconds, and looks them up once for each partition. So the groups are found first.
 */
export async function scopeForLargeLists(
  db: Reader,
  actor: Viewer,
  page: Page,
  level: Level,
  among = GROUPS,
): Promise<Scope> {
  const scope = scopeOf(actor, page, level, among)
  if (actor.role === Role.ADMIN) return scope
  const { granted, covered } = await findCoverage(db, actor, page, level, among)
  if (granted.includes(ROOT_GROUP)) return OF_ANY_GROUP
  return ofGroups(granted.length > FEW_GRANTS ? await findCovered(db, scope, among) : covered)
}
