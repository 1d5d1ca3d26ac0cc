// Transitions of a file request. Each one updates the locked row, announces the change and returns the history entry;
// what a state allows is defined in the contract (requestState.ts).
import { FileExport } from '@acc/contract/labels/policies'
import { RequestEvent, RequestState } from '@acc/contract/labels/requests'
import { isWaiting, stateAfter } from '@acc/contract/requestState'
import { notify, notifyAll } from '../../core/change.ts'
import type { Actor } from '../../core/context.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { findUserPolicy } from '../policies/policies.queries.ts'
import { isExportFree } from '../policies/policies.service.ts'
import { insertRequesterNotice, RequesterEvent } from './requesterNotices.queries.ts'
import { findFiles } from './requestFiles.queries.ts'
import { requestLog } from './requests.history.ts'
import { type RequestRow, updateRequest, updateRequests } from './requests.queries.ts'

/**
 * Returns the state that the policy in force gives an export, or undefined where it blocks exports, or asks for an
 * approval that the operator has switched off. Where the requester set that policy's `fileExport` themselves, an
 * allowed export waits for approval.
 */
export async function findExportState(db: Reader, { env }: HandlerServices, requesterIdx: number) {
  const policy = await findUserPolicy(db, requesterIdx)
  if (policy === undefined || policy.fileExport === FileExport.BLOCK) return undefined
  if (isExportFree(policy, requesterIdx)) return RequestState.ALLOWED
  return env.runtime.show.approve.export ? RequestState.REQUESTED : undefined
}

/** Judges a request again that the policy allowed, since the policy may be stricter by now; others keep their state. */
export const evaluatePolicyAgain = async (tx: Tx, services: HandlerServices, { state, requesterIdx }: RequestRow) =>
  state === RequestState.ALLOWED && requesterIdx !== null ? findExportState(tx, services, requesterIdx) : state

type Step = Omit<Parameters<typeof updateRequest>[2], 'waitDT'> & { at: Date }

/** Announces a new or changed request to open screens. */
export const notifyRequest = (tx: Tx, { idx, requesterGroupIdx }: RequestRow) =>
  notify(tx, { topic: 'requests', idx, groupIdx: requesterGroupIdx })

/** Announces many requests, once to each of their groups. */
export function notifyRequests(tx: Tx, requests: readonly RequestRow[]) {
  const groups = new Set(requests.map(({ requesterGroupIdx }) => requesterGroupIdx))
  return notifyAll(
    tx,
    [...groups].map((groupIdx) => ({ topic: 'requests', groupIdx })),
  )
}

const undecided = { state: RequestState.REQUESTED, approveDT: null }

/** Notifies the requester by mail, once for each event. */
export async function notifyRequester(tx: Tx, { idx, requesterIdx }: RequestRow, event: RequesterEvent, at: Date) {
  if (requesterIdx !== null)
    await insertRequesterNotice(tx, { fileEximportIdx: idx, userIdx: requesterIdx, event, createDT: at })
}

async function applyTransition(tx: Tx, before: RequestRow, event: RequestEvent, { at, ...changes }: Step) {
  const waitDT = isWaiting({ ...before, ...changes }) ? at : null
  const after = await updateRequest(tx, before.idx, { ...changes, waitDT })
  await notifyRequest(tx, after)
  const files = await findFiles(tx, [before.idx])
  return { files, log: requestLog(event, before, after, files) }
}

/** Cancels a locked request. Remove its bytes with `removeBytes` after the commit. */
export const cancelLocked = (tx: Tx, before: RequestRow, at: Date) =>
  applyTransition(tx, before, RequestEvent.CANCELED, { at, state: RequestState.CANCELED })

/** The same for many locked requests, in a few statements. */
export async function cancelAllLocked(tx: Tx, requests: readonly RequestRow[]) {
  const idxes = requests.map(({ idx }) => idx)
  const canceled = { state: RequestState.CANCELED, waitDT: null }
  await updateRequests(tx, idxes, canceled)
  await notifyRequests(tx, requests)
  const files = await findFiles(tx, idxes)
  const filesOf = Map.groupBy(files, ({ fileEximportIdx }) => fileEximportIdx)
  const log = requests.map((before) =>
    requestLog(RequestEvent.CANCELED, before, { ...before, ...canceled }, filesOf.get(before.idx) ?? []),
  )
  return { files, log }
}

/** Marks a locked request as complete: its last file has arrived. */
export const completeLocked = (tx: Tx, before: RequestRow, state: RequestState, at: Date) =>
  applyTransition(tx, before, RequestEvent.UPLOADED, {
    at,
    isFileUploaded: 1,
    completeDT: at,
    ...(state !== before.state && undecided),
  })

/** Returns a locked request that the policy allowed to the approvers. */
export const reopenLocked = (tx: Tx, before: RequestRow, at: Date) =>
  applyTransition(tx, before, RequestEvent.REQUESTED, { at, ...undecided })

type Judgment = { decision: 0 | 1; purpose: string; at: Date }

/** Approves or rejects a locked request, and notifies its requester. */
export async function decideLocked(tx: Tx, before: RequestRow, approver: Actor, { decision, purpose, at }: Judgment) {
  const state = stateAfter(decision)
  await notifyRequester(tx, before, RequesterEvent.DECIDED, at)
  return applyTransition(tx, before, state, {
    at,
    state,
    approverIdx: approver.idx,
    approverId: approver.id,
    approverName: approver.name,
    approverGroupName: approver.groupName,
    approveDT: at,
    approvePurpose: purpose,
  })
}
