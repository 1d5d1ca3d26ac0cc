// Counters of failures that all nodes share: per address, per unknown ID, per administrator and address (design,
// section 4). A counter is void when its window ends.
import { sql } from 'kysely'
import type { Database, Reader, Tx } from '../../db/open.ts'
import { PREPARED } from '../../db/prepared.ts'

export type Limit = { key: string; max: number; windowMs: number }
export type Count = { key: string; count: number; windowEndDT: Date }

/** Those of some counters that are not void. */
export const findCounts = (db: Reader, keys: readonly string[], now: Date): Promise<Count[]> =>
  db
    .selectFrom('throttles')
    .modifyFront(PREPARED)
    .select(['key', 'count', 'windowEndDT'])
    .where('key', '=', sql<string>`any(${keys})`)
    .where('windowEndDT', '>', now)
    .execute()

/** Milliseconds until a counter that has reached its limit is void, else 0. */
export function waitOf(counts: readonly Count[], limit: Limit, now: Date): number {
  const found = counts.find(({ key }) => key === limit.key)
  return found !== undefined && found.count >= limit.max ? found.windowEndDT.getTime() - now.getTime() : 0
}

/** Counts one and answers the new count; the first of a window opens it. */
export async function updateCountedUp(tx: Tx, limit: Limit, now: Date): Promise<number> {
  const windowEndDT = new Date(now.getTime() + limit.windowMs)
  const row = await tx
    .insertInto('throttles')
    .values({ key: limit.key, count: 1, windowEndDT })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when throttles."windowEndDT" > ${now} then throttles.count + 1 else 1 end`,
        windowEndDT: sql<Date>`case when throttles."windowEndDT" > ${now} then throttles."windowEndDT" else excluded."windowEndDT" end`,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return row.count
}

/** Forgets counters, after a success. */
export const deleteCounts = (tx: Tx, keys: readonly string[]) =>
  tx.deleteFrom('throttles').where('key', '=', sql<string>`any(${keys})`).execute()

/** Drops counters whose window is over. */
export const dropOldCounts = async (db: Database, now: Date): Promise<void> =>
  void (await db.write.deleteFrom('throttles').where('windowEndDT', '<=', now).execute())
