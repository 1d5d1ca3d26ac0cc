// Downloads the deployed client: the bytes go to a file next to the target, named by their SHA-256, so that the
// next run continues where this one stopped. The program gets its name only once its size and SHA-256 are right.
import { createHash, type Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ClientFile } from '@acc/contract/clientVersions'
import { ApiError, COMMUNICATION_FAILURE } from '@acc/contract/core/client'
import { isPassing } from './connection.ts'
import { asNetworkError, damaged, nameNew } from './download.ts'
import { startPatience, watchStall } from './retry.ts'
import type { TransferContext } from './upload.ts'

export type ClientDownload = { client: ClientFile; path: string; isForced: boolean }

/** A link in place of the partial file is not followed. Windows has no such flag. */
const FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** Saves the deployed client, in as many attempts as the connection needs. */
export async function downloadClient(
  transfer: TransferContext,
  { client, path, isForced }: ClientDownload,
): Promise<void> {
  const part = join(dirname(path), `.acc-${client.sha256}.part`)
  const patience = startPatience(transfer.signal)
  for (let isComplete = false; !isComplete; ) {
    try {
      await receiveRest(transfer, client, part)
      isComplete = true
    } catch (error) {
      if (!isPassing(error) || !(await patience.waitForRetry())) throw error
    }
  }
  await (isForced ? rename(part, path) : nameNew(part, path))
  await rm(part, { force: true })
}

async function receiveRest(transfer: TransferContext, client: ClientFile, part: string): Promise<void> {
  const handle = await open(part, FLAGS, 0o600)
  try {
    const hash = createHash('sha256')
    const kept = await hashPartial(handle, hash, client.fileSize)
    const done = kept < client.fileSize ? await receive(transfer, client, { handle, hash, done: kept }) : kept
    if (done < client.fileSize) throw new ApiError('network', COMMUNICATION_FAILURE, 'the response is incomplete')
    if (hash.digest('hex') !== client.sha256) {
      await handle.truncate(0)
      throw damaged(client)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Hashes the bytes of an earlier run and returns how many there are. Discards them if they are too many. */
async function hashPartial(handle: FileHandle, hash: Hash, size: number): Promise<number> {
  const { size: kept } = await handle.stat()
  if (kept > size) {
    await handle.truncate(0)
    return 0
  }
  for await (const chunk of handle.createReadStream({ autoClose: false, start: 0 })) hash.update(chunk)
  return kept
}

type Place = { handle: FileHandle; hash: Hash; done: number }

async function receive(transfer: TransferContext, client: ClientFile, { handle, hash, done }: Place): Promise<number> {
  const { version, fileName, fileSize } = client
  const stall = watchStall()
  const signal = AbortSignal.any([transfer.signal, stall.signal])
  let offset = done
  transfer.progress.start(fileName, offset)
  try {
    const { body } = await transfer.calls.agent.downloadClient({ version, offset }, { timeout: 0, signal })
    for await (const chunk of body ?? []) {
      stall.moved()
      if (offset + chunk.length > fileSize) throw damaged(client)
      await handle.write(chunk, 0, chunk.length, offset)
      hash.update(chunk)
      offset += chunk.length
      transfer.progress.reach(offset, fileSize)
    }
    return offset
  } catch (error) {
    throw asNetworkError(error, transfer.signal)
  } finally {
    stall.stop()
  }
}
