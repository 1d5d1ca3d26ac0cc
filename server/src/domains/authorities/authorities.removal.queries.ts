// What a deletion of a group or of users changes elsewhere, as numbers.
import type { Removal } from '@acc/contract/groups'
import { RequestState } from '@acc/contract/labels/requests'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Reader } from '../../db/open.ts'

type Counts = z.input<typeof Removal>

const countRows = (from: RawBuilder<unknown>) => sql<number>`(select count(*) from ${from})`
const countChanges = (
  db: Reader,
  authorities: RawBuilder<unknown>,
  bimTargets: RawBuilder<unknown>,
  of: RawBuilder<unknown>,
) =>
  db
    .selectNoFrom([
      countRows(authorities).as('authorities'),
      countRows(bimTargets).as('bimTargets'),
      countRows(
        sql`"fileEximports" where state = ${sql.lit(RequestState.REQUESTED)} and "isFileUploaded" = 1 and ${of}`,
      ).as('waitingRequests'),
    ])
    .executeTakeFirstOrThrow()

/** Counts what deleting a group changes. */
export const countChangesOfGroup = (db: Reader, groupIdx: number): Promise<Counts> =>
  countChanges(
    db,
    sql`"authorityGroups" where "groupIdx" = ${groupIdx}`,
    sql`"bimGroups" where "groupIdx" = ${groupIdx}`,
    sql`"requesterGroupIdx" = ${groupIdx}`,
  )

/** Counts what deleting users changes. */
export const countChangesOfUsers = (db: Reader, userIdxes: readonly number[]): Promise<Counts> =>
  countChanges(
    db,
    sql`(select distinct "authorityIdx" from "authorityUsers" where "userIdx" = any(${userIdxes})) named`,
    sql`"bimUsers" where "userIdx" = any(${userIdxes})`,
    sql`"requesterIdx" = any(${userIdxes})`,
  )
