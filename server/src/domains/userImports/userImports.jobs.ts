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
import { deleteRunsBefore, findOpenRuns, findRun, type RunRow } from './userImports.queries.ts'
import { cancelIf, endRefused, enqueueRun, isUnread, RUN_IMPORT } from './userImports.runs.ts'

/** Days after the end of a run for which its rows are kept. */
export const KEPT_DAYS = 90
/** Days after which a plan or a paused run that nobody directs is canceled: its comparison is out of date. */
export const FORGOTTEN_DAYS = 30
/** Minutes after which a source that is still being read counts as failed. */
const READING = 60
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

type OpenRun = Pick<RunRow, 'state' | 'hash' | 'refusal'>
/** Whether the server has something to do for a run. */
const isAtWork = (run: OpenRun): boolean =>
  run.state === ImportState.APPLYING || (run.state === ImportState.PLANNING && !isUnread(run))

/** Makes the next step of a run. Returns whether there may be more. */
async function stepRun(services: Services, idx: number): Promise<boolean> {
  const run = await findRun(services.db.read, idx)
  if (run?.state === ImportState.PLANNING && run.refusal !== null) await endRefused(services, idx, run.refusal)
  else if (run?.state === ImportState.PLANNING && run.hash !== '') await planRun(services, run)
  else return run?.state === ImportState.APPLYING && tryBlock(services, run)
  return true
}

/** Makes the plan of a run, or applies it, until a person or its end stops it. One node does. */
export async function advanceRun(services: Services, idx: number): Promise<void> {
  let run: OpenRun | undefined
  do {
    const lock = await services.locks.tryLock(`userImport:${idx}`)
    if (lock === undefined) return
    try {
      while (!lock.lost.aborted && (await stepRun(services, idx)));
    } finally {
      await lock.release()
    }
    // Somebody may have continued it before the release, whose job found the lock taken.
    run = await findRun(services.db.read, idx)
  } while (run !== undefined && isAtWork(run))
}

const isSilent = ({ activeDT }: { activeDT: Date }, now: Date, tolerated: number) => activeDT < later(now, -tolerated)

/** Continues interrupted runs. Runs that a node works on are locked, and stay with it. */
export async function continueRuns(services: Services): Promise<void> {
  const now = services.clock.now()
  for (const run of await findOpenRuns(services.db.read)) {
    if (isUnread(run) && isSilent(run, now, minutes(READING))) await cancelIf(services, run.idx, isUnread)
    if (isAtWork(run)) await asSystem(services, async (tx) => ({ result: await enqueueRun(tx, services, run.idx) }))
  }
}

/** Cancels forgotten runs, and deletes old ones with the personal data of their rows. */
export async function deleteOldRuns(services: Services): Promise<void> {
  const now = services.clock.now()
  const isForgotten = (run: Pick<RunRow, 'state' | 'activeDT'>) =>
    (run.state === ImportState.PLANNED || run.state === ImportState.PAUSED) && isSilent(run, now, days(FORGOTTEN_DAYS))
  for (const run of await findOpenRuns(services.db.read))
    if (isForgotten(run)) await cancelIf(services, run.idx, isForgotten)
  const deleteSome = () =>
    asSystem(services, async (tx) => ({
      result: await deleteRunsBefore(tx, later(now, -days(KEPT_DAYS)), RUNS_AT_ONCE),
    }))
  while ((await deleteSome()) === RUNS_AT_ONCE);
}

export const userImportJobs: readonly Job[] = [
  {
    name: RUN_IMPORT,
    seconds: 3_600,
    concurrency: 2,
    run: (services, data) => advanceRun(services, (data as { idx: number }).idx),
  },
  { name: 'continueImports', cron: '* * * * *', atStart: true, run: continueRuns },
  { name: 'mailImportPasswords', cron: '* * * * *', run: mailPasswords },
  { name: 'deleteOldImports', cron: '21 2 * * *', run: deleteOldRuns },
]
