// Whether the server is there. The console has a live connection (app/shell/liveEvents.ts), whose loss shows at once;
// the portal has none.
import { ApiError, COMMUNICATION_FAILURE } from '@acc/contract/core/client'
import { useEffect, useState } from 'react'
import { createStore } from './store.ts'

export const liveConnection = createStore<'none' | 'up' | 'lost'>('none')

/** Milliseconds without an answer after which the page says so. */
export const SILENCE = 10_000

/** The number of writes that have waited so long. */
export const silentWrites = createStore(0)

/** Counts a write from the moment when it has waited so long until its answer. */
export async function watchWrite<T>(answer: Promise<T>): Promise<T> {
  let isSilent = false
  const count = (by: number) => silentWrites.set(silentWrites.get() + by)
  const timer = setTimeout(() => {
    isSilent = true
    count(1)
  }, SILENCE)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
    if (isSilent) count(-1)
  }
}

/** Milliseconds for which an answer shows that the server is there. */
const FRESH = 10_000
/** Milliseconds without an answer after which the server counts as away. */
const PATIENCE = 5_000

/** When the server answered last. The page itself is its first answer. */
let answeredAt = Date.now()
export const noteAnswer = (): void => {
  answeredAt = Date.now()
}

/** Asks for the page, which comes from where the parts come from. Rejects with an ApiError while the server is away. */
export async function askServer(): Promise<string> {
  try {
    const response = await fetch(location.pathname, { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) })
    if (!response.ok) throw new ApiError('network', response.status, response.statusText)
    const page = await response.text()
    noteAnswer()
    return page
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError('network', COMMUNICATION_FAILURE, '')
  }
}

/**
 * Resolves when the server is there; asks only if it has not shown that just now. Answers after the connection is lost
 * may be those of a server that is stopping.
 */
export async function expectServer(): Promise<void> {
  const live = liveConnection.get()
  const isKnown = live === 'up' || (live === 'none' && Date.now() - answeredAt < FRESH)
  if (!isKnown || navigator.onLine === false) await askServer()
}

/** Whether the server has another version of the console than this page. */
export async function hasNewVersion(): Promise<boolean> {
  const script = document.querySelector('script[type=module]')?.getAttribute('src')
  return typeof script === 'string' && !(await askServer()).includes(script)
}

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
