// A requester's own requests from the desktop client: created as the policy decides, canceled, listed (spec S1 §3,
// policy fileExport).
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import type { OwnFile } from '@acc/contract/requestFiles'
import type { NewRequest } from '@acc/contract/requestInputs'
import { isCancelable, isToReview, isWaiting } from '@acc/contract/requestState'
import { type Deciders, MAX_DECIDERS } from '@acc/contract/requestSteps'
import type { requests, TransferKind } from '@acc/contract/requests'
import { MAX_UNREVIEWED, type UrgentRefusal } from '@acc/contract/urgentExports'
import { sql } from 'kysely'
import type { z } from 'zod'
import { days, today } from '../../clock.ts'
import type { Actor, Change, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import { requireSpace } from '../../core/space.ts'
import { filterBy } from '../../db/filters.ts'
import { listOf, mapList, mapPage } from '../../db/list.ts'
import type { Tx } from '../../db/open.ts'
import { requireCount } from '../credentials/throttles.ts'
import { findDeciders } from './requestDeciders.queries.ts'
import { type FileRow, findFiles, insertFiles } from './requestFiles.queries.ts'
import { countUnreviewed } from './requestReviews.queries.ts'
import { blockOf, findRequesters } from './requests.blocks.ts'
import { downloadLimitsOf } from './requests.downloadLimits.ts'
import { expiryOf, findExpiry } from './requests.expiry.ts'
import { attachFiles, ownerOf, storedOf } from './requests.files.ts'
import { requestLog } from './requests.history.ts'
import {
  findOpenSum,
  findOwnForUpdate,
  findRequester,
  insertRequest,
  lockOpen,
  lockRequester,
  matchOwn,
  type RequestRow,
} from './requests.queries.ts'
import { cancelAllLocked, cancelLocked, findExportState, notifyRequest } from './requests.state.ts'

/** Undecided or incomplete requests of one person. */
export const MAX_OPEN_REQUESTS = 200
/** Bytes of all files of these requests: as many as one file may have. */
export const MAX_OPEN_BYTES = 2 ** 40

/** Requests that one person creates within a day: canceled ones count, since they and their history stay. */
export const MAX_DAILY_REQUESTS = 1000

/** Fails with TOO_MANY_REQUESTS if a person's requests exceed their share. Concurrent requests of a person wait. */
async function requireQuota(tx: Tx, requesterIdx: number, bytes: number, now: Date): Promise<void> {
  await lockRequester(tx, requesterIdx)
  const open = await findOpenSum(tx, requesterIdx)
  if (open.count >= MAX_OPEN_REQUESTS || open.bytes + bytes > MAX_OPEN_BYTES) fail('TOO_MANY_REQUESTS')
  await requireCount(tx, { key: `requests:${requesterIdx}`, max: MAX_DAILY_REQUESTS, window: days(1) }, now)
}

/**
 * Fails with URGENT_REFUSED while too many urgent exports of a person are not reviewed, incomplete ones included, or a
 * review is overdue. Call it after `requireQuota`, whose lock lets concurrent requests of the person wait.
 */
async function requireReviewed(tx: Tx, requesterIdx: number, now: Date): Promise<void> {
  const { open, overdue } = await countUnreviewed(tx, requesterIdx, now)
  if (overdue > 0) fail('URGENT_REFUSED', { reason: 'overdue' } satisfies UrgentRefusal)
  if (open >= MAX_UNREVIEWED) fail('URGENT_REFUSED', { reason: 'open' } satisfies UrgentRefusal)
}

type OwnQuery = z.output<typeof requests.searchOwn.input>

/** Returns the state in which a request begins. Imports always wait, if the operator allows them at all. */
async function firstState(tx: Tx, services: HandlerServices, actor: Actor, type: Transfer): Promise<RequestState> {
  if (type === Transfer.IMPORT) {
    if (!services.env.runtime.show.approve.import) fail('NOT_ALLOWED')
    return RequestState.REQUESTED
  }
  return (await findExportState(tx, services, actor.idx, false)) ?? fail('NOT_ALLOWED')
}

/**
 * Returns what an urgent reason changes in a new request that would begin in `state`. Nothing where the policy allows
 * the export anyway: it needs no review.
 */
async function urgentValues(
  tx: Tx,
  services: HandlerServices,
  actor: Actor,
  { state, urgentReason }: { state: RequestState; urgentReason: string | undefined },
) {
  if (urgentReason === undefined || state === RequestState.ALLOWED) return { state, urgentReason: null }
  const urgent = await findExportState(tx, services, actor.idx, true)
  if (urgent !== RequestState.ALLOWED) fail('NOT_ALLOWED')
  await requireReviewed(tx, actor.idx, services.clock.now())
  return { state: urgent, urgentReason }
}

/** Returns the rows of new files. The store writes nothing before the first byte of a file. */
const fileRowsOf = (services: HandlerServices, fileEximportIdx: number, files: NewRequest['files']) =>
  files.map(({ name, size, sha256 }, position) => {
    const row = { fileEximportIdx, position, fileName: name }
    const stored = services.files.create(ownerOf(row), size, sha256)
    return { ...row, fileSize: size, sha256, storeName: stored.name, wrappedKey: stored.wrappedKey }
  })

/** Creates a request. The bytes of its files are uploaded afterwards. */
export async function createRequest(ctx: Change<TransferKind>, { type, purpose, urgentReason, files }: NewRequest) {
  const { services, actor } = ctx
  const fileSize = files.reduce((sum, { size }) => sum + size, 0)
  await requireSpace(services, fileSize)
  return ctx.change(async (tx) => {
    const first = await firstState(tx, services, actor, type)
    const requestDT = services.clock.now()
    await requireQuota(tx, actor.idx, fileSize, requestDT)
    const urgent = await urgentValues(tx, services, actor, { state: first, urgentReason })
    const { state } = urgent
    const request = await insertRequest(tx, {
      ...(await findRequester(tx, actor.idx)),
      ...urgent,
      type,
      requestDT,
      approveDT: first === RequestState.ALLOWED ? requestDT : null,
      requestPurpose: purpose,
      fileCount: files.length,
      fileSize,
    })
    await insertFiles(tx, fileRowsOf(services, request.idx, files))
    await notifyRequest(tx, request)
    const created = await findFiles(tx, [request.idx])
    const result = { idx: request.idx, state, files: created.map((file) => ({ ...file, received: 0 })) }
    return { result, log: [requestLog(state, null, request, created)] }
  })
}

/** Removes the bytes that a request no longer keeps. The cleanup job removes those that fail now. */
export async function removeBytes(services: HandlerServices, files: readonly FileRow[]): Promise<void> {
  for (const { storeName } of files) {
    await services.files.remove(storeName).catch((error: Error) => {
      services.log.warn({ reason: error.message }, 'bytes that a request no longer keeps stay until the next sweep')
    })
  }
}

/**
 * Cancels what deleted users have open, in the transaction that deletes them. The caller removes the bytes of `files`
 * by `removeBytes` after the commit. Nobody is mailed: the requesters are gone.
 */
export async function cancelRequestsOf(tx: Tx, requesterIdxes: readonly number[]) {
  return cancelAllLocked(tx, await lockOpen(tx, requesterIdxes))
}

/** Cancels an own request that is undecided, or allowed and incomplete. */
export async function cancelRequest(ctx: Change<TransferKind>, { idx }: { idx: number }) {
  const files = await ctx.change(async (tx) => {
    const before = await findOwnForUpdate(tx, ctx.actor.idx, idx)
    if (before === undefined) fail('NOT_ALLOWED')
    if (!isCancelable(before)) fail('REQUEST_STATE')
    const canceled = await cancelLocked(tx, before, ctx.services.clock.now())
    return { result: canceled.files, log: [canceled.log] }
  })
  await removeBytes(ctx.services, files)
  return {}
}

/** Returns how many bytes of a file the server holds, by its length on disk: a page may ask for thousands. */
async function receivedOf(
  services: HandlerServices,
  request: Pick<RequestRow, 'state' | 'filesRemovedDT'>,
  file: FileRow,
): Promise<number> {
  if (request.state === RequestState.CANCELED || request.filesRemovedDT !== null) return 0
  return file.isUploaded === 1 ? file.fileSize : services.files.held(storedOf(file))
}

type OwnRow = { idx: number; state: RequestState; fileCount: number; filesRemovedDT: Date | null }

async function attachProgress<R extends OwnRow>({ services, read }: Read, rows: readonly R[]) {
  const withProgress: (R & { files: z.input<typeof OwnFile>[] })[] = []
  for (const request of await attachFiles(read, rows)) {
    const files = []
    // One at a time, since a page may contain many files and each one needs disk access.
    for (const file of request.files) files.push({ ...file, received: await receivedOf(services, request, file) })
    withProgress.push({ ...request, files })
  }
  return withProgress
}

const SORTS = { idx: sql.ref('idx'), requestDT: sql.ref('requestDT'), state: sql.ref('state') }

/** Lists the caller's own requests with the progress of their files. */
export async function searchOwn(ctx: Read, query: OwnQuery) {
  const { read, actor } = ctx
  const { condition } = filterBy(query, {}, { idx: (idx) => sql`idx = ${idx}`, type: (type) => sql`type = ${type}` })
  const list = listOf(read, query, { matches: matchOwn(read, actor.idx).where(condition), sorts: SORTS })
  const day = today(ctx.services.clock)
  const [requesters, expiry] = await Promise.all([
    findRequesters(read, [{ requesterIdx: actor.idx }]),
    findExpiry(read),
  ])
  const requester = requesters.get(actor.idx)
  const marked = mapList(list, (row) => ({
    ...row,
    files: [],
    block: blockOf(row.type, requester, day, ctx.services.env),
    ...downloadLimitsOf(row, requester),
    expiryDT: expiryOf(row.waitDT, expiry),
    deciders: null as Deciders | null,
  }))
  return mapPage(marked, async (rows) => {
    const [row] = rows
    const isDecidedByOthers = row !== undefined && (isWaiting(row) || isToReview(row))
    if (query.idx === undefined || !isDecidedByOthers) return attachProgress(ctx, rows)
    return attachProgress(ctx, [{ ...row, deciders: await findDeciders(read, row.idx, day, MAX_DECIDERS) }])
  })
}
