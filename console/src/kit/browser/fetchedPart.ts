// Code and texts that are fetched when first needed. Browsers keep a failed import for the life of the page. So nothing
// is imported while the server is away, and it can be fetched when the server is back (docs/decisions/17-console.md).
import { ApiError } from '@acc/contract/core/client'
import { expectServer, noteAnswer } from './connection.ts'

/** An import has failed nevertheless: only a reload of the page brings the part. */
export class LostPart extends Error {
  override readonly name = 'LostPart'
}

const failed = new Set<() => void>()

/** Has the parts that the server was away for fetched again when they are needed next. */
export function retryFailed(): void {
  for (const reset of failed) reset()
  failed.clear()
}

/** Marks a promise so that React's `use` reads it without suspending. */
const markDone = <T>(promise: Promise<T>) =>
  promise.then(
    (value) => void Object.assign(promise, { status: 'fulfilled', value }),
    () => undefined,
  )

/** Returns a function that fetches a part: the same promise until `retryFailed`. */
export function fetchedPart<T>(load: () => Promise<T>): () => Promise<T> {
  let fetching: Promise<T> | undefined
  const reset = () => {
    fetching = undefined
  }
  const expectAndLoad = async () => {
    try {
      await expectServer()
      const part = await load()
      noteAnswer()
      return part
    } catch (error) {
      if (error instanceof ApiError) failed.add(reset)
      throw error instanceof ApiError || error instanceof LostPart ? error : new LostPart(String(error))
    }
  }
  return () => {
    if (fetching === undefined) {
      fetching = expectAndLoad()
      void markDone(fetching)
    }
    return fetching
  }
}
