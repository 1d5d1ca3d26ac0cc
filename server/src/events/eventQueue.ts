// The waiting events of one live stream, bounded for slow readers. Equal events become one, and too many different ones
// become "anything may have changed".
import { type HubEvent, MISSED } from './eventHub.ts'

/** Maximum number of different events that wait. */
const MAX_WAITING = 100

type EventQueue = {
  push(event: HubEvent): void
  /** Resolves with the next event, or with undefined once the queue is closed. */
  take(): Promise<HubEvent | undefined>
  close(): void
}

export function openEventQueue(): EventQueue {
  const waiting = new Map<string, HubEvent>()
  let wake: (() => void) | undefined
  let isClosed = false
  const stir = () => {
    wake?.()
    wake = undefined
  }
  return {
    push: (event) => {
      if (waiting.size >= MAX_WAITING) {
        waiting.clear()
        waiting.set('', MISSED)
      } else waiting.set(JSON.stringify(event), event)
      stir()
    },
    take: async () => {
      while (!isClosed) {
        const [first] = waiting
        if (first !== undefined) {
          waiting.delete(first[0])
          return first[1]
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return undefined
    },
    close: () => {
      isClosed = true
      stir()
    },
  }
}
