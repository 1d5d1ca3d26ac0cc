// The group of the setting, and the last run of the source.
import { ImportSource, ImportState } from '@acc/contract/labels/userImports'
import type { Reader } from '../../db/open.ts'
import type { RunRow } from '../userImports/userImports.queries.ts'

const SYNC_SOURCES = [ImportSource.FOLDER, ImportSource.DIRECTORY]

export const findGroup = (db: Reader, idx: number): Promise<{ name: string; key: string } | undefined> =>
  db.selectFrom('groups').select(['name', 'key']).where('idx', '=', idx).executeTakeFirst()

/** Finds the last run of a source of synchronization. */
export const findLastSync = (db: Reader): Promise<Pick<RunRow, 'state' | 'brake'> | undefined> =>
  db
    .selectFrom('userImports')
    .select(['state', 'brake'])
    .where('source', 'in', SYNC_SOURCES)
    .orderBy('idx', 'desc')
    .limit(1)
    .$castTo<Pick<RunRow, 'state' | 'brake'>>()
    .executeTakeFirst()

/** Finds a run of the synchronization that has not ended. */
export const findOpenSync = (db: Reader): Promise<{ idx: number } | undefined> =>
  db
    .selectFrom('userImports')
    .select('idx')
    .where('source', 'in', SYNC_SOURCES)
    .where('state', '<', ImportState.DONE)
    .executeTakeFirst()
