import type { Job } from '../../core/job.ts'
import { dropSent, notifyRequesters } from './notices.requesters.ts'
import { notifyApprovers } from './notices.waiting.ts'

export const noticeJobs: readonly Job[] = [
  { name: 'notifyApprovers', cron: '* * * * *', run: notifyApprovers },
  { name: 'notifyRequesters', cron: '* * * * *', run: notifyRequesters },
  { name: 'dropSentNotices', cron: '53 3 * * *', run: dropSent },
]
