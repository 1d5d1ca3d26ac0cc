// Batches of blocked connections as rows.
import type { Tx } from '../../db/open.ts'

/** Inserts a batch; returns false if it was reported before. */
export async function insertBatch(tx: Tx, batch: { userIdx: number; batchId: string; receiveDT: Date }) {
  const row = await tx
    .insertInto('networkBlockBatches')
    .values(batch)
    .onConflict((conflict) => conflict.doNothing())
    .returning('batchId')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteBatchesBefore = (tx: Tx, before: Date) =>
  tx.deleteFrom('networkBlockBatches').where('receiveDT', '<', before).execute()
