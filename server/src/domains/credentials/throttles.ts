// Counters that all nodes share, each void after its window: failures of a network, an unknown ID or an administrator,
// and mails to an account. Also marks of the networks from which an account signed in.
import { sql } from 'kysely'
import type { Recorder } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { Reader, Tx } from '../../db/open.ts'

/** Limit of a counter. `window` (ms) starts at the first count, or at the last one if it is `sliding`. */
export type Limit = { key: string; max: number; window: number; isSliding?: boolean }
export type Count = { key: string; count: number; windowEndDT: Date }

/** Returns the counters that are not void. */
export const findCounts = (db: Reader, keys: readonly string[], now: Date): Promise<Count[]> =>
  db
    .selectFrom('throttles')
    .select(['key', 'count', 'windowEndDT'])
    .where('key', '=', sql<string>`any(${keys})`)
    .where('windowEndDT', '>', now)
    .execute()

export const countOf = (counts: readonly Count[], { key }: Limit): number =>
  counts.find((count) => count.key === key)?.count ?? 0

/** Returns the milliseconds until a counter that has reached its limit is void, else 0. */
export function waitOf(counts: readonly Count[], limit: Limit, now: Date): number {
  const found = counts.find(({ key }) => key === limit.key)
  return found !== undefined && found.count >= limit.max ? found.windowEndDT.getTime() - now.getTime() : 0
}

/**
 * Returns the milliseconds that a sliding counter makes its callers wait: none below its limit, a second at it, then
 * twice as long after each failure, `longest` at most.
 */
export function backoffOf(counts: readonly Count[], limit: Limit, longest: number, now: Date): number {
  const found = counts.find(({ key }) => key === limit.key)
  if (found === undefined || found.count < limit.max) return 0
  const last = found.windowEndDT.getTime() - limit.window
  const delay = Math.min(1000 * 2 ** Math.min(found.count - limit.max, 40), longest)
  return Math.max(0, last + delay - now.getTime())
}

/** Builds the statement that counts. Counters that have reached `most` do not change and are not returned. */
const countsUp = (tx: Tx, limits: readonly Limit[], now: Date, most?: number) => {
  // One order everywhere prevents deadlocks.
  const rows = [...limits]
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ key, window }) => ({ key, count: 1, windowEndDT: new Date(now.getTime() + window) }))
  const sliding = limits.filter(({ isSliding }) => isSliding === true).map(({ key }) => key)
  const isOpen = sql<boolean>`throttles."windowEndDT" > ${now}`
  return tx
    .insertInto('throttles')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          count: sql<number>`case when ${isOpen} then throttles.count + 1 else 1 end`,
          windowEndDT: sql<Date>`case when ${isOpen} and throttles.key <> all(${sliding}::text[])
          then throttles."windowEndDT" else excluded."windowEndDT" end`,
        })
        .where(most === undefined ? sql<boolean>`true` : sql<boolean>`not ${isOpen} or throttles.count < ${most}`),
    )
    .returning(['key', 'count', 'windowEndDT'])
}

/** Increments counters and returns their values in the order of the limits. */
export async function updateCountsUp(tx: Tx, limits: readonly Limit[], now: Date): Promise<number[]> {
  const counted = await countsUp(tx, limits, now).execute()
  return limits.map((limit) => countOf(counted, limit))
}

const tooMany = (limit: Limit, counts: readonly Count[], now: Date): never =>
  fail('TOO_MANY_REQUESTS', { retryAfter: Math.ceil(waitOf(counts, limit, now) / 1000) })

/** Increments a counter, and ends the call with 113 above its limit, also for simultaneous calls. */
export async function requireCount(tx: Tx, limit: Limit, now: Date): Promise<void> {
  const counted = await countsUp(tx, [limit], now).execute()
  if (countOf(counted, limit) > limit.max) tooMany(limit, counted, now)
}

/** Does the same and keeps the count if the call fails. */
export async function recordCount(
  { read, record }: Recorder & { readonly read: Reader },
  limit: Limit,
  now: Date,
): Promise<void> {
  const counted = await record((tx) => countsUp(tx, [limit], now, limit.max).execute())
  if (counted.length === 0) tooMany(limit, await findCounts(read, [limit.key], now), now)
}

/** Decrements a counter. */
export const updateCountDown = (tx: Tx, key: string) =>
  tx
    .updateTable('throttles')
    .set({ count: sql<number>`count - 1` })
    .where('key', '=', key)
    .where('count', '>', 0)
    .execute()

/** Sets a mark that expires after `window`. */
export const upsertMark = (tx: Tx, { key, window }: Limit, now: Date) => {
  const windowEndDT = new Date(now.getTime() + window)
  return tx
    .insertInto('throttles')
    .values({ key, count: 1, windowEndDT })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ windowEndDT }))
    .execute()
}

/** Deletes all counters, which ends every wait. */
export const deleteAllCounts = (tx: Tx) => tx.deleteFrom('throttles').execute()

export const deleteCounts = (tx: Tx, keys: readonly string[]) =>
  tx.deleteFrom('throttles').where('key', '=', sql<string>`any(${keys})`).execute()

/** Deletes the counters that are void. */
export const deleteVoidCounts = (tx: Tx, now: Date) =>
  tx.deleteFrom('throttles').where('windowEndDT', '<=', now).execute()
