// The job queue: work that follows a transaction, is scheduled, or is retried until it succeeds. pg-boss stores it in the
// database schema `jobs`, shared by all nodes; a job exists exactly if its transaction commits. Jobs run at least once, so
// they must be idempotent.
import { randomUUID } from 'node:crypto'
import { CompiledQuery, type Kysely } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import { minutes } from '../clock.ts'
import type { Connection, Database, Tx } from '../db/open.ts'
import type { DB } from '../db/schema.gen.ts'
import { findNow, openSchedules } from './schedules.ts'

/** A queue and how its jobs run. */
export type Queue = {
  /** Names the job's queue: letters, digits, `_`, `-` and `.`. */
  name: string
  /** Five fields in UTC, by the database's clock. Each occurrence runs on one node; those missed are made up for by one run. */
  cron?: string
  /** How often a failed run is tried again: after `seconds`, twice that, four times that. Not at all where it is left out. */
  retries?: { limit: number; seconds: number }
  /** Seconds after which a run is given up; 300 where it is left out. */
  seconds?: number
  /** How many of this job may run at once on one node; 1 where it is left out. */
  concurrency?: number
}

type Handler = (data: unknown) => Promise<unknown>

export type Jobs = {
  /** Adds a job that exists exactly when the transaction commits. Of the jobs of a queue that wait with one key there is only one. */
  enqueue(tx: Tx, name: string, data: object, options?: { key?: string }): Promise<void>
  /** Runs the handler for each job of the queue, on this node, until `stop`. */
  work(job: Queue, handler: Handler): Promise<void>
  /** Has these jobs, and no others, come round by their crons, on whichever node is free. */
  schedule(jobs: readonly Queue[]): Promise<void>
  /** Sends what is due by the schedules from now on. */
  follow(): void
  /** Sends what is due at a moment. */
  sendDue(now: Date): Promise<void>
  /** Runs what is due in the queue here and now, one after the other; answers how many jobs that were, throws what the first one throws. */
  drain(job: Queue, handler: Handler): Promise<number>
  /** Takes no more jobs and waits so many milliseconds at most for those that run; what is cut short runs again later. */
  stop(milliseconds?: number): Promise<void>
}

type Log = { warn(fields: object, text: string): void; error(fields: object, text: string): void }

/** Milliseconds: how long stopping waits where it is left to the queue, and the least it can wait. */
const STOP = 5_000
const SHORTEST_STOP = 1_000
/** A run that takes longer is given up and counts as failed. */
const RUN_SECONDS = 300
/** How often a queue is looked at unasked: for runs to be tried again, and for what was announced while the connection was away. */
const POLL_SECONDS = 15
/** How often what is due by the schedules is looked for, in milliseconds. */
const LOOK = 10_000
/** The key of the jobs that the schedules send. */
const DUE = 'due'
/** How long a finished job can be looked up. */
const KEEP_SECONDS = 24 * 3600
/** While the database is away every worker complains again and again: the same complaint is logged once in this time. */
const SILENCE = minutes(1)

const settingsOf = ({ retries, seconds = RUN_SECONDS }: Queue) => ({
  retryLimit: retries?.limit ?? 0,
  retryDelay: retries?.seconds ?? 0,
  retryBackoff: retries !== undefined,
  expireInSeconds: seconds,
  deleteAfterSeconds: KEEP_SECONDS,
})

const SCHEMA = 'jobs'

/** Makes or upgrades pg-boss's tables, as their owner. */
export async function migrateJobs(owner: Kysely<DB>): Promise<void> {
  const executeSql = (text: string, values: unknown[] = []) => owner.executeQuery(CompiledQuery.raw(text, values))
  const boss = new PgBoss({ db: { executeSql }, schema: SCHEMA, supervise: false, schedule: false })
  await boss.start()
  await boss.stop({ graceful: false })
}

/** pg-boss at work, and what ends it within so many milliseconds. */
async function openBoss(connection: Connection, log: Log) {
  const boss = new PgBoss({
    ...connection,
    schema: SCHEMA,
    migrate: false,
    // Its indexes belong to the owner.
    reindex: false,
    application_name: 'acc jobs',
    max: 2,
    connectionTimeoutMillis: 5_000,
    useListenNotify: true,
    // The times are ours (schedules.ts), and no job depends on another.
    schedule: false,
    flowIntervalSeconds: 3_600,
  })
  let isStopped = false
  const complain = complaintsTo(log)
  boss.on('error', (error) => {
    // Connections that it has let go of may still tell that the database stops as well.
    if (!isStopped) complain(error)
  })
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'the job queue warns'))
  await boss.start()
  const stop = async (milliseconds: number) => {
    await boss.stop({ timeout: Math.max(SHORTEST_STOP, Math.min(STOP, milliseconds)) })
    isStopped = true
  }
  return { boss, complain, stop }
}

/** Calls `look` at once, and again and again, until the returned function is called. */
function repeat(look: () => Promise<unknown>, complain: (error: Error) => void): () => void {
  let isEnded = false
  let timer: NodeJS.Timeout | undefined
  const round = async (): Promise<void> => {
    await look().catch((error: Error) => isEnded || complain(error))
    if (!isEnded) timer = setTimeout(() => void round(), LOOK)
  }
  void round()
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}

type Parts = { connection: Connection; db: Pick<Database, 'write'>; log: Log }

/** Opens the queue, on two connections and one that listens. Throws where the database cannot be reached. */
export async function openJobs({ connection, db: { write: db }, log }: Parts): Promise<Jobs> {
  const { boss, complain, stop } = await openBoss(connection, log)
  const made = new Set<string>()
  const makeQueue = async (name: string) => {
    if (made.has(name)) return
    // `short`: of the jobs with one key at most one waits. A cron's have one key, so they never pile up.
    await boss.createQueue(name, { policy: 'short', notify: true })
    made.add(name)
  }
  const enqueue: Jobs['enqueue'] = async (tx, name, data, { key = randomUUID() } = {}) => {
    await makeQueue(name)
    await boss.send(name, data, { db: fromKysely(tx), singletonKey: key })
  }
  const schedules = openSchedules({
    db,
    nextOf: (cron, from) => boss.previewSchedule(cron, { from, count: 1 })[0] ?? from,
    send: (tx, name) => enqueue(tx, name, {}, { key: DUE }),
  })
  let unfollow = () => {}
  return {
    enqueue,
    work: async (job, handler) => {
      await makeQueue(job.name)
      await boss.updateQueue(job.name, settingsOf(job))
      const options = {
        pollingIntervalSeconds: POLL_SECONDS,
        notifyPollingIntervalSeconds: POLL_SECONDS,
      }
      for (let at = 0; at < (job.concurrency ?? 1); at++) {
        const worker = await boss.work(job.name, options, async ([taken]) => {
          // What else waits may have been announced once for all of it, or before the start: looks again after each run.
          boss.notifyWorker(worker)
          if (taken !== undefined) await run(log, job.name, () => handler(taken.data))
        })
      }
    },
    schedule: (jobs) => schedules.keep(jobs.flatMap(({ name, cron }) => (cron === undefined ? [] : [{ name, cron }]))),
    follow: () => {
      unfollow = repeat(async () => schedules.sendDue(await findNow(db)), complain)
    },
    sendDue: schedules.sendDue,
    drain: async ({ name }, handler) => {
      await makeQueue(name)
      return drain(boss, name, handler)
    },
    stop: async (milliseconds = STOP) => {
      unfollow()
      await stop(milliseconds)
    },
  }
}

/** Runs a job and logs its failure. The queue keeps the message alone: what else an error holds may be the values of a row. */
async function run(log: Log, job: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    log.error({ job, reason: message, stack }, 'a job failed')
    throw new Error(message)
  }
}

async function drain(boss: PgBoss, name: string, handler: Handler): Promise<number> {
  for (let count = 0; ; count++) {
    const [taken] = await boss.fetch(name)
    if (taken === undefined) return count
    try {
      await handler(taken.data)
    } catch (error) {
      await boss.fail(name, taken)
      throw error
    }
    await boss.complete(name, taken)
  }
}

function complaintsTo(log: Log): (error: { message: string }) => void {
  const reported = new Set<string>()
  return ({ message }) => {
    const reason = message.replace(/ \(Queue: .*\)$/, '')
    if (reported.has(reason)) return
    reported.add(reason)
    setTimeout(() => reported.delete(reason), SILENCE).unref()
    log.warn({ reason }, 'the job queue met an error and goes on')
  }
}
