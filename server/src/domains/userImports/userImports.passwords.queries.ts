// Imported people who wait for a temporary password.
import type { Reader, Tx } from '../../db/open.ts'

export const findWaitingPasswords = (db: Reader, limit: number) =>
  db
    .selectFrom('userImportRows')
    .select(['idx', 'userIdx'])
    .where('needsPassword', '=', 1)
    .orderBy('idx')
    .limit(limit)
    .execute()

/** Marks a password as mailed or no longer needed. Returns whether it still was needed. */
export async function updatePasswordSettled(tx: Tx, rowIdx: number): Promise<boolean> {
  const query = tx.updateTable('userImportRows').set({ needsPassword: 0 })
  const result = await query.where('idx', '=', rowIdx).where('needsPassword', '=', 1).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Locks and returns a person who has no password of any kind. */
export const lockWithoutPassword = (tx: Tx, idx: number) =>
  tx
    .selectFrom('users')
    .select(['idx', 'id', 'name', 'email', 'groupIdx', 'state'])
    .where('idx', '=', idx)
    .where('pwHash', 'is', null)
    .where('tmpPwHash', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
