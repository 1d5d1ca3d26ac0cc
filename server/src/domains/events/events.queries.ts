// Queries that filter live events: the tree of groups, people's grants, and open sessions.
import { Level, PAGES, type Page } from '@acc/contract/labels/access'
import { type Expression, sql } from 'kysely'
import { APPROVAL_PAGES, absentOfEach, actingFor, grantsOfEach, MEMBERSHIPS } from '../../core/grants.ts'
import type { Reader } from '../../db/open.ts'
import { type StatementPool, statement } from '../../db/statement.ts'

/** The groups from the root down to each group, by its idx. */
export type Paths = ReadonlyMap<number, readonly number[]>
/** The pages that a person's authorities grant, by the groups that they name. */
export type Grants = ReadonlyMap<number, ReadonlySet<Page>>

export async function findPaths(db: Reader): Promise<Paths> {
  const rows = await db.selectFrom('groups').select(['idx', 'path']).execute()
  return new Map(rows.map(({ idx, path }) => [idx, path]))
}

/** The grants of some people, by their idxes. On the approval pages, substitutes have those of absent people too. */
export async function findGrants(db: Reader, userIdxes: readonly number[]): Promise<ReadonlyMap<number, Grants>> {
  const absent = await absentOfEach(db, userIdxes)
  const holders = new Set([...userIdxes, ...absent.map(({ absentIdx }) => absentIdx)])
  const rowsOf = Map.groupBy(await grantsOfEach(db, [...holders]).execute(), ({ userIdx }) => userIdx)
  const found = new Map(userIdxes.map((idx) => [idx, new Map<number, Set<Page>>()]))
  const add = (userIdx: number, holderIdx: number, pages: readonly Page[], level: Level) => {
    const grants = found.get(userIdx)
    for (const row of rowsOf.get(holderIdx) ?? []) {
      const granted = pages.filter((page) => row[page] >= level)
      grants?.set(row.groupIdx, new Set([...(grants.get(row.groupIdx) ?? []), ...granted]))
    }
  }
  for (const idx of userIdxes) add(idx, idx, PAGES, Level.READ)
  for (const { userIdx, absentIdx } of absent) add(userIdx, absentIdx, APPROVAL_PAGES, Level.EDIT)
  return found
}

/** The authorities whose members some people are, or act for, by their idxes. */
export async function findMemberships(
  db: Reader,
  userIdxes: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const rows = await db
    .selectFrom(
      sql<{ userIdx: number; authorityIdx: number }>`(
        select u.idx as "userIdx", au."authorityIdx"
        from unnest(${userIdxes}::bigint[]) u(idx)
          cross join lateral ${actingFor(sql.ref('u.idx'))} acting
          join ${MEMBERSHIPS} on au."userIdx" = acting.idx)`.as('memberships'),
    )
    .selectAll()
    .execute()
  const found = Map.groupBy(rows, ({ userIdx }) => userIdx)
  return new Map([...found].map(([idx, of]) => [idx, new Set(of.map(({ authorityIdx }) => authorityIdx))]))
}

const selectEnd = statement('sessionEnd', (db, idx: Expression<number>) =>
  db.selectFrom('sessions').select('expireDT').where('idx', '=', idx).where('endDT', 'is', null),
)
export const isSessionOpen = async (sessions: StatementPool, sessionIdx: number, now: Date): Promise<boolean> =>
  (await selectEnd(sessions, sessionIdx)).some(({ expireDT }) => expireDT > now)
