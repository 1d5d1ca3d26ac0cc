// The job queue: work that follows a transaction, is scheduled, or is retried. pg-boss stores it in the database schema
// `jobs`, shared by all nodes. A job exists if its transaction commits. Jobs run at least once, so they are idempotent.
import { randomUUID } from 'node:crypto'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import { minutes } from '../clock.ts'
import type { Connection, Database, Reader, Tx } from '../db/open.ts'
import type { DB } from '../db/schema.gen.ts'

/** A queue and how its jobs run. */
export type Queue = {
  /** Names the job's queue: letters, digits, `_`, `-` and `.`. */
  name: string
  /** Five fields in UTC, by the database's clock. Each run is on one node; one run replaces all missed ones. */
  cron?: string
  /** Retries of a failed run: after `seconds`, then after twice as long each time. None by default. */
  retries?: { limit: number; seconds: number }
  /** Seconds after which a run is given up; 300 by default. */
  seconds?: number
  /** Concurrent runs on one node; 1 by default. */
  concurrency?: number
}

type Handler = (data: unknown) => Promise<unknown>

/** A job that this node runs, and its runs. The counts of the queue are up to half a minute old. */
type JobStatus = {
  name: string
  cron: string | null
  completeDT: Date | null
  /** The last run that failed and was not retried. */
  failDT: Date | null
  /** Failed runs of the last 24 hours. */
  failures: number
  waiting: number
  /** When a scheduled job runs next, or was to run since its last run and the start of this node. */
  dueDT: Date | null
}

export type Jobs = {
  /** Adds a job that exists if the transaction commits. Of the waiting jobs with one key there is only one. */
  enqueue(tx: Tx, name: string, data: object, options?: { key?: string }): Promise<void>
  /** Runs the handler for each job of the queue, on this node, until `stop`. */
  work(job: Queue, handler: Handler): Promise<void>
  /** Stores the schedules of these jobs and deletes all others. */
  schedule(jobs: readonly Queue[]): Promise<void>
  /** Returns the jobs that this node runs. */
  list(db: Reader): Promise<JobStatus[]>
  /** Runs the waiting jobs of the queue in order and returns their number. Throws the first error. */
  drain(job: Queue, handler: Handler): Promise<number>
  /** Takes no more jobs and waits for running ones up to the time-out. Interrupted jobs run again later. */
  stop(milliseconds?: number): Promise<void>
}

type Log = { warn(fields: object, text: string): void; error(fields: object, text: string): void }

/** Default and least time-out of stopping, in milliseconds. */
const STOP = 5_000
const SHORTEST_STOP = 1_000
/** A run that takes longer is given up and counts as failed. */
const RUN_SECONDS = 300
/** Seconds between two looks at the queues (retries and lost notifications), the schedules and the counts. */
const POLL_SECONDS = 15
/** The key of the jobs that the schedules send. */
const DUE = 'due'
/** How long a finished job is kept. */
const KEEP_SECONDS = 24 * 3600
/** While the database is away every worker complains repeatedly: the same complaint is logged once in this time. */
const SILENCE = minutes(1)

const settingsOf = ({ retries, seconds = RUN_SECONDS }: Queue) => ({
  retryLimit: retries?.limit ?? 0,
  retryDelay: retries?.seconds ?? 0,
  retryBackoff: retries !== undefined,
  expireInSeconds: seconds,
  deleteAfterSeconds: KEEP_SECONDS,
})

const SCHEMA = 'jobs'

/** Creates or upgrades pg-boss's tables, as their owner. */
export async function migrateJobs(owner: Kysely<DB>): Promise<void> {
  const executeSql = (text: string, values: unknown[] = []) => owner.executeQuery(CompiledQuery.raw(text, values))
  const boss = new PgBoss({ db: { executeSql }, schema: SCHEMA, supervise: false, schedule: false })
  await boss.start()
  await boss.stop({ graceful: false })
}

/** Starts pg-boss; `stop` ends it within its time-out. */
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
    cronMonitorIntervalSeconds: POLL_SECONDS,
    // Less than the minute for which a due run is found, so that a step of this machine's clock loses none.
    clockMonitorIntervalSeconds: POLL_SECONDS,
    superviseIntervalSeconds: POLL_SECONDS,
    monitorIntervalSeconds: POLL_SECONDS,
    // No job depends on another.
    flowIntervalSeconds: 3_600,
  })
  let isStopped = false
  const complain = logErrorsTo(log)
  boss.on('error', (error) => {
    // Closed connections may still report that the database stops.
    if (!isStopped) complain(error)
  })
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'the job queue warns'))
  await boss.start()
  const stop = async (milliseconds: number) => {
    await boss.stop({ timeout: Math.max(SHORTEST_STOP, Math.min(STOP, milliseconds)) })
    isStopped = true
  }
  return { boss, stop }
}

/** Stores the schedules of some jobs and deletes all others. */
async function keepSchedules(boss: PgBoss, jobs: readonly Queue[]): Promise<void> {
  const wanted = new Map(jobs.map(({ name, cron }) => [name, cron]))
  for (const { name } of await boss.getSchedules()) if (wanted.get(name) === undefined) await boss.unschedule(name)
  for (const [name, cron] of wanted)
    if (cron !== undefined) await boss.schedule(name, cron, {}, { singletonKey: DUE, missed: 'once' })
}

type Outcome = 'completeDT' | 'failDT'

/** Stores the moment of a run. Without the database the run is not acknowledged either. */
const storeRun = (db: Kysely<DB>, name: string, outcome: Outcome) => {
  const run = { [outcome]: sql<Date>`now()` }
  return db
    .insertInto('jobRuns')
    .values({ name, ...run })
    .onConflict((oc) => oc.column('name').doUpdateSet(run))
    .execute()
}

/** Returns when a job runs next. Keeps each result until the job has run: pg-boss takes a fifth of a millisecond. */
function openPreviews(boss: PgBoss) {
  const kept = new Map<string, { cron: string; fromMs: number; dueDT: Date | null }>()
  return (name: string, cron: string, fromMs: number): Date | null => {
    const last = kept.get(name)
    if (last?.cron === cron && last.fromMs === fromMs) return last.dueDT
    const [dueDT = null] = boss.previewSchedule(cron, { from: new Date(fromMs), count: 1 })
    kept.set(name, { cron, fromMs, dueDT })
    return dueDT
  }
}

type Listing = { boss: PgBoss; preview: ReturnType<typeof openPreviews>; names: readonly string[]; openMs: number }

async function listJobs(db: Reader, { boss, preview, names, openMs }: Listing): Promise<JobStatus[]> {
  if (names.length === 0) return []
  const [queues, schedules, runs] = await Promise.all([
    boss.getQueues([...names]),
    boss.getSchedules(),
    db.selectFrom('jobRuns').selectAll().execute(),
  ])
  const sorted = queues.sort((one, other) => (one.name < other.name ? -1 : 1))
  return sorted.map(({ name, readyCount, failedCount }) => {
    const cron = schedules.find((schedule) => schedule.name === name)?.cron ?? null
    const { completeDT = null, failDT = null } = runs.find((run) => run.name === name) ?? {}
    const dueDT = cron === null ? null : preview(name, cron, Math.max(Number(completeDT), Number(failDT), openMs))
    return { name, cron, completeDT, failDT, failures: failedCount, waiting: readyCount, dueDT }
  })
}

type Parts = { connection: Connection; db: Pick<Database, 'write'>; log: Log }

/** Opens the queue, on two connections and one that listens. Throws where the database cannot be reached. */
export async function openJobs({ connection, db: { write: db }, log }: Parts): Promise<Jobs> {
  const { boss, stop } = await openBoss(connection, log)
  const made = new Set<string>()
  const worked = new Set<string>()
  const openMs = Date.now()
  const preview = openPreviews(boss)
  const makeQueue = async (name: string) => {
    if (made.has(name)) return
    // `short`: of the jobs with one key at most one waits, so that the runs of a schedule never pile up.
    await boss.createQueue(name, { policy: 'short', notify: true })
    made.add(name)
  }
  const enqueue: Jobs['enqueue'] = async (tx, name, data, { key = randomUUID() } = {}) => {
    await makeQueue(name)
    await boss.send(name, data, { db: fromKysely(tx), singletonKey: key })
  }
  return {
    enqueue,
    work: async (job, handler) => {
      await makeQueue(job.name)
      worked.add(job.name)
      await boss.updateQueue(job.name, settingsOf(job))
      const options = {
        pollingIntervalSeconds: POLL_SECONDS,
        notifyPollingIntervalSeconds: POLL_SECONDS,
      }
      for (let at = 0; at < (job.concurrency ?? 1); at++) {
        const worker = await boss.work(job.name, options, async ([taken]) => {
          // Other jobs may have been announced together with this one, or before the start.
          boss.notifyWorker(worker)
          if (taken === undefined) return
          const isLast = taken.retryCount >= (job.retries?.limit ?? 0)
          const store = (outcome: Outcome) => storeRun(db, job.name, outcome)
          await run(log, job.name, () => handler(taken.data)).catch(async (error: unknown) => {
            if (isLast) await store('failDT')
            throw error
          })
          await store('completeDT')
        })
      }
    },
    schedule: async (jobs) => {
      for (const { name } of jobs) await makeQueue(name)
      await keepSchedules(boss, jobs)
    },
    list: (db) => listJobs(db, { boss, preview, names: [...worked], openMs }),
    drain: async ({ name }, handler) => {
      await makeQueue(name)
      return drain(boss, name, handler)
    },
    stop: (milliseconds = STOP) => stop(milliseconds),
  }
}

/** Runs a job and logs its failure. The queue keeps the message alone: an error may also hold values of a row. */
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

function logErrorsTo(log: Log): (error: { message: string }) => void {
  const reported = new Set<string>()
  return ({ message }) => {
    const reason = message.replace(/ \(Queue: .*\)$/, '')
    if (reported.has(reason)) return
    reported.add(reason)
    setTimeout(() => reported.delete(reason), SILENCE).unref()
    log.warn({ reason }, 'the job queue met an error and continues')
  }
}
