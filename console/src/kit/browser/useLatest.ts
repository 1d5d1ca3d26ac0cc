// A function that stays the same while what it does follows the last drawing: for rows that are drawn again only when
// something of theirs changes.
import { useCallback, useLayoutEffect, useRef } from 'react'

export function useLatest<A extends unknown[]>(action: (...args: A) => void): (...args: A) => void {
  const latest = useRef(action)
  useLayoutEffect(() => {
    latest.current = action
  })
  return useCallback((...args: A) => latest.current(...args), [])
}
