// The histories' monthly partitions: made ahead, dropped when the operator's retention is over.
import { sql } from 'kysely'
import { dayOf, days, later } from '../clock.ts'
import type { Database } from './open.ts'

const PARTITIONED = ['history', 'signIns']
/** Months that have their partitions ready: the last, this and the next two. */
const MONTHS = 4

/** Makes the coming months' partitions and drops those older than the retention. */
export async function keepPartitions(db: Database, now: Date, retentionDays: number): Promise<void> {
  for (const table of PARTITIONED) {
    await sql`select "makePartitions"(${table}, ${dayOf(later(now, -days(31)))}::date, ${MONTHS})`.execute(db.write)
    await sql`select "dropPartitions"(${table}, ${dayOf(later(now, -days(retentionDays)))}::date)`.execute(db.write)
  }
}
