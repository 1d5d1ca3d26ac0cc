// Notices for requesters, as rows; the domain `notices` mails them.
import { RequestState } from '@acc/contract/labels/requests'
import { type Insertable, sql } from 'kysely'
import type { Tx } from '../../db/open.ts'
import type { RequesterNotices } from '../../db/schema.gen.ts'
import { KEEPS_FILES, KEPT_SINCE } from './requestFiles.queries.ts'

/** A notice for a requester, as stored. */
export const RequesterEvent = {
  DECIDED: 0,
  CANCELED: 1,
  EXPIRES: 2,
  FILES_EXPIRE: 3,
  /** The step before was approved. */
  WAITS_FOR_STEP_2: 4,
  WAITS_FOR_STEP_3: 5,
  /** Nobody has decided it: it expires in a day, and it expired. */
  EXPIRES_UNDECIDED: 6,
  EXPIRED: 7,
  /** An urgent export is complete. */
  TO_REVIEW: 8,
} as const
export type RequesterEvent = (typeof RequesterEvent)[keyof typeof RequesterEvent]

/** Stores notices for requesters, unless they are stored already. */
export const insertRequesterNotices = (tx: Tx, notices: readonly Insertable<RequesterNotices>[]) =>
  tx
    .insertInto('requesterNotices')
    .values(notices)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Stores a notice of expiry for each request that was created before a moment and is still incomplete. */
export const insertWarnings = (tx: Tx, before: Date, at: Date) =>
  tx
    .insertInto('requesterNotices')
    .columns(['fileEximportIdx', 'userIdx', 'event', 'createDT'])
    .expression(({ selectFrom, val }) =>
      selectFrom('fileEximports')
        .select([
          'idx',
          sql<number>`"requesterIdx"`.as('userIdx'),
          val<RequesterEvent>(RequesterEvent.EXPIRES).as('event'),
          val(at).as('createDT'),
        ])
        .where('requestDT', '<=', before)
        .where('requesterIdx', 'is not', null)
        .where('isFileUploaded', '=', 0)
        .where('state', 'in', [RequestState.REQUESTED, RequestState.ALLOWED]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Stores notices for released requests whose files were kept before a moment; returns the number of new ones. */
export async function insertFileWarnings(tx: Tx, before: Date, at: Date, limit: number): Promise<number> {
  const event = RequesterEvent.FILES_EXPIRE
  const { numAffectedRows = 0n } = await sql`
    insert into "requesterNotices" ("fileEximportIdx", "userIdx", event, "createDT")
    select r.idx, r."requesterIdx", ${event}, ${at} from "fileEximports" r
    where ${KEEPS_FILES} and ${KEPT_SINCE} <= ${before} and state <> ${RequestState.REJECTED} and "requesterIdx" is not null
      and not exists (select from "requesterNotices" n where n."fileEximportIdx" = r.idx and n.event = ${event})
    limit ${limit} on conflict do nothing`.execute(tx)
  return Number(numAffectedRows)
}
