// The animation of a counter (spec S2 §2.5): 60 frames from the shown number to the new one, fast first.

export const FRAMES = 60
const DIGITS = 4

/** Returns what a frame shows; the last one shows the target exactly. */
export function numberAt(frame: number, from: number, to: number): number {
  if (frame >= FRAMES) return to
  const rest = 1 - frame / FRAMES
  return Math.round(to + (from - to) * rest ** 3)
}

/** Splits a number into leading zeros and digits: 4 digits, more where the number needs them. */
export function digitsOf(value: number): { zeros: string; digits: string } {
  const digits = String(value)
  return { zeros: '0'.repeat(Math.max(0, DIGITS - digits.length)), digits }
}
