// Batches of blocked connections as rows.
import { type Insertable, sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import type { NetworkBlockBatches } from '../../db/schema.gen.ts'

/** Inserts a batch; returns false if it was reported before. */
export async function insertBatch(tx: Tx, batch: Insertable<NetworkBlockBatches>): Promise<boolean> {
  const row = await tx
    .insertInto('networkBlockBatches')
    .values(batch)
    .onConflict((conflict) => conflict.doNothing())
    .returning('batchId')
    .executeTakeFirst()
  return row !== undefined
}

export const updateAccepted = (tx: Tx, { userIdx, batchId }: { userIdx: number; batchId: string }, accepted: number) =>
  tx
    .updateTable('networkBlockBatches')
    .set({ accepted })
    .where('userIdx', '=', userIdx)
    .where('batchId', '=', batchId)
    .execute()

/** Returns how many connections of a device were logged since a moment. */
export async function countAccepted(db: Reader, deviceIdx: number | null, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('networkBlockBatches')
    .select(sql<number>`coalesce(sum(accepted), 0)::bigint`.as('count'))
    .where('deviceIdx', '=', deviceIdx)
    .where('receiveDT', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Lets one report of a device be counted at a time, until the transaction ends. Returns false if it was removed. */
export async function lockDevice(tx: Tx, deviceIdx: number): Promise<boolean> {
  const device = tx.selectFrom('devices').select('idx').where('idx', '=', deviceIdx)
  return (await device.forNoKeyUpdate().executeTakeFirst()) !== undefined
}

export const deleteBatchesBefore = (tx: Tx, before: Date) =>
  tx.deleteFrom('networkBlockBatches').where('receiveDT', '<', before).execute()
