// Mails to the system administrators about urgent faults: one when a fault appears, and at most one a day of each kind.
// Some are mailed every day that they last.
import { isDeepStrictEqual } from 'node:util'
import { type Fault, faultEntry } from '@acc/contract/labels/systemStatus'
import { days, later } from '../../clock.ts'
import { asSystem, type Job } from '../../core/job.ts'
import { findAdmins } from '../../core/people.ts'
import type { Services } from '../../core/services.ts'
import { lockSetting, type Setting, updateSetting } from '../../settings/settings.ts'
import { enqueueMail } from '../mails/mails.service.ts'
import { statusSampleJob } from './systemStatus.samples.ts'
import { readSystemStatus } from './systemStatus.service.ts'

type FaultMails = Setting<'faultMails'>

/** Between two mails about the same fault, in milliseconds. */
const QUIET = days(1)

/** A mail does not arrive while mails wait. */
const isMailed = (fault: Fault) => faultEntry(fault).isUrgent && fault !== 'mailDelayed'

/** Returns the faults to mail now, and the new stored state. A fault that returns within a day is mailed after it. */
function planMails(present: readonly Fault[], mailed: FaultMails, now: Date) {
  const isPast = ({ mailDT }: FaultMails[string]) => new Date(mailDT) <= later(now, -QUIET)
  const due = present.filter((fault) => {
    const last = mailed[fault]
    return last === undefined || ((last.isGone === 1 || faultEntry(fault).isDaily) && isPast(last))
  })
  const names: readonly string[] = present
  const kept = Object.entries(mailed).filter(([fault, last]) => names.includes(fault) || !isPast(last))
  const next: FaultMails = Object.fromEntries(
    kept.map(([fault, last]) => [fault, names.includes(fault) ? last : { ...last, isGone: 1 }]),
  )
  for (const fault of due) next[fault] = { mailDT: now.toISOString(), isGone: 0 }
  return { due, next }
}

/** Mails all administrators the urgent faults that are new. A node that runs this concurrently finds them mailed. */
export async function mailFaults(services: Services): Promise<void> {
  const { db, clock } = services
  const { faults } = await readSystemStatus(db.read, services)
  const now = clock.now()
  await asSystem(services, async (tx) => {
    const mailed = (await lockSetting(tx, 'faultMails')) ?? {}
    const { due, next } = planMails(faults.filter(isMailed), mailed, now)
    if (!isDeepStrictEqual(next, mailed)) await updateSetting(tx, 'faultMails', next)
    for (const { name, email } of due.length === 0 ? [] : await findAdmins(tx))
      await enqueueMail(tx, services, 'urgentFaults', { to: email, name, faults: due, when: now })
  })
}

export const systemStatusJobs: readonly Job[] = [
  { name: 'mailFaults', cron: '*/5 * * * *', run: mailFaults },
  statusSampleJob,
]
