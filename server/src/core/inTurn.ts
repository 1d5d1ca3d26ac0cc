// Work of which one runs at a time, in the order of arrival.
import { NotReady } from './errors.ts'

/** Returns a function that runs work in turn. Throws NotReady at once if more than `maxWaiting` wait. */
export function inTurn(maxWaiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async (work) => {
    if (waiting > maxWaiting) throw new NotReady('too many wait for their turn')
    waiting++
    const mine = last.then(work)
    last = mine.then(
      () => undefined,
      () => undefined,
    )
    try {
      return await mine
    } finally {
      waiting--
    }
  }
}
