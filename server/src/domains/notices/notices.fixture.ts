// What the tests of notices share: running the jobs as a minute would, and choices as stored.
import type { NoticeChoice } from '@acc/contract/notices'
import type { Services } from '../../core/services.ts'
import { notifyRequesters } from './notices.requesters.ts'
import { notifyApprovers } from './notices.waiting.ts'

/** Stores the choice of a person; the next run considers them. */
export async function choose(services: Services, { idx: userIdx }: { idx: number }, choice: NoticeChoice) {
  const values = { choice, timeZone: 'Asia/Seoul', nextDT: services.clock.now() }
  await services.db.write
    .insertInto('personNotices')
    .values({ userIdx, ...values })
    .onConflict((conflict) => conflict.column('userIdx').doUpdateSet(values))
    .execute()
}

export async function runNotices(services: Services): Promise<void> {
  await notifyApprovers(services)
  await notifyRequesters(services)
}
