// What time does to requests: whose files never came whole end after a week, and bytes that no request needs any more go
// (5-quality.md section 4, no orphan file).

import { days, hours, later } from '../../clock.ts'
import { change, SYSTEM } from '../../core/change.ts'
import type { Job } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import { deleteBatchesBefore, findAbandoned, findForUpdate, findKnownNames } from './agent.queries.ts'
import { cancelHeld, isOpen, removeBytes } from './agent.requests.ts'

/** Days that a request waits for its files. */
const ABANDONED_DAYS = 7
/** Days within which a batch of blocked connections that comes again is known. */
const BATCH_DAYS = 90
/** Hours that unknown bytes are left alone. */
const ORPHAN_HOURS = 24
/** Requests looked up at once. */
const CHUNK = 100

const asSystem = (app: Services, work: Parameters<typeof change>[2]) =>
  change(app.db, { author: SYSTEM, now: () => app.clock.now() }, work)

async function cancelAbandoned(app: Services, idx: number): Promise<void> {
  let files: Parameters<typeof removeBytes>[1] = []
  await asSystem(app, async (tx) => {
    const request = await findForUpdate(tx, idx)
    if (request === undefined || !isOpen(request) || request.isFileUploaded === 1) return { result: undefined }
    const canceled = await cancelHeld(tx, request)
    files = canceled.files
    return { result: undefined, log: [canceled.log] }
  })
  await removeBytes(app, files)
}

export async function cancelAllAbandoned(app: Services): Promise<void> {
  const before = later(app.clock.now(), -days(ABANDONED_DAYS))
  for (;;) {
    const found = await findAbandoned(app.db.read, before, CHUNK)
    for (const { idx } of found) await cancelAbandoned(app, idx)
    if (found.length < CHUNK) return
  }
}

export async function sweepFiles(app: Services): Promise<void> {
  const before = later(app.clock.now(), -hours(ORPHAN_HOURS))
  const removed = await app.files.sweep((names) => findKnownNames(app.db.read, names), before)
  if (removed > 0) app.log.info({ removed }, 'removed files that no request needs')
}

const dropOldBatches = (app: Services) =>
  asSystem(app, async (tx) => ({
    result: await deleteBatchesBefore(tx, later(app.clock.now(), -days(BATCH_DAYS))),
  }))

export const agentJobs: readonly Job[] = [
  { name: 'cancelAbandonedRequests', cron: '11 * * * *', run: cancelAllAbandoned },
  { name: 'sweepFiles', cron: '41 * * * *', run: sweepFiles },
  { name: 'dropOldBatches', cron: '51 4 * * *', run: dropOldBatches },
]
