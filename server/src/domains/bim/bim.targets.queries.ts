// Groups and users that BIM servers let in, as rows.
import { sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'

const groupName = sql<string>`(select g.name from groups g where g.idx = users."groupIdx")`
/** The names from the root down to a group. */
const groupPath = sql<string>`(select string_agg(above.name, ' > ' order by cardinality(above.path)) from groups above
  where above.idx = any(groups.path))`

export const findTargetUsers = (db: Reader) =>
  db
    .selectFrom('users')
    .innerJoin('bimUsers', 'bimUsers.userIdx', 'users.idx')
    .select(['users.idx', 'users.id', 'users.name', 'users.email', groupName.as('groupName')])
    .orderBy(sql`users.name collate people`)
    .orderBy('users.idx')
    .execute()

export const findTargetGroups = (db: Reader) =>
  db
    .selectFrom('groups')
    .innerJoin('bimGroups', 'bimGroups.groupIdx', 'groups.idx')
    .select(['groups.idx as groupIdx', 'groups.name', groupPath.as('path')])
    .orderBy(groupPath)
    .execute()

/** Locks users against deletion and returns them, with whether each is a target. */
export const lockUsers = (tx: Tx, idxes: readonly number[]) =>
  tx
    .selectFrom('users')
    .select(['idx', 'id', 'name', groupName.as('groupName')])
    .select(sql<boolean>`exists (select from "bimUsers" b where b."userIdx" = users.idx)`.as('isTarget'))
    .where('idx', '=', sql<number>`any(${idxes})`)
    .orderBy('idx')
    .forKeyShare()
    .execute()
export type TargetUser = Awaited<ReturnType<typeof lockUsers>>[number]

/** Locks groups against deletion and returns them, with whether each is a target. */
export const lockGroups = (tx: Tx, idxes: readonly number[]) =>
  tx
    .selectFrom('groups')
    .select(['idx', 'name', 'key'])
    .select(sql<boolean>`exists (select from "bimGroups" b where b."groupIdx" = groups.idx)`.as('isTarget'))
    .where('idx', '=', sql<number>`any(${idxes})`)
    .orderBy('idx')
    .forKeyShare()
    .execute()
export type TargetGroup = Awaited<ReturnType<typeof lockGroups>>[number]

export const insertTargetUsers = (tx: Tx, idxes: readonly number[]) =>
  tx
    .insertInto('bimUsers')
    .expression(tx.selectNoFrom(sql<number>`unnest(${idxes}::bigint[])`.as('userIdx')))
    .columns(['userIdx'])
    .execute()

export const insertTargetGroups = (tx: Tx, idxes: readonly number[]) =>
  tx
    .insertInto('bimGroups')
    .expression(tx.selectNoFrom(sql<number>`unnest(${idxes}::bigint[])`.as('groupIdx')))
    .columns(['groupIdx'])
    .execute()

export const deleteTargetUsers = (tx: Tx, idxes: readonly number[]) =>
  tx.deleteFrom('bimUsers').where('userIdx', '=', sql<number>`any(${idxes})`).execute()

export const deleteTargetGroups = (tx: Tx, idxes: readonly number[]) =>
  tx.deleteFrom('bimGroups').where('groupIdx', '=', sql<number>`any(${idxes})`).execute()
