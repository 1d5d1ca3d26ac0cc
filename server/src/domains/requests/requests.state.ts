// Transitions of a file request. Each one updates the locked row, announces the change and returns the history entry;
// what a state allows is defined in the contract (requestState.ts).
import { FileExport } from '@acc/contract/labels/policies'
import { Decision, RequestEvent, RequestState } from '@acc/contract/labels/requests'
import { isToReview, isWaiting, stateAfter } from '@acc/contract/requestState'
import { hours, later } from '../../clock.ts'
import { notifyAll } from '../../core/change.ts'
import type { Actor } from '../../core/context.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { isExportFree, isUrgentFree } from '../policies/policies.own.ts'
import { findUserPolicy } from '../policies/policies.queries.ts'
import { findApprovalSteps } from '../policies/policies.steps.ts'
import { insertRequesterNotices, RequesterEvent } from './requesterNotices.queries.ts'
import { findFiles } from './requestFiles.queries.ts'
import { findAuthoritiesOf, insertDecisions, insertSteps, type Right } from './requestSteps.queries.ts'
import { type DecidedStep, requestLog } from './requests.history.ts'
import { mailReviewers } from './requests.mails.ts'
import { type RequestRow, updateRequest, updateRequests } from './requests.queries.ts'

/**
 * Returns the state that the policy in force gives an export, or undefined where it blocks exports, or asks for an
 * approval that the operator has switched off. Where the requester set that policy's `fileExport` themselves, an
 * allowed export waits for approval. The same holds for the switch that allows an urgent one.
 */
export async function findExportState(db: Reader, { env }: HandlerServices, requesterIdx: number, isUrgent: boolean) {
  const policy = await findUserPolicy(db, requesterIdx)
  if (policy === undefined || policy.fileExport === FileExport.BLOCK) return undefined
  if (isExportFree(policy, requesterIdx)) return RequestState.ALLOWED
  if (!env.runtime.show.approve.export) return undefined
  return isUrgent && isUrgentFree(policy, requesterIdx) ? RequestState.ALLOWED : RequestState.REQUESTED
}

/** Judges a request again that the policy allowed, since the policy may be stricter by now; others keep their state. */
export const evaluatePolicyAgain = async (
  tx: Tx,
  services: HandlerServices,
  { state, requesterIdx, urgentReason }: RequestRow,
) =>
  state === RequestState.ALLOWED && requesterIdx !== null
    ? findExportState(tx, services, requesterIdx, urgentReason !== null)
    : state

type Step = Omit<Parameters<typeof updateRequest>[2], 'waitDT'> & { at: Date }

/** Announces a new or changed request to open screens, those of its later steps included. */
export const notifyRequest = (tx: Tx, request: RequestRow) => notifyRequests(tx, [request], { idx: request.idx })

/** Announces many requests, once to each of their groups and to the members of their steps. */
export async function notifyRequests(tx: Tx, requests: readonly RequestRow[], row: { idx?: number } = {}) {
  const groups = new Set(requests.map(({ requesterGroupIdx }) => requesterGroupIdx))
  const authorities = await findAuthoritiesOf(
    tx,
    requests.filter(({ steps }) => steps > 1).map((request) => request.idx),
  )
  await notifyAll(tx, [
    ...[...groups].map((groupIdx) => ({ topic: 'requests' as const, ...row, groupIdx })),
    ...(authorities.length === 0 ? [] : [{ topic: 'requests' as const, groupIdx: null, authorityIdxes: authorities }]),
  ])
}

const undecided = { state: RequestState.REQUESTED, approveDT: null, reviewDueDT: null }

/** Notifies the requesters by mail, once for each request and event. */
async function notifyRequesters(tx: Tx, requests: readonly RequestRow[], event: RequesterEvent, at: Date) {
  const notices = requests.flatMap(({ idx, requesterIdx }) =>
    requesterIdx === null ? [] : [{ fileEximportIdx: idx, userIdx: requesterIdx, event, createDT: at }],
  )
  if (notices.length > 0) await insertRequesterNotices(tx, notices)
}

export const notifyRequester = (tx: Tx, request: RequestRow, event: RequesterEvent, at: Date) =>
  notifyRequesters(tx, [request], event, at)

/** Gives a request that begins to wait the steps of the policy in force, for good. */
async function keepSteps(tx: Tx, { idx, requesterIdx, type }: RequestRow) {
  const later = requesterIdx === null ? [] : await findApprovalSteps(tx, requesterIdx, type)
  if (later.length > 0) await insertSteps(tx, idx, later)
  return { step: 1, steps: 1 + later.length }
}

async function applyTransition(
  tx: Tx,
  before: RequestRow,
  event: RequestEvent,
  { at, ...changes }: Step,
  decided?: DecidedStep,
) {
  const waits = isWaiting({ ...before, ...changes })
  const kept = waits && !isWaiting(before) ? await keepSteps(tx, before) : {}
  const after = await updateRequest(tx, before.idx, { ...changes, ...kept, waitDT: waits ? at : null })
  await notifyRequest(tx, after)
  const files = await findFiles(tx, [before.idx])
  return { after, files, log: requestLog(event, before, after, files, decided) }
}

/** Cancels a locked request. Remove its bytes with `removeBytes` after the commit. */
export const cancelLocked = (tx: Tx, before: RequestRow, at: Date) =>
  applyTransition(tx, before, RequestEvent.CANCELED, { at, state: RequestState.CANCELED })

/** Ends many locked requests, in a few statements. `decided` has the decided step of each by its number. */
async function endAll(
  tx: Tx,
  requests: readonly RequestRow[],
  event: RequestEvent,
  changes: Partial<RequestRow>,
  decided: ReadonlyMap<number, DecidedStep> = new Map(),
) {
  const idxes = requests.map(({ idx }) => idx)
  const ended = { ...changes, waitDT: null }
  await updateRequests(tx, idxes, ended)
  await notifyRequests(tx, requests)
  const files = await findFiles(tx, idxes)
  const filesOf = Map.groupBy(files, ({ fileEximportIdx }) => fileEximportIdx)
  const log = requests.map((before) =>
    requestLog(event, before, { ...before, ...ended }, filesOf.get(before.idx) ?? [], decided.get(before.idx)),
  )
  return { files, log }
}

/** Cancels many locked requests. Remove their bytes with `removeBytes` after the commit. */
export const cancelAllLocked = (tx: Tx, requests: readonly RequestRow[]) =>
  endAll(tx, requests, RequestEvent.CANCELED, { state: RequestState.CANCELED })

/** The same for requests that nobody decided in time, and notifies their requesters. */
export async function expireAllLocked(tx: Tx, requests: readonly RequestRow[], at: Date) {
  await notifyRequesters(tx, requests, RequesterEvent.EXPIRED, at)
  return endAll(tx, requests, RequestEvent.EXPIRED, { state: RequestState.CANCELED })
}

/** Returns until when an urgent export that is complete now is to be reviewed; null for other requests. */
async function findReviewEnd(tx: Tx, { urgentReason, requesterIdx }: RequestRow, state: RequestState, at: Date) {
  if (state !== RequestState.ALLOWED || urgentReason === null || requesterIdx === null) return null
  const policy = await findUserPolicy(tx, requesterIdx)
  return policy === undefined ? at : later(at, hours(policy.urgentReviewHours))
}

/** Marks a locked request as complete: its last file has arrived. An urgent one is mailed to its reviewers. */
export async function completeLocked(
  tx: Tx,
  services: HandlerServices,
  before: RequestRow,
  state: RequestState,
  at: Date,
) {
  const completed = await applyTransition(tx, before, RequestEvent.UPLOADED, {
    at,
    isFileUploaded: 1,
    completeDT: at,
    ...(state === before.state ? { reviewDueDT: await findReviewEnd(tx, before, state, at) } : undecided),
  })
  if (isToReview(completed.after)) {
    await notifyRequester(tx, before, RequesterEvent.TO_REVIEW, at)
    await mailReviewers(tx, services, completed.after)
  }
  return completed
}

/** Returns a locked request that the policy allowed to the approvers. */
export const reopenLocked = (tx: Tx, before: RequestRow, at: Date) =>
  applyTransition(tx, before, RequestEvent.REQUESTED, { at, ...undecided })

type Judgment = { decision: Decision; purpose: string; at: Date }

const REVIEWED = { [Decision.APPROVE]: RequestEvent.CONFIRMED, [Decision.REJECT]: RequestEvent.OBJECTED }
/** Returns the event of a decision that ends a request. A review is the decision of the only step. */
const endOf = (before: RequestRow, decision: Decision): RequestEvent =>
  isToReview(before) ? REVIEWED[decision] : stateAfter(decision)

/** Returns the row of a decision. */
function decisionOf({ idx, step }: RequestRow, right: Right, approver: Actor, { decision, purpose, at }: Judgment) {
  const absent = right.idx === approver.idx ? { idx: null, name: null } : right
  const decider = { deciderIdx: approver.idx, deciderId: approver.id, deciderName: approver.name }
  const acted = { forIdx: absent.idx, forName: absent.name }
  return { fileEximportIdx: idx, step, decision, ...decider, ...acted, reason: purpose, decideDT: at }
}

const decidedStep = ({ step, deciderName, reason, forName }: ReturnType<typeof decisionOf>): DecidedStep => ({
  step,
  approverName: deciderName,
  approvePurpose: reason,
  forName,
})

/** Returns what the last decision stores in the request. */
const outcomeOf = ({ idx, id, name, groupName }: Actor, { decision, purpose, at }: Judgment) => ({
  state: stateAfter(decision),
  approverIdx: idx,
  approverId: id,
  approverName: name,
  approverGroupName: groupName,
  approveDT: at,
  approvePurpose: purpose,
})

/** Approves or rejects the step of a locked request, and notifies its requester. */
export async function decideLocked(tx: Tx, before: RequestRow, right: Right, approver: Actor, judgment: Judgment) {
  const { decision, at } = judgment
  const { step, steps } = before
  const row = decisionOf(before, right, approver, judgment)
  await insertDecisions(tx, [row])
  if (decision === Decision.APPROVE && step < steps) {
    const next = step === 1 ? RequesterEvent.WAITS_FOR_STEP_2 : RequesterEvent.WAITS_FOR_STEP_3
    await notifyRequester(tx, before, next, at)
    return applyTransition(tx, before, RequestEvent.STEP_APPROVED, { at, step: step + 1 }, decidedStep(row))
  }
  const outcome = outcomeOf(approver, judgment)
  await notifyRequester(tx, before, RequesterEvent.DECIDED, at)
  return applyTransition(tx, before, endOf(before, decision), { at, ...outcome }, decidedStep(row))
}

/**
 * Rejects the step of many locked requests, or confirms many urgent exports, each by a right of the approver, and
 * notifies their requesters.
 */
export async function endAllLocked(
  tx: Tx,
  requests: readonly RequestRow[],
  rights: ReadonlyMap<number, Right>,
  approver: Actor,
  judgment: Judgment,
) {
  const rows = requests.flatMap((request) => {
    const right = rights.get(request.idx)
    return right === undefined ? [] : [decisionOf(request, right, approver, judgment)]
  })
  await insertDecisions(tx, rows)
  await notifyRequesters(tx, requests, RequesterEvent.DECIDED, judgment.at)
  const decided = new Map(rows.map((row) => [row.fileEximportIdx, decidedStep(row)]))
  const [event = RequestEvent.REJECTED] = requests.map((request) => endOf(request, judgment.decision))
  return endAll(tx, requests, event, outcomeOf(approver, judgment), decided)
}
