// The authors of runs with their present rights.
import { sql } from 'kysely'
import { highestLevels } from '../../core/grants.ts'
import type { Tx } from '../../db/open.ts'

/** Locks and returns an author: state, role and highest level on users. */
export async function findAuthor(tx: Tx, idx: number) {
  // Rights are read by a separate statement: one that waited for the lock would see them as they were before the wait.
  await tx.selectFrom('users').select('idx').where('idx', '=', idx).forShare().execute()
  const row = await tx
    .selectFrom('users')
    .select(['idx', 'isAdmin', 'state', 'isMortal', 'expireDT', highestLevels(sql.ref('users.idx')).as('levels')])
    .where('idx', '=', idx)
    .executeTakeFirst()
  return row && { ...row, level: row.levels.user }
}
