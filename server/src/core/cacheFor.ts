// Results that are good for a moment, where anybody may ask and each look costs something.
import type { Clock } from '../clock.ts'

/** Returns a function that calls `find` at most once in `milliseconds` and otherwise returns the previous result. */
export function cacheFor<T>(milliseconds: number, clock: Clock, find: () => Promise<T>): () => Promise<T> {
  let kept: { at: number; result: Promise<T> } | undefined
  return () => {
    const now = clock.now().getTime()
    // A clock that was set back makes no result good for longer.
    if (kept === undefined || Math.abs(now - kept.at) >= milliseconds) kept = { at: now, result: find() }
    return kept.result
  }
}
