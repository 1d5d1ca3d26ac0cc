// The group of the setting, and open runs of the source.
import { ImportSource, ImportState } from '@acc/contract/labels/userImports'
import type { Reader, Tx } from '../../db/open.ts'

const SYNC_SOURCES = [ImportSource.FOLDER, ImportSource.DIRECTORY]

export const findGroup = (db: Reader, idx: number): Promise<{ name: string; key: string } | undefined> =>
  db.selectFrom('groups').select(['name', 'key']).where('idx', '=', idx).executeTakeFirst()

/** Keeps a group from being deleted until the transaction ends. Returns null if it was deleted before. */
export async function keepGroup(tx: Tx, idx: number): Promise<number | null> {
  const group = await tx.selectFrom('groups').select('idx').where('idx', '=', idx).forKeyShare().executeTakeFirst()
  return group?.idx ?? null
}

/** Finds a run of the synchronization that has not ended. */
export const findOpenSync = (db: Reader): Promise<{ idx: number } | undefined> =>
  db
    .selectFrom('userImports')
    .select('idx')
    .where('source', 'in', SYNC_SOURCES)
    .where('state', '<', ImportState.DONE)
    .executeTakeFirst()
