// Counters of tries and failures that all nodes share: per address, per unknown ID, per administrator and address
// (design, section 4). A counter is void when its window ends.
import { sql } from 'kysely'
import type { Database, Reader } from '../db/open.ts'

export type Limit = { key: string; max: number; windowMs: number }

/** Milliseconds until the counter is void where it has reached its limit, else 0. */
export async function waitOf(db: Reader, limit: Limit, now: Date): Promise<number> {
  const row = await db
    .selectFrom('throttles')
    .select(['count', 'windowEndDT'])
    .where('key', '=', limit.key)
    .where('windowEndDT', '>', now)
    .executeTakeFirst()
  return row !== undefined && row.count >= limit.max ? row.windowEndDT.getTime() - now.getTime() : 0
}

/**
 * Counts one and answers the new count; the first of a window opens it. Commits by itself: a failure that is thrown
 * afterwards must not take its count back.
 */
export async function countUp(db: Database, limit: Limit, now: Date): Promise<number> {
  const windowEndDT = new Date(now.getTime() + limit.windowMs)
  const row = await db.write
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

/** Forgets a counter, after a success. */
export const clearCount = async (db: Database, key: string): Promise<void> =>
  void (await db.write.deleteFrom('throttles').where('key', '=', key).execute())

/** Drops counters whose window is over. */
export const dropOldCounts = async (db: Database, now: Date): Promise<void> =>
  void (await db.write.deleteFrom('throttles').where('windowEndDT', '<=', now).execute())
