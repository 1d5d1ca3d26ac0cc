// Reviews of urgent exports by the people who decide step 1 of a request (docs/decisions/32-urgentExports.md): one is
// confirmed or objected to, several of one person are confirmed together.
import { Level } from '@acc/contract/labels/access'
import { Decision, type Review } from '@acc/contract/labels/requests'
import { isToReview } from '@acc/contract/requestState'
import type { TransferKind } from '@acc/contract/requests'
import { logOf } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { fail, requireAll } from '../../core/errors.ts'
import type { Tx } from '../../db/open.ts'
import { findRight, type Right } from '../requests/requestSteps.queries.ts'
import { lockRequester } from '../requests/requests.blocks.ts'
import { mailObjection } from '../requests/requests.mails.ts'
import { findRequest, findRequestForUpdate, type RequestRow } from '../requests/requests.queries.ts'
import { reachOf } from '../requests/requests.service.ts'
import { decideLocked } from '../requests/requests.state.ts'

type Reviewed = Change<TransferKind>

/** Finds a request of somebody else that the caller reaches, in any state. */
async function findReached({ actor }: Reviewed, tx: Tx, idx: number): Promise<RequestRow | undefined> {
  const found = await findRequest(tx, idx, reachOf(actor, Level.EDIT))
  return found?.requesterIdx === actor.idx ? undefined : found
}

/** Locks an urgent export and finds in whose right the caller reviews it; undefined if it is not to be reviewed now. */
async function lockToReview(
  { actor }: Reviewed,
  tx: Tx,
  idx: number,
): Promise<{ before: RequestRow; right: Right } | undefined> {
  const before = (await findRequestForUpdate(tx, idx, reachOf(actor, Level.EDIT))) ?? fail('NOT_ALLOWED')
  if (!isToReview(before)) return undefined
  const right = await findRight(tx, actor, before)
  return right && { before, right }
}

/** Confirms an urgent export or objects to it. Of two reviews at once one gets REQUEST_STATE. */
export async function reviewUrgent(
  ctx: Reviewed,
  { idx, decision, purpose }: { idx: number; decision: Review; purpose: string },
) {
  const { actor, services } = ctx
  return ctx.change(async (tx) => {
    const found = (await findReached(ctx, tx, idx)) ?? fail('NOT_ALLOWED')
    await lockRequester(tx, found.requesterIdx)
    const { before, right } = (await lockToReview(ctx, tx, idx)) ?? fail('REQUEST_STATE')
    const reviewed = await decideLocked(tx, before, actor, { decision, purpose, right, at: services.clock.now() })
    if (decision === Decision.REJECT) await mailObjection(tx, services, reviewed.after)
    return { result: {}, log: [reviewed.log] }
  })
}

/** Confirms urgent exports of one person, in the order of their numbers. Leaves out those that others reviewed. */
export async function confirmUrgent(ctx: Reviewed, { idxes, purpose }: { idxes: number[]; purpose: string }) {
  const { actor, services } = ctx
  const inOrder = idxes.toSorted((one, other) => one - other)
  return ctx.change(async (tx) => {
    const found: RequestRow[] = []
    for (const idx of inOrder) {
      const one = await findReached(ctx, tx, idx)
      if (one !== undefined) found.push(one)
    }
    requireAll(inOrder, found)
    if (new Set(found.map(({ requesterId }) => requesterId)).size > 1) fail('INVALID_INPUT', { fields: ['idxes'] })
    await lockRequester(tx, found[0]?.requesterIdx ?? null)
    const log = []
    const confirmed: number[] = []
    for (const idx of inOrder) {
      const locked = await lockToReview(ctx, tx, idx)
      if (locked === undefined) continue
      const judgment = { decision: Decision.APPROVE, purpose, right: locked.right, at: services.clock.now() }
      log.push((await decideLocked(tx, locked.before, actor, judgment)).log)
      confirmed.push(idx)
    }
    const skipped = inOrder.filter((idx) => !confirmed.includes(idx))
    return { result: { confirmed, skipped }, log: logOf(log) }
  })
}
