// The job that mails approvers what waits for them, with everything that waits new to all of them: its first run after an
// upgrade, or after a long weekend.
import { setTimeout } from 'node:timers/promises'
import { NoticeChoice } from '@acc/contract/labels/notices'
import { type Connection, type Database, openDatabase } from '@acc/server/src/db/open.ts'
import { sql } from 'kysely'
import { databaseTime, type Product, processorTime } from './processes.ts'
import type { Row } from './report.ts'
import { growthOf } from './transfers.ts'

/** Milliseconds: the job runs every minute. */
const PATIENCE = 180_000
const STEP = 50

/** Sets the choice of every approver; `nextDT` lets the next run consider them. */
export const setChoice = (db: Database, choice: NoticeChoice): Promise<unknown> =>
  sql`
    insert into "personNotices" ("userIdx", choice, "nextDT") select distinct "userIdx", ${choice}::smallint, now() from "authorityUsers"
    on conflict ("userIdx") do update set choice = excluded.choice, "nextDT" = excluded."nextDT", "seenNo" = 0, "mailDay" = null`.execute(
    db.write,
  )

type Counts = { waiting: number; approvers: number; done: number }
async function countNotices(db: Database, from: Date): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select (select count(*) from "fileEximports" where "waitDT" is not null) as waiting, count(*) as approvers,
      count(*) filter (where "nextDT" > ${from}) as done
    from "personNotices" where choice = ${NoticeChoice.AT_ONCE}`.execute(db.read)
  return rows[0] ?? { waiting: 0, approvers: 0, done: 0 }
}

/** Waits for the job's run; returns the seconds from the first approver to the last. */
async function followRun(db: Database, from: Date): Promise<Counts & { seconds: number }> {
  const until = performance.now() + PATIENCE
  let begun: number | undefined
  while (performance.now() < until) {
    const counts = await countNotices(db, from)
    if (counts.done > 0) begun ??= performance.now()
    if (begun !== undefined && counts.done === counts.approvers)
      return { ...counts, seconds: (performance.now() - begun + STEP) / 1000 }
    await setTimeout(STEP)
  }
  throw new Error('the job did not come to its end')
}

export async function measureNotices(product: Product, connection: Connection, dataDir: string): Promise<Row[]> {
  const db = openDatabase(connection, { warn: () => undefined }, 2)
  try {
    await setChoice(db, NoticeChoice.AT_ONCE)
    const [server, database] = [processorTime(product.pid), databaseTime(dataDir)]
    const [run, growth] = await growthOf(product.pid, () => followRun(db, new Date()))
    const of = (spent: number) => `${(spent / run.approvers).toFixed(1)}`
    return [
      {
        work: `mails to ${run.approvers} approvers about ${run.waiting.toLocaleString('en')} waiting requests, stored by the job`,
        product: `${run.seconds.toFixed(1)} s, memory +${growth.toFixed(0)} MiB`,
        wanted: '< 60 s, < 64 MiB',
        cost: `${of(processorTime(product.pid) - server)} + ${of(databaseTime(dataDir) - database)} ms a mail`,
      },
    ]
  } finally {
    await setChoice(db, NoticeChoice.OFF)
    await db.close()
  }
}
