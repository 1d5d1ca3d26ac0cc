// Inserts absences relative to the database's clock: `buildAbsence(app.db, absent, substitute)` for one that lasts.
import { sql } from 'kysely'
import type { Database } from '../../src/db/open.ts'

type Period = { from?: string; to?: string }

/** Inserts an absence; by default from an hour ago to tomorrow. Intervals as `-2 days`. */
export const buildAbsence = (
  db: Database,
  absent: { idx: number },
  substitute: { idx: number },
  { from = '-1 hour', to = '1 day' }: Period = {},
) =>
  db.write
    .insertInto('absences')
    .values({
      userIdx: absent.idx,
      substituteIdx: substitute.idx,
      startDT: sql`now() + ${from}::interval`,
      endDT: sql`now() + ${to}::interval`,
      reason: 'leave',
      isAnnounced: true,
    })
    .returning('idx')
    .executeTakeFirstOrThrow()
