import type { Job } from '../../core/job.ts'
import { endSilentServers } from './bimServer.service.ts'

export const bimServerJobs: readonly Job[] = [{ name: 'endSilentServers', cron: '* * * * *', run: endSilentServers }]
