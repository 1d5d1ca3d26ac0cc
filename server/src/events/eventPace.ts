// Slows down events that come with every sign-in: the first of them passes at once, those that follow within the interval
// become one at its end.
import type { HubEvent } from './eventHub.ts'

export type EventPace = {
  /** Returns whether an event may pass now. If not, `again` receives one of those held back at the end of the interval. */
  allows(event: HubEvent): boolean
  close(): void
}

/** Opens the pace of one stream; `interval` in milliseconds. */
export function openEventPace(interval: number, again: (event: HubEvent) => void): EventPace {
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
        again(event)
      }, opensAt - now)
      return false
    },
    close: () => clearTimeout(timer),
  }
}
