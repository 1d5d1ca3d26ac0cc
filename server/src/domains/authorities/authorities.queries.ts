// Authorities as rows, with the groups that they cover and their members.
import type { authorities } from '@acc/contract/authorities'
import type { StoredEnd } from '@acc/contract/ends'
import { type GroupAuthority, MAX_LISTED_MANAGERS, type Removal } from '@acc/contract/groups'
import { RequestState } from '@acc/contract/labels/requests'
import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { momentJson } from '../../core/ends.ts'
import { isManager } from '../../core/grants.ts'
import { USER_SORTS, USER_TEXTS } from '../../core/userSearch.ts'
import { filterBy } from '../../db/filters.ts'
import { type List, listOf, searchedIn } from '../../db/list.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { Authorities } from '../../db/schema.gen.ts'

export type AuthorityRow = Selectable<Authorities>
export type Columns = Pick<
  AuthorityRow,
  'name' | 'description' | 'policy' | 'user' | 'fileImportApprove' | 'fileExportApprove' | 'log'
>
export type CoveredGroup = { idx: number; name: string; key: string; path: string[] }
export type Member = {
  idx: number
  id: string
  name: string
  email: string
  groupName: string
  state: number
  expireDT: string | null
}

export type EndingMember = Member & StoredEnd

export const findAuthorities = (db: Reader) =>
  db
    .selectFrom('authorities')
    .select(['idx', 'name'])
    .select([
      sql<number>`(select count(*) from "authorityUsers" au where au."authorityIdx" = authorities.idx)`.as('userCount'),
      sql<number>`(select count(*) from "authorityGroups" ag where ag."authorityIdx" = authorities.idx)`.as(
        'groupCount',
      ),
    ])
    .orderBy(sql`name collate people`)
    .execute()

const selectAuthority = (db: Reader, idx: number) => db.selectFrom('authorities').selectAll().where('idx', '=', idx)

export const findAuthority = (db: Reader, idx: number): Promise<AuthorityRow | undefined> =>
  selectAuthority(db, idx).executeTakeFirst()

/** Locks the authority against other changes until the transaction ends. */
export const findAuthorityForUpdate = (tx: Tx, idx: number): Promise<AuthorityRow | undefined> =>
  selectAuthority(tx, idx).forUpdate().executeTakeFirst()

const lockAuthorities = (tx: Tx, idxes: RawBuilder<unknown>): Promise<AuthorityRow[]> =>
  tx.selectFrom('authorities').selectAll().where(sql<boolean>`idx in ${idxes}`).orderBy('idx').forUpdate().execute()

/** Locks the authorities over a group in the order of their idxes. */
export const lockAuthoritiesOver = (tx: Tx, groupIdx: number): Promise<AuthorityRow[]> =>
  lockAuthorities(tx, sql`(select "authorityIdx" from "authorityGroups" where "groupIdx" = ${groupIdx})`)

/** Locks the authorities of users in the order of their idxes. */
export const lockAuthoritiesOf = (tx: Tx, userIdxes: readonly number[]): Promise<AuthorityRow[]> =>
  lockAuthorities(tx, sql`(select "authorityIdx" from "authorityUsers" where "userIdx" = any(${userIdxes}))`)

/** Removes a group from every authority. */
export const deleteCoverage = (tx: Tx, groupIdx: number) =>
  tx.deleteFrom('authorityGroups').where('groupIdx', '=', groupIdx).execute()

/** Removes users from every authority. */
export const deleteMemberships = (tx: Tx, userIdxes: readonly number[]) =>
  tx.deleteFrom('authorityUsers').where('userIdx', '=', sql<number>`any(${userIdxes})`).execute()

/** Finds the members of authorities who are no group managers. */
export async function findPowerless(tx: Tx, authorityIdxes: readonly number[]): Promise<number[]> {
  const rows = await tx
    .selectFrom('authorityUsers as member')
    .select('member.userIdx')
    .distinct()
    .where('member.authorityIdx', '=', sql<number>`any(${authorityIdxes})`)
    .where((eb) => sql<boolean>`not ${isManager(eb.ref('member.userIdx'))}`)
    .execute()
  return rows.map(({ userIdx }) => userIdx)
}

const memberColumns = ['users.idx', 'users.id', 'users.name', 'users.email', 'users.state', 'users.expireDT'] as const
const groupName = sql<string>`(select g.name from groups g where g.idx = users."groupIdx")`

export const findMembers = (db: Reader, authorityIdx: number): Promise<EndingMember[]> =>
  db
    .selectFrom('users')
    .innerJoin('authorityUsers', 'authorityUsers.userIdx', 'users.idx')
    .select([...memberColumns, groupName.as('groupName')])
    .select([momentJson('authorityUsers.endDT').as('endDT'), 'authorityUsers.endReason'])
    .where('authorityUsers.authorityIdx', '=', authorityIdx)
    .orderBy(sql`users.name collate people`)
    .orderBy('users.idx')
    .execute()

/** The keys of advisory locks of authorities begin here; the idx is added. */
const AUTHORITY_LOCKS = 4_805_000_000_000

/** Lets one transaction at a time change the members of an authority. Returns them, to be locked before it. */
export async function lockMembership(tx: Tx, authorityIdx: number): Promise<number[]> {
  await sql`select pg_advisory_xact_lock(${AUTHORITY_LOCKS + authorityIdx})`.execute(tx)
  const members = tx.selectFrom('authorityUsers').select('userIdx').where('authorityIdx', '=', authorityIdx)
  return (await members.execute()).map(({ userIdx }) => userIdx)
}

/** Returns the groups of an authority, each with the names from the root down to it. */
export const findCoveredGroups = (db: Reader, authorityIdx: number): Promise<CoveredGroup[]> =>
  db
    .selectFrom('groups')
    .innerJoin('authorityGroups', 'authorityGroups.groupIdx', 'groups.idx')
    .select([
      'groups.idx',
      'groups.name',
      'groups.key',
      sql<string[]>`(select array_agg(above.name order by cardinality(above.path)) from groups above
        where above.idx = any(groups.path))`.as('path'),
    ])
    .where('authorityGroups.authorityIdx', '=', authorityIdx)
    .orderBy(sql`groups.name collate people`)
    .orderBy('groups.idx')
    .execute()

/**
 * Locks users in the order of their idxes. Writes of theirs (core/change.ts) end before their rights change, or begin
 * with the new rights.
 */
export const lockUsers = (tx: Tx, idxes: readonly number[]): Promise<{ idx: number; isAdmin: 0 | 1 }[]> =>
  tx
    .selectFrom('users')
    .select(['idx', 'isAdmin'])
    .where('idx', '=', sql<number>`any(${idxes})`)
    .orderBy('idx')
    .forNoKeyUpdate()
    .execute()

export const insertAuthority = (tx: Tx, columns: Columns): Promise<AuthorityRow> =>
  tx.insertInto('authorities').values(columns).returningAll().executeTakeFirstOrThrow()

export const updateAuthorityRow = (tx: Tx, idx: number, columns: Updateable<Authorities>): Promise<AuthorityRow> =>
  tx
    .updateTable('authorities')
    .set({ ...columns, revision: sql<number>`revision + 1` })
    .where('idx', '=', idx)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Deletes an authority. Foreign keys release its groups and members. */
export const deleteAuthority = async (tx: Tx, idx: number): Promise<void> =>
  void (await tx.deleteFrom('authorities').where('idx', '=', idx).execute())

/** Replaces the rows of an authority in one of its lists. */
async function replaceList(tx: Tx, table: string, column: string, authorityIdx: number, idxes: readonly number[]) {
  const [list, member] = [sql.table(table), sql.ref(column)]
  await sql`delete from ${list} where "authorityIdx" = ${authorityIdx} and not ${member} = any(${idxes})`.execute(tx)
  await sql`insert into ${list} ("authorityIdx", ${member})
    select ${authorityIdx}::bigint, unnest(${idxes}::bigint[]) on conflict do nothing`.execute(tx)
}

/** Replaces the groups that an authority covers. */
export const updateGroups = (tx: Tx, authorityIdx: number, groupIdxes: readonly number[]): Promise<void> =>
  replaceList(tx, 'authorityGroups', 'groupIdx', authorityIdx, groupIdxes)

/** Replaces the members of an authority. */
export const updateMembers = (tx: Tx, authorityIdx: number, userIdxes: readonly number[]): Promise<void> =>
  replaceList(tx, 'authorityUsers', 'userIdx', authorityIdx, userIdxes)

const managerColumns = (from: RawBuilder<unknown>) => sql<GroupAuthority['users']>`(
  select coalesce(json_agg(json_build_object('idx', u.idx, 'id', u.id, 'name', u.name, 'state', u.state)
    order by u.name collate people, u.idx), '[]')
  from (select users.* from ${from} order by users.name collate people, users.idx limit ${sql.lit(MAX_LISTED_MANAGERS)}) u)`

/** Returns the authorities over a group, by name, each with the nearest group that it names and with its people. */
export const findAuthoritiesOver = (db: Reader, groupIdx: number): Promise<GroupAuthority[]> =>
  db
    .selectFrom('authorities')
    .innerJoinLateral(
      sql<{ name: string; idx: number }>`(
        select g.name, g.idx from groups g join "authorityGroups" ag on ag."groupIdx" = g.idx
        where ag."authorityIdx" = authorities.idx
          and g.idx = any(array(select unnest(path) from groups where idx = ${groupIdx}))
        order by cardinality(g.path) desc limit 1)`.as('nearest'),
      (join) => join.onTrue(),
    )
    .select([
      'authorities.idx',
      'authorities.name',
      'policy',
      'user',
      'fileExportApprove',
      'fileImportApprove',
      'log',
      'nearest.name as groupName',
      sql<0 | 1>`(nearest.idx = ${groupIdx})::int`.as('isOfGroup'),
      managerColumns(sql`users where idx in (
        select "userIdx" from "authorityUsers" where "authorityIdx" = authorities.idx)`).as('users'),
      sql<number>`(select count(*) from "authorityUsers" au where au."authorityIdx" = authorities.idx)`.as('userCount'),
    ])
    .orderBy(sql`authorities.name collate people`)
    .execute()

/** Returns the system administrators, whose rights cover every group. */
export const findManagingAdmins = (db: Reader) =>
  db
    .selectNoFrom([
      managerColumns(sql`users where "isAdmin" = 1`).as('admins'),
      sql<number>`(select count(*) from users where "isAdmin" = 1)`.as('adminCount'),
    ])
    .executeTakeFirstOrThrow()

type MemberQuery = z.output<typeof authorities.searchMembers.input>

/** Searches the members of any authority, each with all of their authorities. */
export function searchMembers(
  db: Reader,
  query: MemberQuery,
): List<Member & { authorities: { idx: number; name: string; endDT: string | null }[] }> {
  const { email: _, ...searched } = USER_TEXTS
  const { condition, texts } = filterBy(query, searched, { userIdx: (userIdx) => sql`users.idx = ${userIdx}` })
  const matches = db
    .selectFrom('users')
    .select([...memberColumns, groupName.as('groupName')])
    .select(
      sql<{ idx: number; name: string; endDT: string | null }[]>`(
        select json_agg(json_build_object('idx', a.idx, 'name', a.name, 'endDT', ${momentJson('au.endDT')}) order by a.name collate people)
        from authorities a join "authorityUsers" au on au."authorityIdx" = a.idx where au."userIdx" = users.idx)`.as(
        'authorities',
      ),
    )
    // An array: the members are few of all people, and PostgreSQL would look for them in the order of the list.
    .where(sql<boolean>`users.idx = any(array(select au."userIdx" from "authorityUsers" au))`)
    .where(condition)
    .$if(query.sort === 'groupName', (users) => users.innerJoin('groups', 'groups.idx', 'users.groupIdx'))
  return listOf(db, query, { matches, sorts: USER_SORTS, searchIn: searchedIn('users', texts) })
}

type Counts = z.input<typeof Removal>

const countRows = (from: RawBuilder<unknown>) => sql<number>`(select count(*) from ${from})`
const countChanges = (
  db: Reader,
  authorities: RawBuilder<unknown>,
  bimTargets: RawBuilder<unknown>,
  of: RawBuilder<unknown>,
) =>
  db
    .selectNoFrom([
      countRows(authorities).as('authorities'),
      countRows(bimTargets).as('bimTargets'),
      countRows(
        sql`"fileEximports" where state = ${sql.lit(RequestState.REQUESTED)} and "isFileUploaded" = 1 and ${of}`,
      ).as('waitingRequests'),
    ])
    .executeTakeFirstOrThrow()

/** Counts what deleting a group changes. */
export const countChangesOfGroup = (db: Reader, groupIdx: number): Promise<Counts> =>
  countChanges(
    db,
    sql`"authorityGroups" where "groupIdx" = ${groupIdx}`,
    sql`"bimGroups" where "groupIdx" = ${groupIdx}`,
    sql`"requesterGroupIdx" = ${groupIdx}`,
  )

/** Counts what deleting users changes. */
export const countChangesOfUsers = (db: Reader, userIdxes: readonly number[]): Promise<Counts> =>
  countChanges(
    db,
    sql`(select distinct "authorityIdx" from "authorityUsers" where "userIdx" = any(${userIdxes})) named`,
    sql`"bimUsers" where "userIdx" = any(${userIdxes})`,
    sql`"requesterIdx" = any(${userIdxes})`,
  )
