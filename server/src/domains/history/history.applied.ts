// The policies that applied to a person: the own one, and those of the groups above at each time. Moves of the person
// and deletions of groups are followed through the history.

import { Level } from '@acc/contract/labels/access'
import { GroupManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Read } from '../../core/context.ts'
import { scopeOf } from '../../core/scope.ts'
import type { Reader } from '../../db/open.ts'

/** A group above a person, from a moment on and before another one, in milliseconds. */
type Part = { groupIdx: number; from: number; to: number }

type Move = { at: number; from: number }
/** A deletion: its group was above these subgroups and below its parent until then. */
type Deletion = { at: number; groupIdx: number; parentIdx: number; subgroups: readonly number[] }
type Story = {
  groupIdx: number
  /** The oldest first. */
  moves: readonly Move[]
  deletions: readonly Deletion[]
  /** The present parents. */
  parents: ReadonlyMap<number, number | null>
}

/** Returns the groups above a person at a moment, the nearest first. */
function chainAt({ groupIdx, moves, deletions, parents }: Story, moment: number): Set<number> {
  const later = deletions.filter(({ at }) => at > moment)
  const parentOf = (idx: number): number | null | undefined =>
    later.find(({ subgroups }) => subgroups.includes(idx))?.groupIdx ??
    later.find((deletion) => deletion.groupIdx === idx)?.parentIdx ??
    parents.get(idx)
  const chain = new Set<number>()
  let next: number | null | undefined = moves.find(({ at }) => at > moment)?.from ?? groupIdx
  while (next != null && !chain.has(next)) {
    chain.add(next)
    next = parentOf(next)
  }
  return chain
}

/** Returns when each group was above a person. */
export function partsOf(story: Story): Part[] {
  const changes = [...story.moves, ...story.deletions].map(({ at }) => at)
  const starts = [Number.NEGATIVE_INFINITY, ...[...new Set(changes)].toSorted((one, other) => one - other)]
  const parts: Part[] = []
  starts.forEach((from, at) => {
    const to = starts[at + 1] ?? Number.POSITIVE_INFINITY
    for (const groupIdx of chainAt(story, from)) {
      const former = parts.find((part) => part.groupIdx === groupIdx && part.to === from)
      if (former) former.to = to
      else parts.push({ groupIdx, from, to })
    }
  })
  return parts
}

const millisecondsOf = (column: string) => sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`

/** The moves of a person, whose rows name the group that was left. */
const findMoves = (db: Reader, userIdx: number): Promise<Move[]> =>
  db
    .selectFrom('history')
    .select([millisecondsOf('logDT').as('at'), sql<number>`(detail ->> 'formerGroupIdx')::bigint`.as('from')])
    .where('kind', '=', 'userManage')
    .where('subjectIdx', '=', userIdx)
    .where(sql<SqlBool>`detail ? 'formerGroupIdx'`)
    .orderBy('logDT')
    .orderBy('idx')
    .execute()

/** The deletions of groups whose heirs are some groups or above them. Rows before 1.1 name no subgroups. */
const findDeletions = (db: Reader, groupIdxes: readonly number[]): Promise<Deletion[]> =>
  db
    .selectFrom('history')
    .select([
      millisecondsOf('logDT').as('at'),
      sql<number>`"subjectIdx"`.as('groupIdx'),
      sql<number>`"groupIdx"`.as('parentIdx'),
      sql<number[]>`coalesce(detail -> 'movedGroupIdxes', '[]')`.as('subgroups'),
    ])
    .where('kind', '=', 'groupManage')
    .where('type', '=', GroupManage.DELETE)
    .where(
      'subjectIdx',
      '=',
      sql<number>`any(array(select d.idx from "deletedGroups" d where d."heirIdx" = any(${groupIdxes}::bigint[])))`,
    )
    .orderBy('logDT')
    .execute()

/** The groups that still exist of some, or the heirs of the others, and all above them. */
const findAbove = (db: Reader, groupIdxes: readonly number[]) =>
  db
    .selectFrom('groups')
    .select(['groups.idx', 'groups.parentIdx'])
    .where(
      'groups.idx',
      '=',
      sql<number>`any(array(select unnest(path) from groups where idx = any(${groupIdxes}::bigint[])
        or idx in (select "heirIdx" from "deletedGroups" where idx = any(${groupIdxes}::bigint[]))))`,
    )
    .execute()

const momentOf = (milliseconds: number) =>
  Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString() : milliseconds < 0 ? '-infinity' : 'infinity'

/**
 * Returns the condition of rows about policies that applied to the person with an ID. Whom the viewer may not see in
 * the history is as if they did not exist.
 */
export async function findApplied({ read, actor }: Read, id: string): Promise<Expression<SqlBool>> {
  const person = await read
    .selectFrom('users')
    .select(['idx', 'groupIdx'])
    .where(sql<SqlBool>`lower(id) = lower(${id})`)
    .where((eb) => scopeOf(actor, 'log', Level.READ)(eb.ref('users.groupIdx')))
    .executeTakeFirst()
  if (person === undefined) return sql<SqlBool>`false`
  const moves = await findMoves(read, person.idx)
  const above = await findAbove(read, [person.groupIdx, ...moves.map(({ from }) => from)])
  const idxes = above.map(({ idx }) => idx)
  const parents = new Map(above.map(({ idx, parentIdx }) => [idx, parentIdx]))
  const deletions = await findDeletions(read, idxes)
  const parts = partsOf({ groupIdx: person.groupIdx, moves, deletions, parents })
  const groups = parts.map(({ groupIdx }) => groupIdx)
  const [froms, tos] = [parts.map(({ from }) => momentOf(from)), parts.map(({ to }) => momentOf(to))]
  return sql<SqlBool>`(history."subjectIdx" = any(${[person.idx, ...groups]}::bigint[])
    and case when history."targetType" = ${OwnerType.USER} then history."subjectIdx" = ${person.idx}
      else exists (
        select from unnest(${groups}::bigint[], ${froms}::timestamptz[], ${tos}::timestamptz[]) above (idx, since, until)
        where above.idx = history."subjectIdx" and history."logDT" >= above.since and history."logDT" < above.until) end)`
}
