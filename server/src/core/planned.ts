// A scope spelled for lists over millions of rows. PostgreSQL cannot tell beforehand how many groups a manager covers: taking
// them for a hundred, it goes through ten thousand one by one, or misses that one group's rows have an index (seconds
// either way). So they are counted first; between that and the list nothing is written, and what it shows is no older.
import { Role } from '@acc/contract/core/access'
import { sql } from 'kysely'
import type { Reader } from '../db/open.ts'
import { GROUPS, type Scope } from './scope.ts'

/** So many groups are named in the statement, and looked up by the index on the group. */
const FEW = 300

/**
 * The same scope, given among which groups it is: by those groups where they are few, else by one pass over what the other
 * conditions leave.
 */
export async function plannedScope(db: Reader, { role }: { role: Role }, scope: Scope, among = GROUPS): Promise<Scope> {
  if (role === Role.ADMIN) return scope
  const covered = await db
    .selectFrom(sql<{ idx: number }>`${among}`.as('some'))
    .select('some.idx')
    .where((eb) => scope(eb.ref('some.idx')))
    .limit(FEW + 1)
    .execute()
  const idxes = covered.map(({ idx }) => idx)
  if (idxes.length <= FEW) return (groupIdx) => sql`${groupIdx} = any(${idxes}::bigint[])`
  // Not the bare column: its index is what leads through ten thousand groups one by one.
  return (groupIdx) => scope(sql<number | null>`(${groupIdx} + 0)`)
}
