// Connections that desktop clients blocked, for the network log (S2 sections 3 and 4; design, section 6). A client sends its
// batches until one is answered, so a batch that comes again counts once.
import type { agent } from '@acc/contract/agent'
import type { z } from 'zod'
import type { HistoryEntry } from '../../core/change.ts'
import { logOf } from '../../core/change.ts'
import type { Actor, Change } from '../../core/context.ts'
import { insertBatch } from './agent.queries.ts'

type Batch = z.output<typeof agent.networkBlocks.input>
type Block = Batch['blocks'][number]

const blockLog = (actor: Actor, { type, targetIp, blockDT, processName }: Block): HistoryEntry<'networkAccess'> => ({
  kind: 'networkAccess',
  type,
  subject: targetIp,
  subjectIdx: null,
  groupIdx: actor.groupIdx,
  detail: {
    userId: actor.id,
    userName: actor.name,
    userGroupName: actor.groupName,
    targetIp,
    // By the PC's clock; the row's own time is the server's.
    blockDT: new Date(blockDT).toISOString(),
    ...(processName !== undefined && { processName }),
  },
})

/** Logs a batch, unless it is logged already. */
export async function reportBlocks(ctx: Change<'networkAccess'>, { batchId, blocks }: Batch) {
  const { actor, app } = ctx
  return ctx.change(async (tx) => {
    const isNew = await insertBatch(tx, { userIdx: actor.idx, batchId, receiveDT: app.clock.now() })
    const log = isNew ? blocks.map((block) => blockLog(actor, block)) : []
    return { result: { accepted: log.length }, log: logOf(log) }
  })
}
