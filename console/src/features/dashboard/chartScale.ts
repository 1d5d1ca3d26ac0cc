// The scale of a chart's vertical axis (spec S2 §9): hours in steps of 10, counts in steps of 100, at most 5 ticks.

const MAX_TICKS = 5

/** Returns the ticks from 0 up to `largest` or above. A step is `base` times a power of ten, times 1, 2 or 5. */
export function ticksOf(largest: number, base: number): number[] {
  for (let power = base; ; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const step = power * factor
      const count = Math.max(1, Math.ceil(largest / step))
      if (count < MAX_TICKS) return Array.from({ length: count + 1 }, (_, at) => at * step)
    }
  }
}
