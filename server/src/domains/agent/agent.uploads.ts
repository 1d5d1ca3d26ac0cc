// Receiving the files of a request (design, section 6; threat D5): bytes stream into the store and may break off anywhere;
// the next upload goes on there. One connection at a time sends a file. The last whole file completes the request.
import type { Readable } from 'node:stream'
import { RequestEvent, type TransferKind } from '@acc/contract/approvals'
import { flagOf } from '@acc/contract/enums'
import { notify } from '../../core/change.ts'
import type { Change } from '../../core/context.ts'
import { Failure, fail } from '../../core/errors.ts'
import type { Services } from '../../core/services.ts'
import type { Lock } from '../../db/locks.ts'
import { FileStoreError } from '../../files/errors.ts'
import type { StoredFile } from '../../files/fileStore.ts'
import { storedOf } from '../approvals/approvals.download.ts'
import { requestLog } from '../approvals/approvals.history.ts'
import { findFiles, updateRequest } from '../approvals/approvals.queries.ts'
import { type FileOfRequest, findOwnFile, findOwnForUpdate, updateFileUploaded } from './agent.queries.ts'
import { isOpen } from './agent.requests.ts'
import { arrivals } from './arrivals.ts'

type Asked = FileOfRequest & { offset: number }
type Upload = Change<TransferKind> & { body: Readable }
type Progress = { received: number; isUploaded: 0 | 1; isFileUploaded: 0 | 1 }

/** The file, which belongs to the caller and may take bytes. */
async function requireOpen(ctx: Upload, asked: FileOfRequest) {
  const found = await findOwnFile(ctx.read, ctx.actor.idx, asked)
  if (found === undefined) fail('NOT_ALLOWED')
  if (!isOpen(found)) fail('REQUEST_STATE')
  return found
}

/** Takes the bytes of one file from `offset` on. */
export async function receiveFile(ctx: Upload, asked: Asked): Promise<Progress> {
  const { app } = ctx
  const file = storedOf(await requireOpen(ctx, asked))
  const lock = await app.locks.tryLock(`upload:${asked.file}`)
  if (lock === undefined) fail('UPLOAD_OFFSET', { received: await app.files.received(file) })
  try {
    // Whoever held the lock before may have brought the rest.
    const { isUploaded, isFileUploaded } = await requireOpen(ctx, asked)
    if (isUploaded === 1) {
      if (asked.offset !== file.size) fail('UPLOAD_OFFSET', { received: file.size })
      return { received: file.size, isUploaded, isFileUploaded }
    }
    const { received, complete } = await store(ctx, file, asked.offset, lock)
    return complete ? await completeFile(ctx, asked, file) : { received, isUploaded: 0, isFileUploaded: 0 }
  } finally {
    await lock.release()
  }
}

async function store({ app, body }: Upload, file: StoredFile, offset: number, lock: Lock) {
  try {
    return await app.files.append(file, offset, arrivals(body, lock.lost))
  } catch (error) {
    if (error instanceof FileStoreError) return refuse(app, file, error)
    // The connection broke: nobody hears the answer, and nothing is wrong with the server.
    if (body.errored !== null) fail('UPLOAD_OFFSET', { received: await app.files.received(file) })
    throw error
  }
}

/** What a failure of the store means to the sender; a full or lost disk is told as it is. */
async function refuse(app: Services, file: StoredFile, error: FileStoreError): Promise<never> {
  if (error.reason === 'wrongOffset' || error.reason === 'busy') {
    fail('UPLOAD_OFFSET', { received: error.received ?? (await app.files.received(file)) })
  }
  if (error.reason === 'hashMismatch') fail('UPLOAD_MISMATCH', { received: 0 })
  if (error.reason === 'tooLong') {
    await app.files.remove(file.name)
    fail('UPLOAD_MISMATCH', { received: 0 })
  }
  throw error
}

/** Notes that a file is whole, and with the last one that the request is. */
async function completeFile(ctx: Upload, { fileEximport, file: idx }: FileOfRequest, file: StoredFile) {
  try {
    return await ctx.change(async (tx) => {
      const before = await findOwnForUpdate(tx, ctx.actor.idx, fileEximport)
      if (before === undefined || !isOpen(before)) fail('REQUEST_STATE')
      await updateFileUploaded(tx, idx)
      const files = await findFiles(tx, [fileEximport])
      const isWhole = files.every(({ isUploaded }) => isUploaded === 1)
      const result: Progress = { received: file.size, isUploaded: 1, isFileUploaded: flagOf(isWhole) }
      if (!isWhole) return { result, log: 'unchanged' }
      const after = await updateRequest(tx, fileEximport, { isFileUploaded: 1 })
      await notify(tx, { topic: 'approvals', idx: fileEximport, groupIdx: after.requesterGroupIdx })
      return { result, log: [requestLog(RequestEvent.UPLOADED, before, after, files)] }
    })
  } catch (error) {
    // Canceled while the bytes came.
    if (error instanceof Failure && error.error === 'REQUEST_STATE') await ctx.app.files.remove(file.name)
    throw error
  }
}
