import type { Job } from '../../core/job.ts'
import { endSilentSessions } from './session.service.ts'

export const sessionJobs: readonly Job[] = [{ name: 'endSilentSessions', cron: '* * * * *', run: endSilentSessions }]
