// What approvers do with requests for files: look through them, judge one, decide it (S2 sections 2.3, 4 and 6). Exports and
// imports are granted apart, and nobody decides a request of their own.

import type { FileEximportFilter, TransferKind } from '@acc/contract/approvals'
import type { Level } from '@acc/contract/core/access'
import { FilterType } from '@acc/contract/core/paging'
import { ApprovalState, Decision, flagOf, Transfer } from '@acc/contract/enums'
import { days, later } from '../../clock.ts'
import { notify } from '../../core/change.ts'
import type { Actor, Change, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { plannedScope } from '../../core/planned.ts'
import { scopeOf } from '../../core/scope.ts'
import { listOf } from '../../db/list.ts'
import { requestLog } from './approvals.history.ts'
import {
  findFiles,
  findGroupPath,
  findRecent,
  findRequest,
  findRequestForUpdate,
  matchRequests,
  REQUEST_SORTS,
  type Reach,
  type RequestRow,
  updateRequest,
} from './approvals.queries.ts'

/** Days that a look back at the requester covers. */
const RECENT_DAYS = 30

const approvalPage = (type: Transfer) => (type === Transfer.EXPORT ? 'fileExportApprove' : 'fileImportApprove')

/** What an approver reaches with a level: exports by the one page, imports by the other. */
export const reachOf = (actor: Actor, level: Level): Reach => ({
  [Transfer.IMPORT]: scopeOf(actor, approvalPage(Transfer.IMPORT), level),
  [Transfer.EXPORT]: scopeOf(actor, approvalPage(Transfer.EXPORT), level),
})

/** The requests of one direction that the caller may look at. */
export async function searchRequests(ctx: Read, { requestSDT, requestEDT, ...asked }: FileEximportFilter) {
  const page = approvalPage(asked.type)
  // The gate let everybody in who has either page.
  if (ctx.actor.pageAuth[page] < 1) fail('NOT_ALLOWED')
  const filter = { ...asked, from: requestSDT, to: requestEDT }
  const any = asked.filterType === FilterType.SINGLE ? (['idx', 'requesterId', 'requesterName'] as const) : []
  const scope = await plannedScope(ctx.read, ctx.actor, ctx.scope(page, 1))
  const matches = matchRequests(ctx.read, scope, filter, any)
  return listOf(ctx.read, asked, { matches, sorts: REQUEST_SORTS })
}

const isWaiting = ({ state, isFileUploaded }: RequestRow) => state === ApprovalState.REQUESTED && isFileUploaded === 1

/** Whether there are bytes to read: all came, and a canceled request's are gone. */
export const isReadable = ({ state, isFileUploaded }: RequestRow): boolean =>
  isFileUploaded === 1 && state !== ApprovalState.CANCELED

async function groupPathOf(ctx: Read, { type, requesterGroupIdx, requesterGroupName }: RequestRow): Promise<string[]> {
  if (requesterGroupIdx === null) return [requesterGroupName]
  return findGroupPath(ctx.read, requesterGroupIdx, ctx.scope(approvalPage(type), 1))
}

/** One request with its files, and what the caller may do with it. */
export async function findRequestDetail(ctx: Read, idx: number) {
  const { read, actor } = ctx
  const request = await findRequest(read, idx, reachOf(actor, 1))
  if (request === undefined) fail('NOT_ALLOWED')
  const [files, groupPath, recent, editable] = await Promise.all([
    findFiles(read, [idx]),
    groupPathOf(ctx, request),
    findRecent(read, request, later(request.requestDT, -days(RECENT_DAYS)), ctx.scope(approvalPage(request.type), 1)),
    findRequest(read, idx, reachOf(actor, 2)),
  ])
  const isEditable = editable !== undefined
  return {
    ...request,
    files,
    groupPath,
    recent,
    isDecidable: flagOf(isEditable && isWaiting(request) && request.requesterIdx !== actor.idx),
    isDownloadable: flagOf(isEditable && isReadable(request)),
  }
}

type Judgement = { idx: number; state: 0 | 1; purpose: string }

/** Approves or rejects a request. Two at once: the row lock lets one win, the other finds it decided. */
export async function decideRequest(ctx: Change<TransferKind>, { idx, state, purpose }: Judgement) {
  const { actor, app } = ctx
  return ctx.change(async (tx) => {
    const before = await findRequestForUpdate(tx, idx, reachOf(actor, 2))
    if (before === undefined || before.requesterIdx === actor.idx) fail('NOT_ALLOWED')
    if (!isWaiting(before)) fail('REQUEST_STATE')
    const after = await updateRequest(tx, idx, {
      state: state === Decision.APPROVE ? ApprovalState.APPROVED : ApprovalState.REJECTED,
      approverIdx: actor.idx,
      approverId: actor.id,
      approverName: actor.name,
      approverGroupName: actor.groupName,
      approveDT: app.clock.now(),
      approvePurpose: purpose,
    })
    await notify(tx, { topic: 'approvals', idx, groupIdx: after.requesterGroupIdx })
    return { result: {}, log: [requestLog(after.state, before, after, await findFiles(tx, [idx]))] }
  })
}
