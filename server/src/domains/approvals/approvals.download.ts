// Files of a request as one zip for whoever judges it (S2 section 7; threats A13, D1). The history names who took them before
// the first byte goes out.

import type { Readable } from 'node:stream'
import { Transfer } from '@acc/contract/enums'
import type { Change, Download } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import type { Services } from '../../core/services.ts'
import { zipFiles } from '../../files/zip.ts'
import { downloadLog } from './approvals.history.ts'
import { type FileRow, findFiles, findRequest, type RequestRow } from './approvals.queries.ts'
import { isReadable, reachOf } from './approvals.service.ts'

/** What the store knows a file by. */
export const storedOf = ({ storeName, wrappedKey, fileSize, sha256 }: FileRow) => ({
  name: storeName,
  wrappedKey,
  size: fileSize,
  sha256,
})

/** `Exports_20260131093000.zip`, by the caller's clock. */
function zipName(type: Transfer, at: Date, timeZone: string): string {
  const stamp = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)
  return `${type === Transfer.EXPORT ? 'Exports' : 'Imports'}_${stamp.replace(/\D/g, '')}.zip`
}

/** The asked files, all where none is named; a file of another request ends the call, as if it were not there. */
function choose(files: readonly FileRow[], idxes: readonly number[] = []): FileRow[] {
  const asked = new Set(idxes)
  const chosen = files.filter(({ idx }) => asked.size === 0 || asked.has(idx))
  if (asked.size > 0 && chosen.length !== asked.size) fail('NOT_ALLOWED')
  return chosen
}

/** The files as a zip; `first` is the first of them, which is open already. */
function zipOf(app: Services, files: readonly FileRow[], { requestDT }: RequestRow, first: Readable) {
  const entries = files.map((file, at) => ({
    name: file.fileName,
    size: file.fileSize,
    modified: requestDT,
    open: async () => (at === 0 ? first : app.files.read(storedOf(file))),
  }))
  const zip = zipFiles(entries)
  // A zip whose reader goes away before its first byte never comes to its first file.
  zip.stream.once('close', () => first.destroy())
  return zip
}

type Asked = { fileEximport: number; fileIdxes?: number[] | undefined }

export async function downloadRequest(
  ctx: Change<'fileDownload'>,
  { fileEximport: idx, fileIdxes }: Asked,
): Promise<Download> {
  const { app, actor } = ctx
  const request = await findRequest(ctx.read, idx, reachOf(actor, 2))
  if (request === undefined) fail('NOT_ALLOWED')
  const files = choose(await findFiles(ctx.read, [idx]), fileIdxes)
  const [file] = files
  if (!isReadable(request) || file === undefined) fail('REQUEST_STATE')
  // Opened first: a store that is away must neither be found out after the headers, nor leave a row of what nobody got.
  const first = await app.files.read(storedOf(file))
  try {
    await ctx.change(async (tx) => {
      const held = await findRequest(tx, idx, reachOf(actor, 2))
      if (held === undefined) fail('NOT_ALLOWED')
      return { result: undefined, log: [downloadLog(held, files)] }
    })
    const fileName = zipName(request.type, app.clock.now(), ctx.timeZone)
    return { fileName, mediaType: 'application/zip', ...zipOf(app, files, request, first) }
  } catch (error) {
    first.destroy()
    throw error
  }
}
