// What one person's requests may take of the server, and how many urgent exports may be without a review.
import { MAX_UNREVIEWED, type UrgentRefusal } from '@acc/contract/urgentExports'
import { days } from '../../clock.ts'
import { fail } from '../../core/errors.ts'
import type { Tx } from '../../db/open.ts'
import { requireCount } from '../credentials/throttles.ts'
import { countUnreviewed } from './requestReviews.queries.ts'
import { findOpenSum, lockRequester } from './requests.queries.ts'

/** Undecided or incomplete requests of one person. */
export const MAX_OPEN_REQUESTS = 200
/** Bytes of all files of these requests: as many as one file may have. */
export const MAX_OPEN_BYTES = 2 ** 40

/** Requests that one person creates within a day: canceled ones count, since they and their history stay. */
export const MAX_DAILY_REQUESTS = 1000

/** Fails with TOO_MANY_REQUESTS if a person's requests exceed their share. Concurrent requests of a person wait. */
export async function requireQuota(tx: Tx, requesterIdx: number, bytes: number, now: Date): Promise<void> {
  await lockRequester(tx, requesterIdx)
  const open = await findOpenSum(tx, requesterIdx)
  if (open.count >= MAX_OPEN_REQUESTS || open.bytes + bytes > MAX_OPEN_BYTES) fail('TOO_MANY_REQUESTS')
  await requireCount(tx, { key: `requests:${requesterIdx}`, max: MAX_DAILY_REQUESTS, window: days(1) }, now)
}

/**
 * Fails with URGENT_REFUSED while too many urgent exports of a person are not reviewed, incomplete ones included, or a
 * review is overdue. Call it after `requireQuota`, whose lock lets concurrent requests of the person wait.
 */
export async function requireReviewed(tx: Tx, requesterIdx: number, now: Date): Promise<void> {
  const { open, overdue } = await countUnreviewed(tx, requesterIdx, now)
  if (overdue > 0) fail('URGENT_REFUSED', { reason: 'overdue' } satisfies UrgentRefusal)
  if (open >= MAX_UNREVIEWED) fail('URGENT_REFUSED', { reason: 'open' } satisfies UrgentRefusal)
}
