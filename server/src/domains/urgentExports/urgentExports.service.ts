// Reviews of urgent exports by the people who decide step 1 of a request (docs/decisions/32-urgentExports.md): one is
// confirmed or objected to, several of one person are confirmed together.
import { Level } from '@acc/contract/labels/access'
import { Decision, type Review } from '@acc/contract/labels/requests'
import { isToReview } from '@acc/contract/requestState'
import type { TransferKind } from '@acc/contract/requests'
import { logOf } from '../../core/change.ts'
import type { Actor, Change } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { Tx } from '../../db/open.ts'
import { requestersOf } from '../requests/requests.blocks.ts'
import { mailObjection } from '../requests/requests.mails.ts'
import { lockOfOthers, reachOf } from '../requests/requests.service.ts'
import { decideLocked, endAllLocked } from '../requests/requests.state.ts'

const reviewReach = (actor: Actor) => reachOf(actor, Level.EDIT)

/** Locks requests of others, and finds those that the caller may review now. */
async function lockToReview(tx: Tx, actor: Actor, idxes: readonly number[]) {
  const { others, rights } = await lockOfOthers(tx, actor, idxes, reviewReach(actor))
  return { others, rights, ready: others.filter((request) => isToReview(request) && rights.has(request.idx)) }
}

type ReviewInput = { idx: number; decision: Review; purpose: string }

/** Confirms an urgent export or objects to it. Of two reviews at once one gets REQUEST_STATE. */
export async function reviewUrgent(ctx: Change<TransferKind>, { idx, decision, purpose }: ReviewInput) {
  const { actor, services } = ctx
  const findPeople = requestersOf([idx], reviewReach(actor))
  return ctx.change(async (tx) => {
    const { ready, rights } = await lockToReview(tx, actor, [idx])
    const [before] = ready
    const right = rights.get(idx)
    if (before === undefined || right === undefined) fail('REQUEST_STATE')
    const { after, log } = await decideLocked(tx, before, right, actor, {
      decision,
      purpose,
      at: services.clock.now(),
    })
    if (decision === Decision.REJECT) await mailObjection(tx, services, after)
    return { result: {}, log: [log] }
  }, findPeople)
}

type Confirmation = { idxes: number[]; purpose: string }

/** Confirms urgent exports of one person. Leaves out those that are not to be reviewed any more. */
export async function confirmUrgent(ctx: Change<TransferKind>, { idxes, purpose }: Confirmation) {
  const { actor, services } = ctx
  const findPeople = requestersOf(idxes, reviewReach(actor))
  return ctx.change(async (tx) => {
    const { others, ready, rights } = await lockToReview(tx, actor, idxes)
    if (new Set(others.map(({ requesterId }) => requesterId)).size > 1) fail('INVALID_INPUT', { fields: ['idxes'] })
    const confirmed = ready.map(({ idx }) => idx)
    const skipped = others.map(({ idx }) => idx).filter((idx) => !confirmed.includes(idx))
    if (ready.length === 0) return { result: { confirmed, skipped }, log: 'unchanged' }
    const judgment = { decision: Decision.APPROVE, purpose, at: services.clock.now() }
    const { log } = await endAllLocked(tx, ready, rights, actor, judgment)
    return { result: { confirmed, skipped }, log: logOf(log) }
  }, findPeople)
}
