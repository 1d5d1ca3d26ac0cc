// Downloads a file: the bytes are written to a temporary file next to the target, verified against the request's
// SHA-256, and renamed. No incomplete file gets the name, and no file is overwritten without `--force`.
import { createHash, type Hash, randomUUID } from 'node:crypto'
import { type FileHandle, link, lstat, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ApiError, COMMUNICATION_FAILURE } from '@acc/contract/core/client'
import { isPassing, isPostponed } from './connection.ts'
import { writeDurably } from './durableFile.ts'
import { Advised, isSystemError, localError } from './errors.ts'
import { readLocalFile } from './localFiles.ts'
import { startPatience, watchStall } from './retry.ts'
import type { RequestFile, TransferContext } from './upload.ts'

type FileFacts = Pick<RequestFile, 'fileSize' | 'sha256'>
/** `isCounted`: each download that begins counts, by the policy. */
export type Download = { fileEximport: number; file: RequestFile; path: string; isForced: boolean; isCounted: boolean }

/** What exists at the target: nothing, the same file, or another one. */
export async function compareWithTarget(path: string, file: FileFacts): Promise<'nothing' | 'same' | 'other'> {
  const stat = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (stat === undefined) return 'nothing'
  if (!stat.isFile() || stat.size !== file.fileSize) return 'other'
  const { sha256 } = await readLocalFile(path)
  return sha256 === file.sha256 ? 'same' : 'other'
}

/**
 * Saves one file of a request. After a broken connection it starts again from the beginning. A counted download is not
 * repeated by itself: that would use up the rest.
 */
export async function downloadFile(transfer: TransferContext, download: Download): Promise<void> {
  const patience = startPatience(transfer.signal)
  for (;;) {
    try {
      return await save(transfer, download)
    } catch (error) {
      const hasMaybeBegun = isPassing(error) && !isPostponed(error)
      if (download.isCounted && hasMaybeBegun)
        throw new Advised(error, (texts) => texts.countedAdvice(download.fileEximport))
      if (!isPassing(error) || !(await patience.waitForRetry())) throw error
    }
  }
}

const save = (transfer: TransferContext, download: Download): Promise<void> =>
  writeDurably({
    path: join(dirname(download.path), `.acc-${randomUUID()}.part`),
    write: (handle) => receive(transfer, download, handle),
    place: (draft) => (download.isForced ? rename(draft, download.path) : nameNew(draft, download.path)),
  })

/** Gives the file its name unless another file has it by now. */
export async function nameNew(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') throw localError((texts) => texts.exists(path))
    // Without hard links, checking before the rename is the best option.
    await lstat(path).then(
      () => Promise.reject(localError((texts) => texts.exists(path))),
      () => rename(draft, path),
    )
  }
}

async function receive(transfer: TransferContext, { fileEximport, file }: Download, handle: FileHandle): Promise<void> {
  const stall = watchStall()
  const signal = AbortSignal.any([transfer.signal, stall.signal])
  const hash = createHash('sha256')
  transfer.progress.start(file.fileName)
  try {
    const { body } = await transfer.calls.requests.downloadOwn({ fileEximport, file: file.idx }, { timeout: 0, signal })
    let done = 0
    for await (const chunk of body ?? []) {
      stall.moved()
      done += chunk.length
      if (done > file.fileSize) throw damaged(file)
      await take(chunk, hash, handle)
      transfer.progress.reach(done, file.fileSize)
    }
  } catch (error) {
    throw asNetworkError(error, transfer.signal)
  } finally {
    stall.stop()
  }
  if (hash.digest('hex') !== file.sha256) throw damaged(file)
}

async function take(chunk: Uint8Array, hash: Hash, handle: FileHandle): Promise<void> {
  hash.update(chunk)
  await handle.writeFile(chunk)
}

export const damaged = (file: Pick<RequestFile, 'fileName'>) => localError((texts) => texts.damaged(file.fileName))

/** While a body is read, fetch reports a broken connection as a TypeError and a stall as an AbortError. */
export function asNetworkError(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || !(error instanceof Error)) return error
  const isBroken = error instanceof TypeError || error.name === 'AbortError'
  return isBroken ? new ApiError('network', COMMUNICATION_FAILURE, error.message) : error
}
