// Blocked connections reported by desktop clients, for the network log (spec S2 §3, §4). A client repeats a batch until
// it gets a response, so a repeated batch counts once.
import type { networkBlocks } from '@acc/contract/networkBlocks'
import type { z } from 'zod'
import { days, later } from '../../clock.ts'
import type { HistoryEntry } from '../../core/change.ts'
import { logOf } from '../../core/change.ts'
import type { Actor, Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { personValues } from '../../core/historyValues.ts'
import { asSystem, type Job } from '../../core/job.ts'
import type { Services } from '../../core/services.ts'
import { countAccepted, deleteBatchesBefore, insertBatch, lockDevice, updateAccepted } from './networkBlocks.queries.ts'

type Batch = z.output<typeof networkBlocks.report.input>
type Block = Batch['blocks'][number]

const blockLog = (actor: Actor, { type, targetIp, blockDT, processName }: Block): HistoryEntry<'networkAccess'> => ({
  kind: 'networkAccess',
  type,
  subject: targetIp,
  subjectIdx: actor.idx,
  groupIdx: actor.groupIdx,
  detail: {
    ...personValues(actor),
    targetIp,
    // By the clock of the PC; the time of the row is the server's.
    blockDT: new Date(blockDT).toISOString(),
    processName: processName ?? null,
  },
})

/** Connections logged for a device within a day. The log keeps its rows for years, and a client must not fill it. */
export const MAX_PER_DAY = 5000

/** Logs a batch unless it was reported before, as much of it as the device has left for the day. */
export async function reportBlocks(ctx: Change<'networkAccess'>, { batchId, blocks }: Batch) {
  const { actor, services } = ctx
  const receiveDT = services.clock.now()
  return ctx.change(async (tx) => {
    const batch = { userIdx: actor.idx, batchId, receiveDT, deviceIdx: actor.deviceIdx }
    // Removed since the call began.
    if (actor.deviceIdx !== null && !(await lockDevice(tx, actor.deviceIdx))) fail('DEVICE_REMOVED')
    const left = MAX_PER_DAY - (await countAccepted(tx, actor.deviceIdx, later(receiveDT, -days(1))))
    // Without a row: batches of which nothing is logged must not fill the table either.
    if (left <= 0 || !(await insertBatch(tx, batch))) return { result: { accepted: 0 }, log: 'unchanged' }
    const log = blocks.slice(0, left).map((block) => blockLog(actor, block))
    await updateAccepted(tx, batch, log.length)
    return { result: { accepted: log.length }, log: logOf(log) }
  })
}

/** Days within which a repeated batch is recognized. */
const BATCH_DAYS = 90

const dropOldBatches = (services: Services) =>
  asSystem(services, async (tx) => ({
    result: await deleteBatchesBefore(tx, later(services.clock.now(), -days(BATCH_DAYS))),
  }))

export const networkBlockJobs: readonly Job[] = [{ name: 'dropOldBatches', cron: '51 4 * * *', run: dropOldBatches }]
