// How late the event loop is. Every call waits for it several times.

/** Milliseconds between two measurements. */
const INTERVAL = 100
/** The share of the newest measurement in the average. */
const WEIGHT = 0.25

let delay = 0
let expected = performance.now() + INTERVAL
setInterval(() => {
  const now = performance.now()
  delay += WEIGHT * (Math.max(0, now - expected) - delay)
  expected = now + INTERVAL
}, INTERVAL).unref()

/** Returns by how many milliseconds the event loop has been late lately, on average. */
export const loopDelay = (): number => delay
