// Chance that is the same every time: the sample organisation looks alike wherever it is loaded.
export type Random = {
  /** A whole number between the two, both included. */
  int(min: number, max: number): number
  /** True with the given probability. */
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Several different ones. */
  some<T>(list: readonly T[], count: number): T[]
}

/** Mulberry32, which is even enough for this and nothing else. */
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
