import type { Job } from '../jobs/jobs.ts'
import { endSilentSessions } from './session.service.ts'

export const sessionJobs: readonly Job[] = [{ name: 'endSilentSessions', cron: '* * * * *', run: endSilentSessions }]
