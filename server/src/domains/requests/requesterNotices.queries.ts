// What requesters are told of, as rows; the domain `notices` mails it.
import { RequestState } from '@acc/contract/labels/requests'
import { type Insertable, sql } from 'kysely'
import type { Tx } from '../../db/open.ts'
import type { RequesterNotices } from '../../db/schema.gen.ts'

/** What requesters are told of, as stored. */
export const RequesterEvent = { DECIDED: 0, CANCELED: 1, EXPIRES: 2 } as const
export type RequesterEvent = (typeof RequesterEvent)[keyof typeof RequesterEvent]

/** Stores what a requester is to be told; nothing where it is stored already. */
export const insertRequesterNotice = (tx: Tx, notice: Insertable<RequesterNotices>) =>
  tx
    .insertInto('requesterNotices')
    .values(notice)
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Has the requesters of requests created before a moment and still incomplete told that these expire. */
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
