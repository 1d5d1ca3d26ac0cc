// Uploads a file (PUT /Agent/FileEximport/File) from the offset that the server has. After a broken connection or a
// restart of the server it retries and asks the server for the offset.

import { ApiError, COMMUNICATION_FAILURE } from '@acc/contract/core/client'
import type { OwnRequest } from '@acc/contract/requests'
import { type Calls, isPassing } from './connection.ts'
import { answered, isAnswer } from './errors.ts'
import { type LocalFile, readFrom } from './localFiles.ts'
import type { Progress } from './progress.ts'
import { startPatience, watchStall } from './retry.ts'

export type RequestFile = OwnRequest['files'][number]
/** A file of a request, and the local file with its bytes. */
export type Upload = { fileEximport: number; file: RequestFile; local: LocalFile }
export type TransferContext = { calls: Calls; signal: AbortSignal; progress: Progress }

/** Position of an upload: an offset, or done. */
type Position = number | 'complete'
/** Result of one attempt: its first and last known offset, and why it stopped. */
type Attempt = { from?: number; reached?: Position; failure?: unknown }

/** Returns an own request from the server; 980 if it does not exist. */
export async function findRequest(
  { calls, signal }: Pick<TransferContext, 'calls' | 'signal'>,
  idx: number,
): Promise<OwnRequest> {
  const { items } = await calls.requests.searchOwn({ idx, rowsCount: 1 }, { signal })
  const [request] = items
  if (request === undefined) throw answered('NOT_ALLOWED')
  return request
}

/** Sends the missing bytes of a file. Returns once the server has verified its hash. */
export async function uploadFile(transfer: TransferContext, upload: Upload): Promise<void> {
  const patience = startPatience(transfer.signal)
  let position: Position | undefined = upload.file.received
  let best = position
  transfer.progress.start(upload.local.name, position)
  for (;;) {
    const turn = await tryFrom(transfer, upload, position)
    if (turn.reached === 'complete') return
    position = turn.reached
    const furthest = Math.max(turn.from ?? 0, turn.reached ?? 0)
    const isForward = furthest > best
    if (isForward) patience.renew()
    best = Math.max(best, furthest)
    if (isForward && turn.failure === undefined) continue
    if (!(await patience.waitForRetry()))
      throw turn.failure ?? new ApiError('network', COMMUNICATION_FAILURE, 'no progress')
  }
}

async function tryFrom(transfer: TransferContext, upload: Upload, position: Position | undefined): Promise<Attempt> {
  let from: number | undefined
  try {
    const found = position ?? (await findPosition(transfer, upload))
    if (found === 'complete') return { reached: found }
    from = found
    const answer = await send(transfer, upload, from)
    return { from, reached: answer.isUploaded === 1 ? 'complete' : answer.received }
  } catch (failure) {
    if (!isPassing(failure)) throw failure
    return { from, reached: positionIn(failure), failure }
  }
}

async function findPosition(transfer: TransferContext, { fileEximport, file }: Upload): Promise<Position> {
  const { files } = await findRequest(transfer, fileEximport)
  const found = files.find(({ idx }) => idx === file.idx)
  if (found === undefined) throw answered('REQUEST_STATE')
  return found.isUploaded === 1 ? 'complete' : found.received
}

/** Returns the offset that the server names after a wrong one. */
function positionIn(error: unknown): number | undefined {
  if (!isAnswer(error, 'UPLOAD_OFFSET')) return undefined
  const { data } = error
  const isNamed = typeof data === 'object' && data !== null && 'received' in data
  return isNamed && typeof data.received === 'number' ? data.received : undefined
}

async function send(
  { calls, signal, progress }: TransferContext,
  { fileEximport, file, local }: Upload,
  offset: number,
) {
  const stall = watchStall()
  // The call reports an error of the local file as a broken connection only.
  let fault: unknown
  async function* body() {
    let at = offset
    try {
      for await (const chunk of readFrom(local, offset)) {
        stall.moved()
        yield chunk
        at += chunk.length
        progress.reach(at, local.size)
      }
      stall.stop() // the server may take long to verify the hash of a large file
    } catch (error) {
      fault = error
      throw error
    }
  }
  try {
    const options = { timeout: 0, signal: AbortSignal.any([signal, stall.signal]) }
    return await calls.requests.upload({ fileEximport, file: file.idx, offset }, body(), options)
  } catch (error) {
    if (fault !== undefined) throw fault
    if (!signal.aborted && stall.signal.aborted) throw new ApiError('network', COMMUNICATION_FAILURE, 'stalled')
    throw error
  } finally {
    stall.stop()
  }
}
