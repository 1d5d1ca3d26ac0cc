// What deleting a group does to what stands in it (S1 section 4): subgroups, people and their requests move to the parent.
import { sql } from 'kysely'
import type { Tx } from '../../db/open.ts'
import type { GroupRow } from './groups.queries.ts'

/** What moved, for the history. */
export type Moved = { groups: string[]; userCount: number; requestCount: number; authorityCount: number }

const countOf = ({ numAffectedRows = 0n }: { numAffectedRows?: bigint }): number => Number(numAffectedRows)

/** Hangs the subgroups of a group under its parent, behind the children that are there. 140 where a name is taken. */
async function updateSubgroups(tx: Tx, group: GroupRow, parentIdx: number): Promise<string[]> {
  // Out of the siblings first, so that a subgroup with its very name may take the place.
  await tx.updateTable('groups').set({ parentIdx: null }).where('idx', '=', group.idx).execute()
  const children = await tx
    .selectFrom('groups')
    .select(['idx', 'name'])
    .where('parentIdx', '=', group.idx)
    .orderBy('position')
    .execute()
  await sql`
    update groups set "parentIdx" = ${parentIdx}, revision = groups.revision + 1, position = behind.last + ordered.number
    from (select coalesce(max(position), -1) as last from groups where "parentIdx" = ${parentIdx}) behind,
         (select idx, row_number() over (order by position)::int as number
          from groups where "parentIdx" = ${group.idx}) ordered
    where groups.idx = ordered.idx`.execute(tx)
  await sql`
    update groups set path = array_remove(path, ${group.idx}::bigint)
    where path && array[${group.idx}::bigint] and idx <> ${group.idx}`.execute(tx)
  return children.map(({ name }) => name)
}

const updateUsersMoved = (tx: Tx, groupIdx: number, parentIdx: number) =>
  sql`update users set "groupIdx" = ${parentIdx}, revision = revision + 1 where "groupIdx" = ${groupIdx}`.execute(tx)

/** Requests keep the name of the group that they came from; who decides them is whoever approves for the parent. */
const updateRequestsMoved = (tx: Tx, groupIdx: number, parentIdx: number) =>
  sql`update "fileEximports" set "requesterGroupIdx" = ${parentIdx} where "requesterGroupIdx" = ${groupIdx}`.execute(tx)

/** Whoever has one of these authorities open for editing learns that its groups changed. */
const updateAuthorities = (tx: Tx, groupIdx: number) =>
  sql`
    update authorities set revision = revision + 1
    where idx in (select "authorityIdx" from "authorityGroups" where "groupIdx" = ${groupIdx})`.execute(tx)

/** Keeps where the group's histories belong from now on, and those of the groups that it had taken in before. */
async function insertDeleted(tx: Tx, groupIdx: number, heirIdx: number): Promise<void> {
  await tx.updateTable('deletedGroups').set({ heirIdx }).where('heirIdx', '=', groupIdx).execute()
  await tx.insertInto('deletedGroups').values({ idx: groupIdx, heirIdx }).execute()
}

/** Deletes a group whose row is held. Its place in authorities and its own policy go with it. */
export async function deleteGroupRow(tx: Tx, group: GroupRow, parentIdx: number): Promise<Moved> {
  const groups = await updateSubgroups(tx, group, parentIdx)
  const userCount = countOf(await updateUsersMoved(tx, group.idx, parentIdx))
  const requestCount = countOf(await updateRequestsMoved(tx, group.idx, parentIdx))
  const authorityCount = countOf(await updateAuthorities(tx, group.idx))
  await insertDeleted(tx, group.idx, parentIdx)
  await tx.deleteFrom('groups').where('idx', '=', group.idx).execute()
  return { groups, userCount, requestCount, authorityCount }
}

/**
 * Holds the people of a group before the group itself is held. Whoever asks for files holds their own row first and then
 * their group's: the other way round the two would wait for each other.
 */
export const holdMembers = (tx: Tx, groupIdx: number) =>
  tx.selectFrom('users').select('idx').where('groupIdx', '=', groupIdx).orderBy('idx').forNoKeyUpdate().execute()

/** The people in this very group. */
export const findMemberIdxes = async (tx: Tx, groupIdx: number): Promise<number[]> => {
  const rows = await tx.selectFrom('users').select('idx').where('groupIdx', '=', groupIdx).execute()
  return rows.map(({ idx }) => idx)
}
