// Monthly partitions of the histories: made in advance, dropped after the operator's retention period.
import { sql } from 'kysely'
import type { Database } from './open.ts'

/**
 * Creates the partitions of the coming months and drops those older than the retention period: the given one, or the
 * one of the schema's last migration, if that is longer.
 */
export const keepPartitions = async (db: Pick<Database, 'write'>, retentionDays: number): Promise<void> =>
  void (await sql`select "keepMonths"(${retentionDays})`.execute(db.write))
