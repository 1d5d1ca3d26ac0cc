import type { Job } from '../../core/job.ts'
import { sendHistory } from './history.outlets.ts'
import { sealHistory } from './history.seals.ts'

export const historyJobs: readonly Job[] = [
  { name: 'sealHistory', cron: '*/5 * * * *', retries: { limit: 3, seconds: 15 }, run: sealHistory },
  { name: 'sendHistory', cron: '* * * * *', run: sendHistory },
]
