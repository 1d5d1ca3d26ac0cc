// An employee's requests for files from the desktop client: made as the policy has it, canceled, listed, and the approved
// ones fetched (S1 section 3, policy fileExport; design, section 6).
import type { AgentFile, agent } from '@acc/contract/agent'
import { RequestEvent, type TransferKind } from '@acc/contract/approvals'
import { ApprovalState, FileExport, Transfer } from '@acc/contract/enums'
import { sql } from 'kysely'
import type { z } from 'zod'
import { notify } from '../../core/change.ts'
import type { Actor, Change, Download, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { Services } from '../../core/services.ts'
import { listOf } from '../../db/list.ts'
import type { Tx } from '../../db/open.ts'
import { storedOf } from '../approvals/approvals.download.ts'
import { downloadLog, requestLog } from '../approvals/approvals.history.ts'
import { listWithFiles, withFiles } from '../approvals/approvals.listed.ts'
import { type FileRow, findFiles, type RequestRow, updateRequest } from '../approvals/approvals.queries.ts'
import { findEffectivePolicy } from '../policies/policies.service.ts'
import {
  type FileOfRequest,
  findOwnFile,
  findOwnForUpdate,
  findRequester,
  insertFiles,
  insertRequest,
  matchOwn,
} from './agent.queries.ts'

type NewRequest = z.output<typeof agent.request.input>
type OwnFilter = z.output<typeof agent.requests.input>

/** How a request begins: as the policy in force has it. Imports always wait, where the operator allows them at all. */
async function firstState(tx: Tx, app: Services, actor: Actor, type: Transfer): Promise<ApprovalState> {
  if (type === Transfer.IMPORT) {
    if (!app.env.runtime.show.approve.import) fail('NOT_ALLOWED')
    return ApprovalState.REQUESTED
  }
  const policy = await findEffectivePolicy(tx, actor.idx)
  if (policy === undefined || policy.values.fileExport === FileExport.BLOCK) fail('NOT_ALLOWED')
  return policy.values.fileExport === FileExport.ALLOW ? ApprovalState.ALLOWED : ApprovalState.REQUESTED
}

/** Asks for files to be moved. Their bytes come afterwards, file by file. */
export async function makeRequest(ctx: Change<TransferKind>, { type, purpose, files }: NewRequest) {
  const { app, actor } = ctx
  // Names and keys in the store; nothing is stored there before the first byte of a file.
  const reserved = files.map((file) => ({ ...file, stored: app.files.create(file.size, file.sha256) }))
  return ctx.change(async (tx) => {
    const state = await firstState(tx, app, actor, type)
    const requestDT = app.clock.now()
    const request = await insertRequest(tx, {
      ...(await findRequester(tx, actor.idx)),
      type,
      state,
      requestDT,
      approveDT: state === ApprovalState.ALLOWED ? requestDT : null,
      requestPurpose: purpose,
      fileCount: files.length,
      fileSize: files.reduce((sum, { size }) => sum + size, 0),
    })
    const rows = reserved.map(({ name, size, sha256, stored }, position) => ({
      fileEximportIdx: request.idx,
      position,
      fileName: name,
      fileSize: size,
      sha256,
      storeName: stored.name,
      wrappedKey: stored.wrappedKey,
    }))
    await insertFiles(tx, rows)
    await notify(tx, { topic: 'approvals', idx: request.idx, groupIdx: request.requesterGroupIdx })
    const made = await findFiles(tx, [request.idx])
    const result = { idx: request.idx, state, files: made.map((file) => ({ ...file, received: 0 })) }
    return { result, log: [requestLog(state, null, request, made)] }
  })
}

/** Whether bytes may still come: nobody has decided it, or the policy did. */
export const isOpen = ({ state }: Pick<RequestRow, 'state'>): boolean =>
  state === ApprovalState.REQUESTED || state === ApprovalState.ALLOWED

/** Ends a request whose row is held. Its bytes are removed once that has committed, by `removeBytes`. */
export async function cancelHeld(tx: Tx, before: RequestRow) {
  const after = await updateRequest(tx, before.idx, { state: ApprovalState.CANCELED })
  await notify(tx, { topic: 'approvals', idx: after.idx, groupIdx: after.requesterGroupIdx })
  const files = await findFiles(tx, [before.idx])
  return { files, log: requestLog(RequestEvent.CANCELED, before, after, files) }
}

/** Removes what came of a canceled request. What cannot be removed now the sweep removes later. */
export async function removeBytes(app: Services, files: readonly FileRow[]): Promise<void> {
  for (const { storeName } of files) {
    await app.files.remove(storeName).catch((error: Error) => {
      app.log.warn({ reason: error.message }, 'the bytes of a canceled request stay until the next sweep')
    })
  }
}

/** Takes back a request that nobody has decided, or that the policy allowed and whose files did not all come. */
export async function cancelRequest(ctx: Change<TransferKind>, { idx }: { idx: number }) {
  const files = await ctx.change(async (tx) => {
    const before = await findOwnForUpdate(tx, ctx.actor.idx, idx)
    if (before === undefined) fail('NOT_ALLOWED')
    const isDone = before.state === ApprovalState.ALLOWED && before.isFileUploaded === 1
    if (!isOpen(before) || isDone) fail('REQUEST_STATE')
    const canceled = await cancelHeld(tx, before)
    return { result: canceled.files, log: [canceled.log] }
  })
  await removeBytes(ctx.app, files)
  return {}
}

/** How much of a file the server holds. */
async function receivedOf(app: Services, request: Pick<RequestRow, 'state'>, file: FileRow): Promise<number> {
  if (request.state === ApprovalState.CANCELED) return 0
  return file.isUploaded === 1 ? file.fileSize : app.files.received(storedOf(file))
}

type OwnRow = { idx: number; state: ApprovalState; fileCount: number }

async function withProgress<R extends OwnRow>({ app, read }: Read, requests: readonly R[]) {
  const answered: (R & { files: z.input<typeof AgentFile>[] })[] = []
  for (const request of await withFiles(read, requests)) {
    const own = []
    // One after the other: a page may hold many files, and each asks the disk.
    for (const file of request.files) own.push({ ...file, received: await receivedOf(app, request, file) })
    answered.push({ ...request, files: own })
  }
  return answered
}

const SORTS = { idx: sql.ref('idx'), requestDT: sql.ref('requestDT'), state: sql.ref('state') }

/** The caller's own requests, with how far their files have come. */
export function listOwn(ctx: Read, filter: OwnFilter) {
  const list = listOf(ctx.read, filter, { matches: matchOwn(ctx.read, ctx.actor.idx, filter), sorts: SORTS })
  return listWithFiles(list, (rows) => withProgress(ctx, rows))
}

/** One file of an own request that was approved or allowed. The history knows before the first byte goes out. */
export async function downloadOwn(ctx: Change<'fileDownload'>, asked: FileOfRequest): Promise<Download> {
  const { app, actor } = ctx
  const found = await findOwnFile(ctx.read, actor.idx, asked)
  if (found === undefined) fail('NOT_ALLOWED')
  const isGranted = found.state === ApprovalState.APPROVED || found.state === ApprovalState.ALLOWED
  if (!isGranted || found.isFileUploaded === 0) fail('REQUEST_STATE')
  const stream = await app.files.read(storedOf(found))
  try {
    await ctx.change(async (tx) => {
      const request = await findOwnForUpdate(tx, actor.idx, asked.fileEximport)
      if (request === undefined) fail('NOT_ALLOWED')
      return { result: undefined, log: [downloadLog(request, [found])] }
    })
    return { fileName: found.fileName, mediaType: 'application/octet-stream', size: found.fileSize, stream }
  } catch (error) {
    stream.destroy()
    throw error
  }
}
