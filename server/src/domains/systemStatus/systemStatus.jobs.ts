import type { Job } from '../../core/job.ts'
import { mailFaults } from './systemStatus.mails.ts'

export const systemStatusJobs: readonly Job[] = [{ name: 'mailFaults', cron: '*/5 * * * *', run: mailFaults }]
