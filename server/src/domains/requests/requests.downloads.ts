// Downloads of a request's files: as one zip for approvers (spec S2 §7), one by one for the requester's desktop client.
// The history row is written before the first byte is sent.

import { Readable } from 'node:stream'
import { Level } from '@acc/contract/labels/access'
import { fileStamp } from '@acc/contract/labels/formats'
import { Transfer } from '@acc/contract/labels/requests'
import { hasFiles, isBlocked, isReleased } from '@acc/contract/requestState'
import type { TransferKind } from '@acc/contract/requests'
import { timeZoneOf } from '../../clock.ts'
import type { Change, Download } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import type { Reader } from '../../db/open.ts'
import { zipFiles } from '../../files/zip.ts'
import { type FileOfRequest, type FileRow, findFiles, findOwnFile } from './requestFiles.queries.ts'
import { findBlock } from './requests.blocks.ts'
import { useDownload } from './requests.downloadLimits.ts'
import { storedOf } from './requests.files.ts'
import { downloadLog } from './requests.history.ts'
import { findOwnForUpdate, findRequest, type RequestRow } from './requests.queries.ts'
import { reachOf } from './requests.service.ts'
import { evaluatePolicyAgain, reopenLocked } from './requests.state.ts'

/** `Exports_20260131093000.zip`, by the caller's clock. */
function zipName(type: Transfer, at: Date, timeZone: string): string {
  return `${type === Transfer.EXPORT ? 'Exports' : 'Imports'}_${fileStamp(at, timeZone)}.zip`
}

/** Returns the named files, all of them if none is named. A file of another request ends the call. */
export function choose(files: readonly FileRow[], idxes: readonly number[] = []): FileRow[] {
  const named = new Set(idxes)
  const chosen = files.filter(({ idx }) => named.size === 0 || named.has(idx))
  if (named.size > 0 && chosen.length !== named.size) fail('NOT_ALLOWED')
  return chosen
}

/** Files that are looked at together: in a bucket each takes a call of the service. */
const AT_ONCE = 4

/** Fails where the store is unavailable, or a file is missing, cut off or known to be damaged. */
async function requireStored({ files: store }: HandlerServices, files: readonly FileRow[]): Promise<void> {
  const requireOne = async (file: FileRow) => (await store.read(storedOf(file))).destroy()
  for (let at = 0; at < files.length; at += AT_ONCE) await Promise.all(files.slice(at, at + AT_ONCE).map(requireOne))
}

const zipOf = (services: HandlerServices, files: readonly FileRow[], { requestDT }: RequestRow) =>
  zipFiles(
    files.map((file) => ({
      name: file.fileName,
      size: file.fileSize,
      modified: requestDT,
      open: () => services.files.read(storedOf(file)),
    })),
  )

/** Fails with NOT_ALLOWED while the request is blocked. */
async function requireUnblocked({ services }: Change<'fileDownload'>, db: Reader, request: RequestRow): Promise<void> {
  if (isBlocked({ block: await findBlock(db, request, services) })) fail('NOT_ALLOWED')
}

/** Returns a request whose files the caller may read now, as an approver of its group. */
export async function requireReadable(ctx: Change<'fileDownload'>, db: Reader, idx: number): Promise<RequestRow> {
  const request = await findRequest(db, idx, reachOf(ctx.actor, Level.EDIT))
  // An own request is never read through the approver's calls: its files would leave without an approval.
  if (request === undefined || request.requesterIdx === ctx.actor.idx) fail('NOT_ALLOWED')
  if (!hasFiles(request)) fail('REQUEST_STATE')
  await requireUnblocked(ctx, db, request)
  return request
}

type ZipInput = {
  fileEximport: number
  fileIdxes?: number[] | undefined
  isTrial: 0 | 1
  timeZone?: string | undefined
}

/** Downloads files of a request that the caller may approve as a zip. */
export async function downloadRequest(
  ctx: Change<'fileDownload'>,
  { fileEximport: idx, fileIdxes, isTrial, timeZone }: ZipInput,
): Promise<Download> {
  const { services } = ctx
  const request = await requireReadable(ctx, ctx.read, idx)
  const files = choose(await findFiles(ctx.read, [idx]), fileIdxes)
  if (files.length === 0) fail('REQUEST_STATE')
  // Before the history row and the headers.
  await requireStored(services, files)
  const fileName = zipName(
    request.type,
    services.clock.now(),
    timeZone === undefined ? ctx.timeZone : timeZoneOf(timeZone),
  )
  if (isTrial === 1) return { fileName, size: 0, stream: Readable.from([]) }
  await ctx.change(async (tx) => {
    const held = await requireReadable(ctx, tx, idx)
    return { result: undefined, log: [downloadLog(held, files)] }
  })
  return { fileName, ...zipOf(services, files, request) }
}

/**
 * Downloads one file of an own request that was approved or allowed, unless the policy blocks exports by now. Where it
 * asks for approval of what it allowed, the request waits for an approver. A download counts when it begins: a client
 * could break off before the last byte.
 */
export async function downloadOwn(ctx: Change<'fileDownload' | TransferKind>, place: FileOfRequest): Promise<Download> {
  const { services, actor } = ctx
  const file = await findOwnFile(ctx.read, actor.idx, place)
  if (file === undefined) fail('NOT_ALLOWED')
  if (!isReleased(file)) fail('REQUEST_STATE')
  const stream = await services.files.read(storedOf(file))
  try {
    const isGranted = await ctx.change(async (tx) => {
      const request = await findOwnForUpdate(tx, actor.idx, place.fileEximport)
      if (request === undefined) fail('NOT_ALLOWED')
      if (!isReleased(request)) fail('REQUEST_STATE')
      await requireUnblocked(ctx, tx, request)
      const state = (await evaluatePolicyAgain(tx, services, request)) ?? fail('NOT_ALLOWED')
      if (state === request.state) {
        const refusal = await useDownload(tx, request, file.idx, services.clock.now())
        if (refusal !== undefined) fail('DOWNLOADS_USED', refusal)
        return { result: true, log: [downloadLog(request, [file])] }
      }
      const { log } = await reopenLocked(tx, request, services.clock.now())
      return { result: false, log: [log] }
    })
    if (!isGranted) fail('REQUEST_STATE')
    return { fileName: file.fileName, size: file.fileSize, stream }
  } catch (error) {
    stream.destroy()
    throw error
  }
}
