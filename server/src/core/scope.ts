// Which rows an actor reaches: everything for a system administrator, else the groups that the actor's authorities cover
// with the asked level, and all below them. Evaluated by the database in the very statement, so that a right counts at
// the moment of use (design, section 3). A group outside answers as if it did not exist.
import { type Level, type Page, Role } from '@acc/contract/core/access'
import { ROOT_GROUP } from '@acc/contract/groups'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reader, Tx } from '../db/open.ts'
import { fail } from './errors.ts'

/** Narrows a query to the rows whose group the actor reaches. */
export type Scope = (groupIdx: Expression<number | null>) => Expression<SqlBool>

/** The person whose reach is asked for: an actor, or the reader of a list. */
export type Viewer = { idx: number; role: Role }

/** The column of `authorities` that a page's level stands in. */
const levelColumn = (page: Page) => sql.ref(`a.${page}`)

/** The groups that the actor's authorities name with the level; what lies below them is covered too. */
const grantedTo = (actor: Viewer, page: Page, level: Level): RawBuilder<unknown> => sql`(
  select ag."groupIdx"
  from "authorityUsers" au
  join authorities a on a.idx = au."authorityIdx"
  join "authorityGroups" ag on ag."authorityIdx" = a.idx
  where au."userIdx" = ${actor.idx} and ${levelColumn(page)} >= ${level})`

/** Comparing each path with more groups than these costs more than looking up each group on it. */
const FEW_GRANTS = 300

/**
 * Whether a group `g` is covered. Few groups are compared with its path, which the index on paths can do. With thousands that
 * would take the square of their number, so that then every path, all of which hold the root, has its groups looked up.
 * `<> 0` rather than a bare condition: PostgreSQL takes that for nearly always true, so the first part alone leads the plan.
 */
const isCovered = (granted: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`
  g.path && (
    select case when count(*) <= ${FEW_GRANTS} then array_agg("groupIdx") else array[${ROOT_GROUP}::bigint] end
    from ${granted} named)
  and (
    (select count(*) <= ${FEW_GRANTS} from ${granted} named)
    or exists (select from unnest(g.path) as above(idx) where above.idx in ${granted})
  )::int <> 0`

/** Groups that a scope is looked up among, each with its `idx` and `path`. */
export type Among = RawBuilder<unknown>
export const GROUPS: Among = sql`groups`
/** Deleted ones too, which stand where their people went: histories keep their numbers. */
export const GROUPS_EVER: Among = sql`(
  select idx, path from groups
  union all
  select d.idx, heir.path from "deletedGroups" d join groups heir on heir.idx = d."heirIdx")`

/** Every row: for callers that have asked for the right already. */
export const EVERYWHERE: Scope = () => sql<SqlBool>`true`

/** The scope of an actor on a page at a level. */
export const scopeOf =
  (actor: Viewer, page: Page, level: Level, among: Among = GROUPS): Scope =>
  (groupIdx) =>
    actor.role === Role.ADMIN
      ? EVERYWHERE(groupIdx)
      : sql<SqlBool>`${groupIdx} in (
          select g.idx from ${among} g where ${isCovered(grantedTo(actor, page, level))})`

type Named = { groupIdxes?: readonly number[]; userIdxes?: readonly number[] }

/**
 * All or nothing: ends the call with NOT_ALLOWED unless every named group and user exists and the actor reaches it with
 * the level. Given a transaction it also holds those rows against moving until the transaction ends.
 */
export async function requireInScope(
  db: Reader | Tx,
  actor: Viewer,
  page: Page,
  level: Level,
  named: Named,
): Promise<void> {
  const scope = scopeOf(actor, page, level)
  const { groupIdxes = [], userIdxes = [] } = named
  const groups = groupIdxes.length === 0 ? 0 : await countGroups(db, scope, groupIdxes)
  const users = userIdxes.length === 0 ? 0 : await countUsers(db, scope, userIdxes)
  if (groups !== new Set(groupIdxes).size || users !== new Set(userIdxes).size) fail('NOT_ALLOWED')
}

const isTx = (db: Reader | Tx): db is Tx => 'isTransaction' in db && db.isTransaction

async function countGroups(db: Reader | Tx, scope: Scope, idxes: readonly number[]): Promise<number> {
  const query = db
    .selectFrom('groups')
    .select('groups.idx')
    .where('groups.idx', '=', sql<number>`any(${idxes})`)
    .where((eb) => scope(eb.ref('groups.idx')))
  const rows = await (isTx(db) ? query.orderBy('groups.idx').forShare() : query).execute()
  return rows.length
}

async function countUsers(db: Reader | Tx, scope: Scope, idxes: readonly number[]): Promise<number> {
  const query = db
    .selectFrom('users')
    .select('users.idx')
    .where('users.idx', '=', sql<number>`any(${idxes})`)
    .where((eb) => scope(eb.ref('users.groupIdx')))
  const rows = await (isTx(db) ? query.orderBy('users.idx').forNoKeyUpdate() : query).execute()
  return rows.length
}

/** Ends the call with SELF_ACTION where the actor is among the named users. */
export function requireOthers(actor: Viewer, userIdxes: readonly number[]): void {
  if (userIdxes.includes(actor.idx)) fail('SELF_ACTION')
}

/**
 * No climbing (design, section 3): a manager never changes a system administrator nor another holder of an authority.
 * Only a system administrator may. Ends the call with NOT_ALLOWED otherwise.
 */
export async function requireRank(db: Reader | Tx, actor: Viewer, userIdxes: readonly number[]): Promise<void> {
  if (actor.role === Role.ADMIN) return
  const stronger = await db
    .selectFrom('users')
    .select('users.idx')
    .where('users.idx', '=', sql<number>`any(${userIdxes})`)
    .where('users.idx', '!=', actor.idx)
    .where((eb) =>
      eb.or([
        eb('users.isAdmin', '=', 1),
        eb.exists(eb.selectFrom('authorityUsers as au').select('au.userIdx').whereRef('au.userIdx', '=', 'users.idx')),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  if (stronger !== undefined) fail('NOT_ALLOWED')
}
