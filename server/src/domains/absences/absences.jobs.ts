// Absences that begin and end by themselves. Rights follow the time at once, open screens within a minute.
import { today } from '../../clock.ts'
import { asSystem, type Job } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import { deleteOver, updateBegun } from './absences.queries.ts'
import { announceAbsences } from './absences.service.ts'

/** Deletes absences that are over, and announces these and those that have begun. */
export const followAbsences = (services: Services): Promise<void> =>
  asSystem(services, async (tx) => {
    const over = await deleteOver(tx, today(services.clock))
    await announceAbsences(tx, [...over, ...(await updateBegun(tx))])
  })

export const absenceJobs: readonly Job[] = [
  { name: 'announceAbsences', cron: '* * * * *', atStart: true, run: followAbsences },
]
