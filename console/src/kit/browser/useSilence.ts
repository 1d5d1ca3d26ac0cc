// Whether a wait has become so long that the page says that the server does not answer.
import { useEffect, useState } from 'react'
import { SILENCE } from './connection.ts'

/** Follows a wait; `restart` begins it anew. */
export function useSilence(isWaiting = true) {
  const [attempt, setAttempt] = useState(0)
  const [silent, setSilent] = useState<number>()
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setSilent(attempt), SILENCE)
    return () => {
      clearTimeout(timer)
      setSilent(undefined)
    }
  }, [isWaiting, attempt])
  return { isSilent: silent === attempt, restart: () => setAttempt((now) => now + 1) }
}
