// Previews of a request's files for approvers: bytes that the console shows without saving them. The history row is
// written before the first byte is sent, as for downloads.
import { Readable } from 'node:stream'
import { HEAD_BYTES, previewOf } from '@acc/contract/filePreview'
import { FileKind } from '@acc/contract/labels/fileKind'
import { FileAccess } from '@acc/contract/labels/requests'
import type { Clock } from '../../clock.ts'
import type { Change, Download } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { type Limits, openLimits } from '../../http/limits.ts'
import { type FileOfRequest, findFiles } from './requestFiles.queries.ts'
import { choose, requireReadable } from './requests.downloads.ts'
import { storedOf } from './requests.files.ts'
import { downloadLog } from './requests.history.ts'

/** Previews of one person a second on a node, after thirty at once. */
const PER_SECOND = 3
const limitsBy = new WeakMap<Clock, Limits>()

function limitOf(clock: Clock): Limits {
  const limits = limitsBy.get(clock) ?? openLimits(clock, PER_SECOND)
  limitsBy.set(clock, limits)
  return limits
}

/** Reads the first bytes of a stream and closes it. */
async function readHead(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES)
}

/** Returns the bytes for a preview of one file of a request that the caller may approve. */
export async function previewFile(
  ctx: Change<'fileDownload'>,
  { fileEximport: idx, file: fileIdx }: FileOfRequest,
): Promise<Download> {
  const { services } = ctx
  limitOf(services.clock).call(ctx.actor)
  await requireReadable(ctx, ctx.read, idx)
  const files = choose(await findFiles(ctx.read, [idx]), [fileIdx])
  const [file = fail('NOT_ALLOWED')] = files
  const head = await readHead(await services.files.read(storedOf(file)))
  const kind = previewOf(head, file.fileSize)
  if (typeof kind === 'object') fail('NO_PREVIEW', kind)
  const isHeadEnough = kind === FileKind.TEXT || head.length === file.fileSize
  const stream = isHeadEnough ? Readable.from([head]) : await services.files.read(storedOf(file))
  try {
    await ctx.change(async (tx) => {
      const request = await requireReadable(ctx, tx, idx)
      return { result: undefined, log: [downloadLog(request, files, FileAccess.PREVIEW)] }
    })
  } catch (error) {
    stream.destroy()
    throw error
  }
  return { fileName: file.fileName, size: isHeadEnough ? head.length : file.fileSize, stream }
}
