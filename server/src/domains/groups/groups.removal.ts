// Deleting a group (spec S1 §4): its subgroups, users and their requests move to the parent.
import { RequestState } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import type { HistoryEntry } from '../../core/change.ts'
import type { Tx } from '../../db/open.ts'
import type { GroupRow } from './groups.queries.ts'

type MovedRequest = NonNullable<HistoryEntry<'groupManage'>['detail']['movedRequests']>[number]
/** Moved rows, for the history. */
type MovedRows = {
  movedGroups: string
  movedGroupIdxes: number[]
  movedRequests: MovedRequest[]
  userCount: number
  requestCount: number
}

/** Moved requests that the history names. It counts the others. */
const MAX_NAMED = 1_000

const countOf = ({ numAffectedRows = 0n }: { numAffectedRows?: bigint }): number => Number(numAffectedRows)

/** Moves the subgroups of a group to its parent, after the existing children. Fails with 140 if a name is taken. */
async function updateSubgroups(tx: Tx, group: GroupRow, parentIdx: number) {
  // The group leaves its siblings first, so that a subgroup with the same name can replace it.
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
  return { movedGroups: children.map(({ name }) => name).join(', '), movedGroupIdxes: children.map(({ idx }) => idx) }
}

const updateUsersMoved = (tx: Tx, groupIdx: number, parentIdx: number) =>
  sql`update users set "groupIdx" = ${parentIdx}, revision = revision + 1 where "groupIdx" = ${groupIdx}`.execute(tx)

/** Moves requests to the parent, whose approvers decide them. The name of the original group remains. */
const updateRequestsMoved = (tx: Tx, groupIdx: number, parentIdx: number) =>
  sql`update "fileEximports" set "requesterGroupIdx" = ${parentIdx} where "requesterGroupIdx" = ${groupIdx}`.execute(tx)

/** Finds the requests of a group, waiting ones first. */
const findMovedRequests = (tx: Tx, groupIdx: number): Promise<MovedRequest[]> =>
  tx
    .selectFrom('fileEximports')
    .select(['idx as number', 'type', 'state', 'requesterId', 'requesterName'])
    .where('requesterGroupIdx', '=', groupIdx)
    .orderBy((eb) => eb('state', '=', RequestState.REQUESTED), 'desc')
    .orderBy('idx', 'desc')
    .limit(MAX_NAMED)
    .execute()

/** Stores the heir of the group's history, and of groups that were merged into it before. */
async function insertDeleted(tx: Tx, groupIdx: number, heirIdx: number): Promise<void> {
  await tx.updateTable('deletedGroups').set({ heirIdx }).where('heirIdx', '=', groupIdx).execute()
  await tx.insertInto('deletedGroups').values({ idx: groupIdx, heirIdx }).execute()
}

/** Deletes a locked group with its policy. */
export async function deleteGroupRow(tx: Tx, group: GroupRow, parentIdx: number): Promise<MovedRows> {
  const subgroups = await updateSubgroups(tx, group, parentIdx)
  const movedRequests = await findMovedRequests(tx, group.idx)
  const userCount = countOf(await updateUsersMoved(tx, group.idx, parentIdx))
  const requestCount = countOf(await updateRequestsMoved(tx, group.idx, parentIdx))
  await insertDeleted(tx, group.idx, parentIdx)
  await tx.deleteFrom('groups').where('idx', '=', group.idx).execute()
  return { ...subgroups, movedRequests, userCount, requestCount }
}

/** Locks the users of a group. */
export const lockUsersOf = (tx: Tx, groupIdx: number) =>
  tx.selectFrom('users').select('idx').where('groupIdx', '=', groupIdx).orderBy('idx').forNoKeyUpdate().execute()

/** Locks a group with those below it, whose paths change. */
export const lockBranch = (tx: Tx, groupIdx: number) =>
  tx
    .selectFrom('groups')
    .select('idx')
    .where(sql<boolean>`path && array[${groupIdx}::bigint]`)
    .orderBy('idx')
    .forNoKeyUpdate()
    .execute()

/** Locks the policy and the requests of a group, which decisions and uploads lock before authorities. */
export async function lockContentsOf(tx: Tx, groupIdx: number): Promise<void> {
  await tx.selectFrom('policies').select('idx').where('groupIdx', '=', groupIdx).forUpdate().execute()
  const requests = tx.selectFrom('fileEximports').select('idx').where('requesterGroupIdx', '=', groupIdx)
  await requests.orderBy('idx').forNoKeyUpdate().execute()
}

/** Finds the users directly in a group. */
export async function findUsersOf(tx: Tx, groupIdx: number): Promise<number[]> {
  const users = await tx.selectFrom('users').select('idx').where('groupIdx', '=', groupIdx).execute()
  return users.map(({ idx }) => idx)
}
