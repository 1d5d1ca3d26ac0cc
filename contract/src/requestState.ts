// States of a file request and the actions that each allows, for server, console and desktop client (spec S2 §4).
import { Decision, type RequestBlock, RequestState } from './labels/requests.ts'

export type RequestStatus = { state: RequestState; isFileUploaded: 0 | 1 }

/** Waits for an approver: every file has arrived and no decision was made. Also the filter for such requests. */
export const WAITING = { state: RequestState.REQUESTED, isFileUploaded: 1 } as const
export const isWaiting = ({ state, isFileUploaded }: RequestStatus): boolean =>
  state === WAITING.state && isFileUploaded === WAITING.isFileUploaded

/** Undecided, and waits for its requester to upload the rest of the files. Also the filter for such requests. */
export const INCOMPLETE = { state: RequestState.REQUESTED, isFileUploaded: 0 } as const

/** Accepts bytes: undecided, or allowed by the policy. */
export const acceptsFiles = ({ state }: Pick<RequestStatus, 'state'>): boolean =>
  state === RequestState.REQUESTED || state === RequestState.ALLOWED

/** Waits for its requester to upload the rest of the files. */
export const isUploading = (request: RequestStatus): boolean => request.isFileUploaded === 0 && acceptsFiles(request)

/** May be canceled by its requester: undecided, or allowed with files still missing. */
export const isCancelable = (request: RequestStatus): boolean =>
  request.state === RequestState.REQUESTED || isUploading(request)

/** `filesRemovedDT` is null while the files are kept. */
type KeptStatus = RequestStatus & { filesRemovedDT: Date | string | null }

/** All bytes are stored; those of a canceled request are removed, and those of a decided one after a time. */
export const hasFiles = ({ state, isFileUploaded, filesRemovedDT }: KeptStatus): boolean =>
  isFileUploaded === 1 && state !== RequestState.CANCELED && filesRemovedDT === null

/** Approved or allowed, and its files are stored: the requester may download them. */
export const isReleased = (request: KeptStatus): boolean =>
  hasFiles(request) && (request.state === RequestState.APPROVED || request.state === RequestState.ALLOWED)

/** An urgent export that is released and that nobody has reviewed. */
type Reviewable = Pick<RequestStatus, 'state'> & { reviewDueDT: Date | string | null }
export const isToReview = ({ state, reviewDueDT }: Reviewable): boolean =>
  state === RequestState.ALLOWED && reviewDueDT !== null

/** What stops a request, in any state; null for nothing. */
type Blockable = { block: RequestBlock | null }
export const isBlocked = ({ block }: Blockable): boolean => block !== null

/** May be approved: waits for a decision, and nothing stops it. A request that is stopped may still be rejected. */
export const isApprovable = (request: RequestStatus & Blockable): boolean => isWaiting(request) && !isBlocked(request)

/** Its files may be handed out to approvers. */
export const isDownloadable = (request: KeptStatus & Blockable): boolean => hasFiles(request) && !isBlocked(request)

/** The state that a decision leads to. */
export const stateAfter = (decision: Decision): RequestState =>
  decision === Decision.APPROVE ? RequestState.APPROVED : RequestState.REJECTED
