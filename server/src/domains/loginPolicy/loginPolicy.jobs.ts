import type { Job } from '../../core/job.ts'
import { remindOfExpiry, suspendDormant, warnDormant } from './loginPolicy.reminders.ts'

export const loginPolicyJobs: readonly Job[] = [
  { name: 'remindOfExpiry', cron: '7 0 * * *', run: remindOfExpiry },
  { name: 'warnDormant', cron: '17 0 * * *', run: warnDormant },
  { name: 'suspendDormant', cron: '27 0 * * *', run: suspendDormant },
]
