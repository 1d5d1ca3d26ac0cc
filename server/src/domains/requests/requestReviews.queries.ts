// Counts of urgent exports that nobody has reviewed.
import { RequestState } from '@acc/contract/labels/requests'
import type { Reader } from '../../db/open.ts'
import { isToReview } from './requestSteps.queries.ts'

/** Counts a person's urgent exports that nobody has reviewed, and those of them whose review is overdue. */
export const countUnreviewed = (
  db: Reader,
  requesterIdx: number,
  now: Date,
): Promise<{ open: number; overdue: number }> =>
  db
    .selectFrom('fileEximports')
    .select((eb) => [
      eb.fn.countAll<number>().as('open'),
      eb.fn.countAll<number>().filterWhere('reviewDueDT', '<', now).as('overdue'),
    ])
    .where('requesterIdx', '=', requesterIdx)
    .where('state', '=', RequestState.ALLOWED)
    .where('urgentReason', 'is not', null)
    .executeTakeFirstOrThrow()

/** Counts the urgent exports of everybody whose review is overdue. */
export async function countOverdueReviews(db: Reader, now: Date): Promise<number> {
  const overdue = db.selectFrom('fileEximports').where(isToReview).where('reviewDueDT', '<', now)
  return (await overdue.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
}
