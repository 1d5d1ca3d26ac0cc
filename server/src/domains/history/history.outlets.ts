// Outlets of the history: a job sends the rows since its last run to each outlet that the operator has set: syslog or
// files. The database advances an outlet's position once it has the rows, so that each row arrives at least once.
import type { OutletName } from '@acc/contract/labels/systemStatus'
import { minutes } from '../../clock.ts'
import { asSystem } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import type { Reader } from '../../db/open.ts'
import type { Env } from '../../env.ts'
import { requireOrigin } from './history.origin.ts'
import { findMomentAfter, findOutgoing, type Outgoing, SOURCES, type Source } from './history.outgoing.ts'
import { findComplete } from './history.seals.ts'

type Send = (rows: readonly Outgoing[]) => Promise<void>

/** Rows that are sent at once. */
const BATCH = 500
/** Milliseconds after which a run leaves the rest to the next one: the queue gives up a run of five minutes. */
const LONGEST_RUN = minutes(2)

/** The names of the outlets that the operator has set. */
const outletsOf = ({ historyDir, syslog }: Env): OutletName[] => [
  ...(historyDir === undefined ? [] : (['file'] as const)),
  ...(syslog === undefined ? [] : (['syslog'] as const)),
]

/** How an outlet sends; its code is loaded where it is used. */
async function senderOf(outlet: OutletName, { env, clock }: Pick<Services, 'env' | 'clock'>): Promise<Send> {
  const { historyDir = '', syslog, publicUrl } = env
  if (outlet === 'file' || syslog === undefined) {
    const { appendToFile } = await import('./history.files.ts')
    return (rows) => appendToFile(historyDir, clock.now(), rows)
  }
  const { sendSyslog, syslogMessage } = await import('./history.syslog.ts')
  // The same on all nodes, so that a row that is sent again is the same message.
  const hostname = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  return (rows) =>
    sendSyslog(
      syslog,
      rows.map((row) => syslogMessage(row, hostname)),
    )
}

const findOutlet = (db: Reader, outlet: OutletName) =>
  db.selectFrom('historyOutlets').select(['source', 'toIdx', 'sendDT']).where('outlet', '=', outlet).execute()

/** How far a source has gone out: from where this run found it, to where it is now. */
type Step = { source: Source; from: number; toIdx: number }

/** Moves an outlet on. */
const moveOn = (services: Services, outlet: OutletName, steps: readonly Step[]): Promise<void> =>
  asSystem(services, async (tx) => {
    const sendDT = services.clock.now()
    for (const { source, from, toIdx } of steps) {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('historyOutlets')
        .values({ outlet, source, toIdx, sendDT })
        .onConflict((oc) =>
          oc.columns(['outlet', 'source']).doUpdateSet({ toIdx, sendDT }).where('historyOutlets.toIdx', '=', from),
        )
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) throw new Error('another node sends the history, too')
    }
  })

/** The last rows of the tables below which none can appear any more. */
async function findEnds(services: Services): Promise<{ source: Source; to: number }[]> {
  const ends: { source: Source; to: number }[] = []
  for (const source of SOURCES)
    ends.push({
      source,
      to: await asSystem(services, async (tx) => ({ result: await findComplete(tx, source) })),
    })
  return ends
}

/** Finds the next rows to send, of one source after the other, and where sending them leads to. */
async function findNext(
  db: Reader,
  outlet: OutletName,
  { ends, origin }: { ends: readonly { source: Source; to: number }[]; origin: string },
) {
  const known = await findOutlet(db, outlet)
  const rows: Outgoing[] = []
  const steps: Step[] = []
  for (const { source, to } of ends) {
    const from = known.find((one) => one.source === source)?.toIdx ?? 0
    const found = await findOutgoing(db, source, { after: from, to, limit: BATCH - rows.length, origin })
    const toIdx = found.at(-1)?.idx
    if (toIdx !== undefined) steps.push({ source, from, toIdx })
    rows.push(...found)
  }
  return { rows, steps }
}

async function sendAll(services: Services, outlet: OutletName, lost: AbortSignal): Promise<void> {
  const { read } = services.db
  const end = performance.now() + LONGEST_RUN
  const send = await senderOf(outlet, services)
  const through = { ends: await findEnds(services), origin: await requireOrigin(services) }
  for (let count = BATCH; count === BATCH && performance.now() < end; ) {
    const { rows, steps } = await findNext(read, outlet, through)
    if (rows.length > 0) {
      await send(rows)
      lost.throwIfAborted()
      await moveOn(services, outlet, steps)
    }
    count = rows.length
  }
}

/** Sends what has not gone out yet, to each outlet by itself: one that fails holds up no other. */
export async function sendHistory(services: Services): Promise<void> {
  const outlets = outletsOf(services.env)
  if (outlets.length === 0) return
  const lock = await services.locks.tryLock('historyOutlets')
  if (lock === undefined) return
  const failures: string[] = []
  try {
    for (const outlet of outlets)
      await sendAll(services, outlet, lock.lost).catch((error: unknown) =>
        failures.push(`${outlet}: ${error instanceof Error ? error.message : String(error)}`),
      )
  } finally {
    await lock.release()
  }
  if (failures.length > 0) throw new Error(`the history does not go out (${failures.join('; ')})`)
}

type OutletState = {
  name: OutletName
  /** When it last took rows; null if it never did. */
  sendDT: Date | null
  /** Since when its oldest row has been waiting; null if none does. */
  waitDT: Date | null
}

const earliest = (moments: readonly (Date | null)[]): Date | null =>
  moments.reduce((first, moment) => (first === null || (moment !== null && moment < first) ? moment : first), null)
const latest = (moments: readonly Date[]): Date | null =>
  moments.reduce<Date | null>((last, moment) => (last === null || moment > last ? moment : last), null)

/** The state of each outlet. */
export const findOutlets = (db: Reader, env: Env): Promise<OutletState[]> =>
  Promise.all(
    outletsOf(env).map(async (name) => {
      const found = await findOutlet(db, name)
      const waiting = SOURCES.map((source) =>
        findMomentAfter(db, source, found.find((one) => one.source === source)?.toIdx ?? 0),
      )
      return { name, sendDT: latest(found.map(({ sendDT }) => sendDT)), waitDT: earliest(await Promise.all(waiting)) }
    }),
  )
