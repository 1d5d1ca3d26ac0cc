// Uploads of a request's files: bytes stream into the store and may break off anywhere; the next upload continues
// there. One connection at a time sends a file. The last complete file completes the request.
import type { Readable } from 'node:stream'
import { flagOf } from '@acc/contract/labels/flags'
import { acceptsFiles } from '@acc/contract/requestState'
import type { TransferKind } from '@acc/contract/requests'
import type { Change } from '../../core/context.ts'
import { Failure, fail } from '../../core/errors.ts'
import type { HandlerServices } from '../../core/services.ts'
import { requireSpace } from '../../core/space.ts'
import type { Lock } from '../../db/locks.ts'
import { FileStoreError } from '../../files/errors.ts'
import type { StoredFile } from '../../files/fileStore.ts'
import { RequesterEvent } from './requesterNotices.queries.ts'
import { type FileOfRequest, findFiles, findOwnFile, updateFileUploaded } from './requestFiles.queries.ts'
import { storedOf } from './requests.files.ts'
import { removeBytes } from './requests.own.ts'
import { findOwnForUpdate } from './requests.queries.ts'
import { cancelLocked, completeLocked, evaluatePolicyAgain, notifyRequester } from './requests.state.ts'

/** Milliseconds without a byte. */
const IDLE = 60_000

/**
 * Yields the chunks of a body. Destroys the body, with its connection, after `idle` without a chunk or when `lost`
 * reports a lost lock; otherwise the connection remains open for the response.
 */
export async function* withIdleTimeout(body: Readable, lost: AbortSignal, idle = IDLE): AsyncGenerator<Uint8Array> {
  let isWaiting = true
  const timer = setTimeout(() => {
    if (isWaiting) body.destroy(new Error('nothing came for too long'))
  }, idle)
  const onLost = () => void body.destroy(new Error('the lock on the file was lost'))
  lost.addEventListener('abort', onLost)
  if (lost.aborted) onLost()
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      isWaiting = false
      yield chunk
      isWaiting = true
      timer.refresh()
    }
  } finally {
    clearTimeout(timer)
    lost.removeEventListener('abort', onLost)
  }
}

type Position = FileOfRequest & { offset: number }
type UploadContext = Change<TransferKind> & { body: Readable }
type Progress = { received: number; isUploaded: 0 | 1; isFileUploaded: 0 | 1 }

/** Returns the caller's file if it accepts bytes. */
async function requireUploadable(ctx: UploadContext, position: FileOfRequest) {
  const found = await findOwnFile(ctx.read, ctx.actor.idx, position)
  if (found === undefined) fail('NOT_ALLOWED')
  if (!acceptsFiles(found)) fail('REQUEST_STATE')
  return found
}

/** Receives the bytes of one file from `offset` on. */
export async function receiveFile(ctx: UploadContext, position: Position): Promise<Progress> {
  const { services } = ctx
  const file = storedOf(await requireUploadable(ctx, position))
  const lock = await services.locks.tryLock(`upload:${position.file}`)
  if (lock === undefined) fail('UPLOAD_OFFSET', { received: await services.files.received(file) })
  try {
    // The previous holder of the lock may have completed the file.
    const { isUploaded, isFileUploaded } = await requireUploadable(ctx, position)
    if (isUploaded === 1) {
      if (position.offset !== file.size) fail('UPLOAD_OFFSET', { received: file.size })
      return { received: file.size, isUploaded, isFileUploaded }
    }
    await requireSpace(services, file.size - position.offset)
    const { received, complete } = await store(ctx, file, position.offset, lock)
    return complete ? await completeFile(ctx, position, file) : { received, isUploaded: 0, isFileUploaded: 0 }
  } finally {
    await lock.release()
  }
}

async function store({ services, body }: UploadContext, file: StoredFile, offset: number, lock: Lock) {
  try {
    return await services.files.append(file, offset, withIdleTimeout(body, lock.lost))
  } catch (error) {
    if (error instanceof FileStoreError) return refuse(services, file, error)
    // The connection broke; the server itself is fine.
    if (body.errored !== null) fail('UPLOAD_OFFSET', { received: await services.files.received(file) })
    throw error
  }
}

/** Translates a failure of the store for the sender; a full or lost disk is reported as it is. */
async function refuse(services: HandlerServices, file: StoredFile, error: FileStoreError): Promise<never> {
  if (error.reason === 'wrongOffset' || error.reason === 'busy') {
    fail('UPLOAD_OFFSET', { received: error.received ?? (await services.files.received(file)) })
  }
  if (error.reason === 'hashMismatch') fail('UPLOAD_MISMATCH', { received: 0 })
  if (error.reason === 'tooLong') {
    await services.files.remove(file.name)
    fail('UPLOAD_MISMATCH', { received: 0 })
  }
  throw error
}

/** Marks a file as complete, and with the last one the request; cancels it if the policy blocks exports by now. */
async function completeFile(ctx: UploadContext, { fileEximport, file: idx }: FileOfRequest, file: StoredFile) {
  try {
    const outcome = await ctx.change(async (tx) => {
      const before = await findOwnForUpdate(tx, ctx.actor.idx, fileEximport)
      if (before === undefined || !acceptsFiles(before)) fail('REQUEST_STATE')
      await updateFileUploaded(tx, idx)
      const files = await findFiles(tx, [fileEximport])
      const isComplete = files.every(({ isUploaded }) => isUploaded === 1)
      const result: Progress = { received: file.size, isUploaded: 1, isFileUploaded: flagOf(isComplete) }
      if (!isComplete) return { result, log: 'unchanged' }
      const state = await evaluatePolicyAgain(tx, ctx.services, before)
      const at = ctx.services.clock.now()
      if (state === undefined) await notifyRequester(tx, before, RequesterEvent.CANCELED, at)
      const { log } =
        state === undefined
          ? await cancelLocked(tx, before, at)
          : await completeLocked(tx, ctx.services, before, state, at)
      return { result: state === undefined ? { blocked: files } : result, log: [log] }
    })
    if (!('blocked' in outcome)) return outcome
    await removeBytes(ctx.services, outcome.blocked)
    return fail('NOT_ALLOWED')
  } catch (error) {
    // Canceled during the upload.
    if (error instanceof Failure && error.error === 'REQUEST_STATE') await ctx.services.files.remove(file.name)
    throw error
  }
}
