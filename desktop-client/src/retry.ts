// Patience with a broken connection: each wait longer than the one before, about 75 seconds of them together, which is more
// than a server needs to start again. Progress makes the patience new.
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds. */
export const DELAYS: readonly number[] = [500, 1000, 2000, 4000, 8000, ...Array<number>(6).fill(10_000)]

export type Patience = {
  /** Waits for the next try; false where there is none left. */
  again(): Promise<boolean>
  /** Something went forward. */
  renew(): void
}

type Pause = (milliseconds: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>

export function startPatience(signal: AbortSignal, pause: Pause = wait): Patience {
  let tries = 0
  return {
    async again() {
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

/** A connection over which nothing has moved for so long counts as broken. */
const STALL_MS = 60_000

export type Stall = { signal: AbortSignal; moved(): void; stop(): void }

/** Aborts its signal when nothing moves for STALL_MS. */
export function watchStall(): Stall {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), STALL_MS)
  return { signal: controller.signal, moved: () => void timer.refresh(), stop: () => clearTimeout(timer) }
}
