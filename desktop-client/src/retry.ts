// Retries after a broken connection: increasing waits of about 75 seconds in all, more than a server needs to restart.
// Progress resets them.
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds. */
export const DELAYS: readonly number[] = [500, 1000, 2000, 4000, 8000, ...Array<number>(6).fill(10_000)]

export type Patience = {
  /** Waits before the next retry; false if none is left. */
  waitForRetry(): Promise<boolean>
  /** Resets the waits after progress. */
  renew(): void
}

type Pause = (milliseconds: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>

export function startPatience(signal: AbortSignal, pause: Pause = wait): Patience {
  let tries = 0
  return {
    async waitForRetry() {
      const delay = DELAYS[tries++]
      if (delay === undefined) return false
      await pause(delay, undefined, { signal })
      return true
    },
    renew() {
      tries = 0
    },
  }
}

/** A connection without progress for this long (ms) counts as broken. */
const STALL_MS = 60_000

export type Stall = { signal: AbortSignal; moved(): void; stop(): void }

/** Aborts its signal after STALL_MS without progress. */
export function watchStall(): Stall {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), STALL_MS)
  return { signal: controller.signal, moved: () => void timer.refresh(), stop: () => clearTimeout(timer) }
}
