import type { Job } from '../../core/job.ts'
import { dropTold, tellRequesters } from './notices.requesters.ts'
import { tellApprovers } from './notices.waiting.ts'

export const noticeJobs: readonly Job[] = [
  { name: 'tellApprovers', cron: '* * * * *', run: tellApprovers },
  { name: 'tellRequesters', cron: '* * * * *', run: tellRequesters },
  { name: 'dropToldNotices', cron: '53 3 * * *', run: dropTold },
]
