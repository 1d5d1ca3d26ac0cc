// Scheduled job for reports of blocked connections.
import { days, later } from '../../clock.ts'
import { asSystem, type Job } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import { deleteBatchesBefore } from './networkBlocks.queries.ts'

/** Days within which a repeated batch is recognized. */
const BATCH_DAYS = 90

const dropOldBatches = (services: Services) =>
  asSystem(services, async (tx) => ({
    result: await deleteBatchesBefore(tx, later(services.clock.now(), -days(BATCH_DAYS))),
  }))

export const networkBlockJobs: readonly Job[] = [{ name: 'dropOldBatches', cron: '51 4 * * *', run: dropOldBatches }]
