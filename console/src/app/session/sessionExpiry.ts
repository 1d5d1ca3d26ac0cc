// When a session is taken for expired (S1 section 4).

const GRACE = 10_000

/** Milliseconds of the clock: `minutes` after the last use or what the server told, whichever is later, and 10 s. */
export const expiryOf = (lastUse: number, minutes: number, told: number): number =>
  Math.max(lastUse + minutes * 60_000, told) + GRACE
