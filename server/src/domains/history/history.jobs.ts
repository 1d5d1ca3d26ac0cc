import type { Job } from '../../core/job.ts'
import { checkHistory } from './history.checks.ts'
import { sendHistory } from './history.outlets.ts'
import { sealHistory } from './history.sealing.ts'

export const historyJobs: readonly Job[] = [
  { name: 'sealHistory', cron: '*/5 * * * *', retries: { limit: 3, seconds: 15 }, run: sealHistory },
  { name: 'checkHistory', cron: '37 * * * *', run: checkHistory },
  { name: 'sendHistory', cron: '* * * * *', run: sendHistory },
]
