// Slows down events of every sign-in: the first one passes at once, those within the interval become one at its end.
import type { HubEvent } from './eventHub.ts'

export type EventPace = {
  /** Returns whether an event may pass now. `onEnd` receives one of the others at the end of the interval. */
  allows(event: HubEvent): boolean
  close(): void
}

/** Opens the pace of one stream; `interval` in milliseconds. */
export function openEventPace(interval: number, onEnd: (event: HubEvent) => void): EventPace {
  let opensAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  return {
    allows: (event) => {
      const now = performance.now()
      if (timer !== undefined) return false
      if (now >= opensAt) {
        opensAt = now + interval
        return true
      }
      timer = setTimeout(() => {
        timer = undefined
        onEnd(event)
      }, opensAt - now)
      return false
    },
    close: () => clearTimeout(timer),
  }
}
