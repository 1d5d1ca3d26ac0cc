// Monthly partitions of the histories: created in advance, dropped after the operator's retention period.
import { sql } from 'kysely'
import { dayOf, days, later } from '../clock.ts'
import type { Database } from './open.ts'

const PARTITIONED = ['history', 'signIns']
/** Months with partitions: the last, the current and the next two. */
const MONTHS = 4

/** Creates the partitions of the coming months and drops those older than the retention period. */
export async function keepPartitions(db: Database, now: Date, retentionDays: number): Promise<void> {
  for (const table of PARTITIONED) {
    await sql`select "makePartitions"(${table}, ${dayOf(later(now, -days(31)))}::date, ${MONTHS})`.execute(db.write)
    await sql`select "dropPartitions"(${table}, ${dayOf(later(now, -days(retentionDays)))}::date)`.execute(db.write)
  }
}
