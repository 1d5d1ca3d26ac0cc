// Approvers' view of file requests: search, read one, decide it (spec S2 §2.3, §4, §6). Exports and imports are
// separate pages, and an own request is never decidable.

import { Level } from '@acc/contract/labels/access'
import { flagOf } from '@acc/contract/labels/flags'
import { Decision, Transfer } from '@acc/contract/labels/requests'
import type { FileEximportFilter } from '@acc/contract/requestFilter'
import { isApprovable, isDownloadable, isWaiting } from '@acc/contract/requestState'
import type { TransferKind } from '@acc/contract/requests'
import { sql } from 'kysely'
import { days, later, today } from '../../clock.ts'
import { listScope } from '../../core/chosenGroups.ts'
import type { Actor, Change, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { scopeOf } from '../../core/scope.ts'
import { listOf, mapList, mapPage, searchedIn } from '../../db/list.ts'
import { findFiles } from './requestFiles.queries.ts'
import { blockOf, findBlock, lockRequester, REQUESTER, requesterNow } from './requests.blocks.ts'
import { attachFiles } from './requests.files.ts'
import { findOverdueBound, isOverdue, isOverdueSince } from './requests.overdue.ts'
import {
  countOthersWaiting,
  filterRequests,
  findGroupPath,
  findRecent,
  findRequest,
  findRequestForUpdate,
  findSteps,
  matchRequests,
  REQUEST_SORTS,
  type Reach,
  type RequestRow,
} from './requests.queries.ts'
import { decideLocked } from './requests.state.ts'

/** Days covered by the summary of the requester's earlier transfers. */
const RECENT_DAYS = 30

const approvalPage = (type: Transfer) => (type === Transfer.EXPORT ? 'fileExportApprove' : 'fileImportApprove')

/** Returns the scopes of an approver at a level, one for each direction. */
export const reachOf = (actor: Actor, level: Level): Reach => ({
  [Transfer.IMPORT]: scopeOf(actor, approvalPage(Transfer.IMPORT), level),
  [Transfer.EXPORT]: scopeOf(actor, approvalPage(Transfer.EXPORT), level),
})

/** Whom a request waits for: the approvers of its group, without its requester. */
const decidableBy = (actor: Actor, page: ReturnType<typeof approvalPage>) => ({
  requesterIdx: actor.idx,
  scope: scopeOf(actor, page, Level.EDIT),
})

/** Puts overdue requests first, in the order of each sort. They are few in all groups. */
function overdueFirst(bound: Date, { sortOrder }: Pick<FileEximportFilter, 'sortOrder'>) {
  const isOverdueNow = sql`coalesce(${isOverdueSince(bound)}, false)`
  const first = sortOrder === 1 ? isOverdueNow : sql`not ${isOverdueNow}`
  return Object.fromEntries(Object.entries(REQUEST_SORTS).map(([name, by]) => [name, sql`row(${first}, ${by})`]))
}

/** Searches the requests of one direction within the caller's scope. */
export async function searchRequests(ctx: Read, query: FileEximportFilter) {
  const page = approvalPage(query.type)
  // The gate accepts either page.
  if (ctx.actor.pageAuth[page] < Level.READ) fail('NOT_ALLOWED')
  const { condition, texts } = filterRequests(query, decidableBy(ctx.actor, page))
  const { clock } = ctx.services
  const [scope, bound] = await Promise.all([listScope(ctx, page, query.groupIdxes), findOverdueBound(ctx.read, clock)])
  const first = query.overdueFirst === 1 && bound !== null ? overdueFirst(bound, query) : {}
  const list = listOf(ctx.read, query, {
    matches: matchRequests(ctx.read, scope, condition).select(requesterNow(ctx.read, REQUESTER).as('requester')),
    sorts: { ...REQUEST_SORTS, ...first },
    searchIn: searchedIn('fileEximports', texts),
  })
  const day = today(clock)
  const marked = mapList(list, (row) => ({
    ...row,
    files: [],
    isOverdue: flagOf(isOverdue(row.waitDT, bound)),
    block: blockOf(row.type, row.requester, day),
  }))
  return mapPage(marked, (rows) => attachFiles(ctx.read, rows))
}

async function groupPathOf(ctx: Read, { type, requesterGroupIdx, requesterGroupName }: RequestRow): Promise<string[]> {
  if (requesterGroupIdx === null) return [requesterGroupName]
  return findGroupPath(ctx.read, requesterGroupIdx, ctx.scope(approvalPage(type), Level.READ))
}

/** Returns one request with its files and what the caller may do with it. */
export async function findRequestDetail(ctx: Read, { idx }: { idx: number }) {
  const { read, actor } = ctx
  const request = await findRequest(read, idx, reachOf(actor, Level.READ))
  if (request === undefined) fail('NOT_ALLOWED')
  const history = ctx.scope('log', Level.READ)
  const reached = ctx.scope(approvalPage(request.type), Level.READ)
  const [files, groupPath, recent, othersWaiting, editable, logged, steps, bound, block] = await Promise.all([
    findFiles(read, [idx]),
    groupPathOf(ctx, request),
    findRecent(read, request, later(request.requestDT, -days(RECENT_DAYS)), reached),
    countOthersWaiting(read, request, reached),
    findRequest(read, idx, reachOf(actor, Level.EDIT)),
    findRequest(read, idx, { [Transfer.IMPORT]: history, [Transfer.EXPORT]: history }),
    findSteps(read, request),
    findOverdueBound(read, ctx.services.clock),
    findBlock(read, request, today(ctx.services.clock)),
  ])
  // Own requests are neither decided nor downloaded here.
  const isEditable = editable !== undefined && request.requesterIdx !== actor.idx
  return {
    ...request,
    files,
    steps,
    isOverdue: flagOf(isOverdue(request.waitDT, bound)),
    groupPath,
    recent,
    othersWaiting,
    block,
    isDecidable: flagOf(isEditable && isWaiting(request)),
    isApprovable: flagOf(isEditable && isApprovable({ ...request, block })),
    isDownloadable: flagOf(isEditable && isDownloadable({ ...request, block })),
    isInHistory: flagOf(logged !== undefined),
  }
}

type DecisionInput = { idx: number; state: 0 | 1; purpose: string }

/** Approves or rejects a request; a blocked one can be rejected only. Of two at once one gets REQUEST_STATE. */
export async function decideRequest(ctx: Change<TransferKind>, { idx, state, purpose }: DecisionInput) {
  const { actor, services } = ctx
  return ctx.change(async (tx) => {
    const reach = reachOf(actor, Level.EDIT)
    const found = await findRequest(tx, idx, reach)
    if (found === undefined || found.requesterIdx === actor.idx) fail('NOT_ALLOWED')
    await lockRequester(tx, found.requesterIdx)
    const before = await findRequestForUpdate(tx, idx, reach)
    if (before === undefined) fail('NOT_ALLOWED')
    if (!isWaiting(before)) fail('REQUEST_STATE')
    const block = await findBlock(tx, before, today(services.clock))
    if (state === Decision.APPROVE && !isApprovable({ ...before, block })) fail('REQUEST_STATE')
    const { log } = await decideLocked(tx, before, actor, { decision: state, purpose, at: services.clock.now() })
    return { result: {}, log: [log] }
  })
}
