// A job of a domain: its queue, and what it does with the services.
import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseGone } from '../db/constraints.ts'
import type { Queue } from '../jobs/jobs.ts'
import { change, SYSTEM } from './change.ts'
import type { Services } from './services.ts'

export type Job = Queue & {
  /** Also runs when a node starts: what a killed node left does not wait. */
  atStart?: true
  run(services: Services, data: unknown): Promise<unknown>
}

/** Runs the work of a job in one transaction, without an actor. */
export const asSystem = <T>(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  work: Parameters<typeof change<T>>[2],
): Promise<T> => change(db, { author: SYSTEM, now: () => clock.now() }, work)

/** Milliseconds between two attempts while the database is lost. */
const PAUSE = 500

/** Repeats work while the database is lost, for so many milliseconds at most. */
export async function repeatWhileLost(work: () => Promise<void>, longest: number): Promise<void> {
  for (const end = performance.now() + longest; ; await wait(PAUSE)) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseGone(error) || performance.now() >= end) throw error
    }
  }
}

/** Starts this node's workers and schedules for all jobs. A lost database delays it. */
export async function startJobs(services: Services, jobs: readonly Job[]): Promise<void> {
  const step = (work: () => Promise<void>) => repeatWhileLost(work, Number.POSITIVE_INFINITY)
  await step(() => services.jobs.schedule(jobs))
  for (const job of jobs) await step(() => services.jobs.work(job, (data) => job.run(services, data)))
  const enqueue = ({ name }: Job) =>
    asSystem(services, async (tx) => ({ result: await services.jobs.enqueue(tx, name, {}) }))
  for (const job of jobs) if (job.atStart === true) await step(() => enqueue(job))
}

/** Runs all due jobs now, until none is left; tests call it instead of waiting. */
export async function runDueJobs(services: Services, jobs: readonly Job[]): Promise<void> {
  for (let count = 1; count > 0; ) {
    count = 0
    for (const job of jobs) count += await services.jobs.drain(job, (data) => job.run(services, data))
  }
}
