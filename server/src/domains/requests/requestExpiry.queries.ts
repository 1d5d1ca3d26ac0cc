// Rows of requests that expire without a decision, and the warnings of their requesters.
import { sql } from 'kysely'
import { days, hours, later } from '../../clock.ts'
import type { Tx } from '../../db/open.ts'
import { RequesterEvent } from './requesterNotices.queries.ts'
import { type Expiry, WARNED_HOURS } from './requests.expiry.ts'
import type { RequestRow } from './requests.queries.ts'

const EVENT = RequesterEvent.EXPIRES_UNDECIDED

/**
 * Since when a warning counts: from the day before the request expires. One of an earlier step, or of another number of
 * days, is older than that.
 */
const warnedFrom = ({ days: count, changeDT }: Expiry) => sql<Date>`
  greatest("fileEximports"."waitDT" + make_interval(hours => ${count * 24 - WARNED_HOURS}::int), ${changeDT})`

/** Stores a warning for each request that expires within a day and has none; returns the number of new ones. */
export async function insertExpiryWarnings(tx: Tx, expiry: Expiry, now: Date, limit: number): Promise<number> {
  const before = later(now, hours(WARNED_HOURS) - days(expiry.days))
  const { numAffectedRows = 0n } = await sql`
    insert into "requesterNotices" ("fileEximportIdx", "userIdx", event, "createDT")
    select idx, "requesterIdx", ${EVENT}, ${now} from "fileEximports"
    where "waitDT" <= ${before} and "requesterIdx" is not null
      and not exists (
        select from "requesterNotices" n
        where n."fileEximportIdx" = "fileEximports".idx and n.event = ${EVENT} and n."createDT" >= ${warnedFrom(expiry)})
    order by idx limit ${limit}
    on conflict ("fileEximportIdx", event) do update set "createDT" = excluded."createDT", "sentDT" = null`.execute(tx)
  return Number(numAffectedRows)
}

/** Locks some requests that expired and whose requesters were warned a day ago, until the transaction ends. */
export const lockExpired = (tx: Tx, expiry: Expiry, now: Date, limit: number): Promise<RequestRow[]> =>
  tx
    .selectFrom('fileEximports')
    .innerJoin('requesterNotices as n', 'n.fileEximportIdx', 'fileEximports.idx')
    .selectAll('fileEximports')
    .where('fileEximports.waitDT', '<=', later(now, -days(expiry.days)))
    .where('n.event', '=', EVENT)
    .where('n.createDT', '>=', warnedFrom(expiry))
    .where('n.createDT', '<=', later(now, -hours(WARNED_HOURS)))
    .orderBy('fileEximports.idx')
    .limit(limit)
    .forUpdate('fileEximports')
    .execute()
