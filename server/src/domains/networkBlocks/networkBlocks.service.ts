// Blocked connections reported by desktop clients, for the network log (spec S2 §3, §4). A client repeats a batch until it gets
// a response, so a repeated batch counts once.
import type { networkBlocks } from '@acc/contract/networkBlocks'
import type { z } from 'zod'
import type { HistoryEntry } from '../../core/change.ts'
import { logOf } from '../../core/change.ts'
import type { Actor, Change } from '../../core/context.ts'
import { insertBatch } from './networkBlocks.queries.ts'

type Batch = z.output<typeof networkBlocks.report.input>
type Block = Batch['blocks'][number]

const blockLog = (actor: Actor, { type, targetIp, blockDT, processName }: Block): HistoryEntry<'networkAccess'> => ({
  kind: 'networkAccess',
  type,
  subject: targetIp,
  subjectIdx: actor.idx,
  groupIdx: actor.groupIdx,
  detail: {
    userId: actor.id,
    userName: actor.name,
    userGroupName: actor.groupName,
    targetIp,
    // By the clock of the PC; the time of the row is the server's.
    blockDT: new Date(blockDT).toISOString(),
    processName: processName ?? null,
  },
})

/** Logs a batch unless it was reported before. */
export async function reportBlocks(ctx: Change<'networkAccess'>, { batchId, blocks }: Batch) {
  const { actor, app } = ctx
  return ctx.change(async (tx) => {
    const isNew = await insertBatch(tx, { userIdx: actor.idx, batchId, receiveDT: app.clock.now() })
    const log = isNew ? blocks.map((block) => blockLog(actor, block)) : []
    return { result: { accepted: log.length }, log: logOf(log) }
  })
}
