// Parts of the console that are fetched when they are first drawn. Unlike React's `lazy`, a part that could not be fetched can
// be tried again: while the server is away, nothing that was not there before comes.
import { ApiError, COMMUNICATION_FAILURE } from '@acc/contract/core/client'
import { passError } from '../api/errors.ts'
import { refetchStyles } from '../browser/refetchStyles.ts'

const failed = new Set<() => void>()

/** Has the parts that could not be fetched ask the server again when they are drawn next. */
export function retryFailed(): void {
  for (const reset of failed) reset()
  failed.clear()
}

/** Returns a function that fetches a part: the same promise until `retryFailed`. */
export function fetchedPart<T>(load: () => Promise<T>): () => Promise<T> {
  let fetching: Promise<T> | undefined
  const reset = () => {
    fetching = undefined
  }
  const fetchAll = async () => {
    try {
      await refetchStyles()
      return await load()
    } catch (error) {
      failed.add(reset)
      throw error
    }
  }
  return () => {
    fetching ??= fetchAll()
    return fetching
  }
}

/** Opens what needs a part once it is there; shows that the server could not be reached otherwise. */
export async function whenFetched(fetch: () => Promise<unknown>, open: () => void): Promise<void> {
  try {
    await fetch()
  } catch {
    retryFailed()
    passError(new ApiError('network', COMMUNICATION_FAILURE, ''))
    return
  }
  open()
}
