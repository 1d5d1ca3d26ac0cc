// When memberships of authorities end.
import { type EndChange, endAfter, isSameEnd } from '@acc/contract/ends'
import { sql } from 'kysely'
import { endColumns, isCurrent, requireEnds } from '../../core/ends.ts'
import { fail } from '../../core/errors.ts'
import type { Viewer } from '../../core/scope.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { findMembers } from './authorities.queries.ts'

export type MemberEnd = EndChange & { userIdx: number }

/** Writes the ends of memberships that differ. Fails with 980 for a person who is no member. */
export async function saveEnds(
  tx: Tx,
  actor: Viewer,
  authorityIdx: number,
  ends: readonly MemberEnd[] = [],
): Promise<void> {
  if (ends.length === 0) return
  const members = new Map((await findMembers(tx, authorityIdx)).map((member) => [member.idx, member]))
  const changed = ends.flatMap(({ userIdx, ...change }) => {
    const member = members.get(userIdx) ?? fail('NOT_ALLOWED')
    const end = endAfter(change, member)
    // A new member without an end needs a reason, although nothing differs.
    return isSameEnd(end, member) && change.endDT !== null ? [] : [{ userIdx, end }]
  })
  const wanted = changed.map(({ end }) => end)
  await requireEnds(tx, wanted, 'ends')
  for (const { userIdx, end } of changed)
    await tx
      .updateTable('authorityUsers')
      .set(endColumns(end, actor.idx))
      .where('authorityIdx', '=', authorityIdx)
      .where('userIdx', '=', userIdx)
      .execute()
}

const hasEnded = sql<boolean>`not ${isCurrent('authorityUsers')}`

/** Finds authorities with a membership that has ended. */
export async function findAuthoritiesWithEnded(db: Reader, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('authorityUsers')
    .select('authorityIdx')
    .distinct()
    .where(hasEnded)
    .limit(limit)
    .execute()
  return rows.map(({ authorityIdx }) => authorityIdx)
}

/** Deletes the memberships of an authority that have ended. Returns the former members. */
export async function deleteEndedMemberships(tx: Tx, authorityIdx: number): Promise<number[]> {
  const rows = await tx
    .deleteFrom('authorityUsers')
    .where('authorityIdx', '=', authorityIdx)
    .where(hasEnded)
    .returning('userIdx')
    .execute()
  return rows.map(({ userIdx }) => userIdx)
}
