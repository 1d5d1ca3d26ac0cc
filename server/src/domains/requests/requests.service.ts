// Approvers' view of file requests: search, read one, decide its present step (spec S2 §2.3, §4, §6). Exports and
// imports are separate pages, and an own request is never decidable.

import { Level, Role } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import { Decision, type RequestBlock, Transfer } from '@acc/contract/labels/requests'
import type { FileEximportFilter } from '@acc/contract/requestFilter'
import type { Rejection } from '@acc/contract/requestInputs'
import { isApprovable, isDownloadable, isToReview, isWaiting } from '@acc/contract/requestState'
import { MAX_DECIDERS } from '@acc/contract/requestSteps'
import type { TransferKind } from '@acc/contract/requests'
import { sql } from 'kysely'
import { days, later, today } from '../../clock.ts'
import { logOf } from '../../core/change.ts'
import { listScope } from '../../core/chosenGroups.ts'
import type { Actor, Change, Read } from '../../core/context.ts'
import { fail, requireAll } from '../../core/errors.ts'
import { APPROVAL_PAGE } from '../../core/grants.ts'
import { EVERYWHERE, scopeForLargeLists, scopeOf } from '../../core/scope.ts'
import { listOf, mapList, mapPage, searchedIn } from '../../db/list.ts'
import type { Tx } from '../../db/open.ts'
import { findDeciders, findUndecidable } from './requestDeciders.queries.ts'
import { findFiles } from './requestFiles.queries.ts'
import {
  findLater,
  findLaterSteps,
  findRight,
  findRights,
  findSteps,
  hadStep,
  isOfStep,
  withLater,
} from './requestSteps.queries.ts'
import { blockOf, findBlock, findRequesters, lockAppliedPolicy, requestersOf } from './requests.blocks.ts'
import { expiryOf, findDeadlines, isOverdue, isOverdueSince, isReviewOverdue } from './requests.expiry.ts'
import { attachFiles } from './requests.files.ts'
import {
  countOthersWaiting,
  filterRequests,
  findGroupPath,
  findRecent,
  findRequest,
  lockReached,
  matchRequests,
  REQUEST_SORTS,
  type Reach,
  type RequestRow,
} from './requests.queries.ts'
import { decideLocked, endAllLocked } from './requests.state.ts'

/** Days covered by the summary of the requester's earlier transfers. */
const RECENT_DAYS = 30

/** Returns the scopes of an approver at a level, one for each direction, and the requests of their steps. */
export const reachOf = (actor: Actor, level: Level): Reach => ({
  [Transfer.IMPORT]: scopeOf(actor, APPROVAL_PAGE[Transfer.IMPORT], level),
  [Transfer.EXPORT]: scopeOf(actor, APPROVAL_PAGE[Transfer.EXPORT], level),
  also: isOfStep(actor),
})

/** Puts overdue requests first, in the order of each sort. They are few in all groups. */
function overdueFirst(bound: Date | null, now: Date, query: FileEximportFilter) {
  const { sortOrder, isToReview } = query
  if (query.overdueFirst === 0 || (bound === null && isToReview === 0)) return {}
  const isLate = isToReview === 1 || bound === null ? isReviewOverdue(now) : isOverdueSince(bound)
  const isOverdueNow = sql`coalesce(${isLate}, false)`
  const first = sortOrder === 1 ? isOverdueNow : sql`not ${isOverdueNow}`
  return Object.fromEntries(Object.entries(REQUEST_SORTS).map(([name, by]) => [name, [first, by]]))
}

/** Searches the requests of one direction within the caller's scope. */
export async function searchRequests(ctx: Read, query: FileEximportFilter) {
  const page = APPROVAL_PAGE[query.type]
  // The gate accepts either page.
  if (ctx.actor.pageAuth[page] < Level.READ) fail('NOT_ALLOWED')
  const { clock } = ctx.services
  const day = today(clock)
  const isDecidable = query.isDecidable === 1
  // Administrators reach all requests, and chosen groups are those of the viewer's scope.
  const isWithLater = query.groupIdxes === undefined && ctx.actor.role !== Role.ADMIN
  const [scope, decided, { bound, expiry }, later, undecidable] = await Promise.all([
    // What the caller may decide is within their reach.
    isDecidable && query.groupIdxes === undefined ? EVERYWHERE : listScope(ctx, page, query.groupIdxes),
    isDecidable ? scopeForLargeLists(ctx.read, ctx.actor, page, Level.EDIT) : scopeOf(ctx.actor, page, Level.EDIT),
    findDeadlines(ctx.read, clock),
    // Those that the viewer decided wait for others.
    isWithLater || isDecidable
      ? findLater(ctx.read, ctx.actor, query.type, !isDecidable)
      : { waiting: [], decided: [], acting: [ctx.actor.idx] },
    query.isUndecidable === 1 ? findUndecidable(ctx.read, day) : [],
  ])
  const approver = { acting: later.acting, scope: decided, later: later.waiting }
  const { condition, texts } = filterRequests(query, approver, undecidable)
  const reached = isWithLater ? withLater(scope, later) : scope
  const now = clock.now()
  const list = listOf(ctx.read, query, {
    matches: matchRequests(ctx.read, reached, condition),
    sorts: { ...REQUEST_SORTS, ...overdueFirst(bound, now, query) },
    searchIn: searchedIn('fileEximports', texts),
  })
  const marked = mapList(list, (row) => ({
    ...row,
    files: [],
    isOverdue: flagOf(isOverdue(row, bound, now)),
    expiryDT: expiryOf(row.waitDT, expiry),
    block: null as RequestBlock | null,
  }))
  return mapPage(marked, async (rows) => {
    const [complete, requesters] = await Promise.all([attachFiles(ctx.read, rows), findRequesters(ctx.read, rows)])
    return complete.map((row) => ({
      ...row,
      block: blockOf(row.type, requesters.get(row.requesterIdx), day, ctx.services.env),
    }))
  })
}

async function groupPathOf(ctx: Read, { type, requesterGroupIdx, requesterGroupName }: RequestRow): Promise<string[]> {
  if (requesterGroupIdx === null) return [requesterGroupName]
  return findGroupPath(ctx.read, requesterGroupIdx, ctx.scope(APPROVAL_PAGE[type], Level.READ))
}

/** Finds the steps of a request, and who can decide the present one. */
async function findStepDetail({ read, services }: Read, request: RequestRow) {
  const [laterSteps, deciders] = await Promise.all([
    findLaterSteps(read, request.idx),
    isWaiting(request) || isToReview(request)
      ? findDeciders(read, request.idx, today(services.clock), MAX_DECIDERS)
      : null,
  ])
  return { stepCount: request.steps, laterSteps, deciders }
}

/** Returns one request with its files and what the caller may do with it. */
export async function findRequestDetail(ctx: Read, { idx }: { idx: number }) {
  const { read, actor } = ctx
  const request = await findRequest(read, idx, reachOf(actor, Level.READ))
  if (request === undefined) fail('NOT_ALLOWED')
  const history = ctx.scope('log', Level.READ)
  const reached = ctx.scope(APPROVAL_PAGE[request.type], Level.READ)
  const [
    stepDetail,
    files,
    groupPath,
    recent,
    othersWaiting,
    editable,
    logged,
    steps,
    { bound, expiry },
    block,
    right,
  ] = await Promise.all([
    findStepDetail(ctx, request),
    findFiles(read, [idx]),
    groupPathOf(ctx, request),
    findRecent(read, request, later(request.requestDT, -days(RECENT_DAYS)), reached),
    countOthersWaiting(read, request, reached),
    findRequest(read, idx, reachOf(actor, Level.EDIT)),
    findRequest(read, idx, { [Transfer.IMPORT]: history, [Transfer.EXPORT]: history }),
    findSteps(read, request),
    findDeadlines(read, ctx.services.clock),
    findBlock(read, request, ctx.services),
    findRight(read, actor, request),
  ])
  // Own requests are neither decided nor downloaded here.
  const isEditable = editable !== undefined && request.requesterIdx !== actor.idx
  const hasRight = isEditable && right !== undefined
  const isDecidable = hasRight && isWaiting(request)
  return {
    ...request,
    ...stepDetail,
    files,
    steps,
    isOverdue: flagOf(isOverdue(request, bound, ctx.services.clock.now())),
    expiryDT: expiryOf(request.waitDT, expiry),
    groupPath,
    recent,
    othersWaiting,
    block,
    isDecidable: flagOf(isDecidable),
    isApprovable: flagOf(isDecidable && isApprovable({ ...request, block })),
    isDownloadable: flagOf(isEditable && isDownloadable({ ...request, block })),
    isReviewable: flagOf(hasRight && isToReview(request)),
    isInHistory: flagOf(logged !== undefined),
  }
}

type DecisionInput = { idx: number; state: Decision; purpose: string; step?: number | undefined }

/** Requests of the approver's steps, earlier ones included: that another person was faster is no lack of a right. */
const decisionReach = (actor: Actor): Reach => ({ ...reachOf(actor, Level.EDIT), also: hadStep(actor) })

/**
 * Approves or rejects the step that a request waits for; a blocked one can be rejected only. Of two at once one gets
 * REQUEST_STATE, also where the other one may decide the next step: nobody decides a step that they have not seen.
 */
export async function decideRequest(ctx: Change<TransferKind>, { idx, state, purpose, step }: DecisionInput) {
  const { actor, services } = ctx
  const reach = decisionReach(actor)
  const findPeople = requestersOf([idx], reach)
  return ctx.change(async (tx) => {
    const found = await findRequest(tx, idx, reach)
    if (found === undefined || found.requesterIdx === actor.idx) fail('NOT_ALLOWED')
    if (found.requesterIdx !== null) await lockAppliedPolicy(tx, found.requesterIdx)
    const [before] = await lockReached(tx, [idx], reach)
    if (before === undefined) fail('NOT_ALLOWED')
    if (!isWaiting(before) || before.step !== (step ?? found.step)) fail('REQUEST_STATE')
    const right = (await findRight(tx, actor, before)) ?? fail('REQUEST_STATE')
    const block = await findBlock(tx, before, services)
    if (state === Decision.APPROVE && !isApprovable({ ...before, block })) fail('REQUEST_STATE')
    const judgment = { decision: state, purpose, at: services.clock.now() }
    const { log } = await decideLocked(tx, before, right, actor, judgment)
    return { result: {}, log: [log] }
  }, findPeople)
}

/**
 * Locks requests of others, and finds the caller's rights to decide them now. One that is out of reach or the caller's
 * own refuses all. The requesters are locked already.
 */
export async function lockOfOthers(tx: Tx, actor: Actor, idxes: readonly number[], reach: Reach) {
  const reached = await lockReached(tx, idxes, reach)
  const others = reached.filter(({ requesterIdx }) => requesterIdx !== actor.idx)
  requireAll(idxes, others)
  return { others, rights: await findRights(tx, actor, others) }
}

/** Rejects the requests that wait for a step of the caller, and returns the others. */
export async function rejectRequests(ctx: Change<TransferKind>, { requests, purpose }: Rejection) {
  const { actor, services } = ctx
  const idxes = requests.map(({ idx }) => idx)
  const reach = decisionReach(actor)
  const seen = new Map(requests.map(({ idx, step }) => [idx, step]))
  const findPeople = requestersOf(idxes, reach)
  return ctx.change(async (tx) => {
    const { others, rights } = await lockOfOthers(tx, actor, idxes, reach)
    if (new Set(others.map(({ type }) => type)).size > 1) fail('INVALID_INPUT', { fields: ['requests'] })
    const isReady = (request: RequestRow) =>
      isWaiting(request) && request.step === seen.get(request.idx) && rights.has(request.idx)
    const ready = others.filter(isReady)
    const skipped = others.filter((request) => !isReady(request)).map(({ idx }) => idx)
    if (ready.length === 0) return { result: { rejected: 0, skipped }, log: 'unchanged' }
    const judgment = { decision: Decision.REJECT, purpose, at: services.clock.now() }
    const { log } = await endAllLocked(tx, ready, rights, actor, judgment)
    return { result: { rejected: ready.length, skipped }, log: logOf(log) }
  }, findPeople)
}
