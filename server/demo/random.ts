// Reproducible random numbers, so that the sample organization is the same everywhere.
export type Random = {
  /** Returns an integer in the range, both ends included. */
  int(min: number, max: number): number
  /** Returns true with the given probability. */
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Returns several different elements. */
  some<T>(list: readonly T[], count: number): T[]
}

/** Mulberry32: sufficient for sample data, not for security. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[int(0, list.length - 1)]
    if (picked === undefined) throw new RangeError('nothing to pick from')
    return picked
  }
  const some = <T>(list: readonly T[], count: number): T[] => {
    const left = [...list]
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(int(0, left.length - 1), 1)).flat()
  }
  return { int, pick, some, chance: (probability) => next() < probability }
}
