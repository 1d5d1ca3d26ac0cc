// The jobs of imports: they plan and apply runs, continue those that were interrupted, mail passwords and delete old
// runs.
import { ImportState } from '@acc/contract/labels/userImports'
import { days, later, minutes } from '../../clock.ts'
import { Failure } from '../../core/errors.ts'
import { asSystem, type Job } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import { applyBlock } from './userImports.apply.ts'
import { mailPasswords } from './userImports.passwords.ts'
import { planRun } from './userImports.plan.ts'
import { deleteRunsBefore, findOpenRuns, findRun } from './userImports.queries.ts'
import { cancelUnread, endRefused, enqueueRun, RUN_IMPORT } from './userImports.runs.ts'

/** Days after the end of a run for which its rows are kept. */
export const KEPT_DAYS = 90
/** Minutes of silence after which a run counts as interrupted, and one whose source was being read as failed. */
const [SILENT, READING] = [1, 60]
/** Attempts at a block whose values others take at the same time. */
const TRIES = 5
/** Runs deleted in one transaction: each may have 200,000 rows. */
const RUNS_AT_ONCE = 5

const isRace = (error: unknown) => error instanceof Failure && error.error.startsWith('DUPLICATE_')

/** Applies a block. Repeats it where somebody takes one of its values between the check and the change. */
async function tryBlock(...run: Parameters<typeof applyBlock>): Promise<boolean> {
  for (let tried = 1; ; tried++) {
    try {
      return await applyBlock(...run)
    } catch (error) {
      if (!isRace(error) || tried === TRIES) throw error
    }
  }
}

/** Makes the plan of a run, or applies it, until a person or its end stops it. One node does. */
export async function advanceRun(services: Services, idx: number): Promise<void> {
  const lock = await services.locks.tryLock(`userImport:${idx}`)
  if (lock === undefined) return
  try {
    let isMore = true
    while (isMore && !lock.lost.aborted) {
      const run = await findRun(services.db.read, idx)
      if (run?.state === ImportState.PLANNING && run.refusal !== null) await endRefused(services, idx, run.refusal)
      else if (run?.state === ImportState.PLANNING && run.hash !== '') await planRun(services, run)
      else isMore = run?.state === ImportState.APPLYING && (await tryBlock(services, run))
    }
  } finally {
    await lock.release()
  }
}

/** Continues the runs that were interrupted. */
export async function continueRuns(services: Services): Promise<void> {
  const now = services.clock.now()
  const isSilent = ({ activeDT }: { activeDT: Date }, tolerated: number) => activeDT < later(now, -minutes(tolerated))
  for (const run of await findOpenRuns(services.db.read)) {
    const isUnread = run.state === ImportState.PLANNING && run.hash === ''
    if (isUnread && isSilent(run, READING)) await cancelUnread(services, run.idx)
    const isAtWork = run.state === ImportState.PLANNING || run.state === ImportState.APPLYING
    if (isUnread || !isAtWork || !isSilent(run, SILENT)) continue
    await asSystem(services, async (tx) => ({ result: await enqueueRun(tx, services, run.idx) }))
  }
}

/** Deletes runs with the personal data of their rows. */
export async function deleteOldRuns(services: Services): Promise<void> {
  const before = later(services.clock.now(), -days(KEPT_DAYS))
  const deleteSome = () =>
    asSystem(services, async (tx) => ({ result: await deleteRunsBefore(tx, before, RUNS_AT_ONCE) }))
  while ((await deleteSome()) === RUNS_AT_ONCE);
}

export const userImportJobs: readonly Job[] = [
  {
    name: RUN_IMPORT,
    seconds: 3_600,
    concurrency: 2,
    run: (services, data) => advanceRun(services, (data as { idx: number }).idx),
  },
  { name: 'continueImports', cron: '* * * * *', run: continueRuns },
  { name: 'mailImportPasswords', cron: '* * * * *', run: mailPasswords },
  { name: 'deleteOldImports', cron: '21 2 * * *', run: deleteOldRuns },
]
