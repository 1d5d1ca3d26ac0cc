// When the jobs that have a time come round: a row with the next moment of each, judged by the database's clock, which all nodes
// share. What came due while no node was up, while the machine slept or over a jump of the clock is sent once, when a node looks
// again. pg-boss's own schedules ask for what came due in the last minute: after a step of the clock between server and database a
// run was left out, and after one backwards all of them were, for as long as the step.
import { type Kysely, sql, type Transaction } from 'kysely'
import { minutes } from '../clock.ts'
import type { DB } from '../db/schema.gen.ts'

export type TimedJob = { name: string; cron: string }

type Parts = {
  db: Kysely<DB>
  /** Returns the first moment of a cron after another moment. */
  nextOf(cron: string, after: Date): Date
  send(tx: Transaction<DB>, name: string): Promise<unknown>
}

/** A node may have read the time just before another one sent what is due now. */
const TOLERANCE = minutes(1)

export async function findNow(db: Kysely<DB>): Promise<Date> {
  const { now } = await db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow()
  return now
}

export function openSchedules({ db, nextOf, send }: Parts) {
  return {
    /** Has these jobs, and no others, come round. One that is known goes on as planned, and is due if its moment has passed. */
    keep: async (jobs: readonly TimedJob[]): Promise<void> => {
      const now = await findNow(db)
      await db.transaction().execute(async (tx) => {
        const names = jobs.map(({ name }) => name)
        await tx.deleteFrom('schedules').where('name', '<>', sql<string>`all(${names})`).execute()
        for (const { name, cron } of jobs) {
          const nextDT = nextOf(cron, now)
          await tx
            .insertInto('schedules')
            .values({ name, cron, nextDT })
            .onConflict((oc) => oc.column('name').doUpdateSet({ cron, nextDT }).where('schedules.cron', '<>', cron))
            .execute()
        }
      })
    },
    /** Sends what is due at the moment, each job once, whichever nodes ask at the same time. */
    sendDue: async (now: Date): Promise<void> => {
      const latest = new Date(now.getTime() + TOLERANCE)
      const schedules = await db.selectFrom('schedules').selectAll().orderBy('name').execute()
      const isSetBack = ({ cron, nextDT }: (typeof schedules)[number]) => nextDT > nextOf(cron, latest)
      const passed = schedules.filter((schedule) => schedule.nextDT <= now || isSetBack(schedule))
      if (passed.length === 0) return
      await db.transaction().execute(async (tx) => {
        for (const { name, cron, nextDT } of passed) {
          const moved = await tx
            .updateTable('schedules')
            .set({ nextDT: nextOf(cron, now) })
            .where('name', '=', name)
            .where('nextDT', '=', nextDT)
            .returning('name')
            .execute()
          if (moved.length > 0 && nextDT <= now) await send(tx, name)
        }
      })
      if (passed.some(isSetBack)) await sendWaiting(db)
    },
  }
}

/** Has what waits begin now: nothing of ours is put off for longer than retries are, so a clock that was set back did it. */
const sendWaiting = (db: Kysely<DB>) =>
  sql`update jobs.job set start_after = now() where state in ('created', 'retry') and start_after > now()`.execute(db)
