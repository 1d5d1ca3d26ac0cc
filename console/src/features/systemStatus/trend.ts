// Figures over time: the line that shows them, and when a reserve will be used up.

/** A figure at a moment in milliseconds; null if it was not known. */
export type Point = { at: number; value: number | null }

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The line breaks where figures of more than this time are missing. */
const GAP = 2 * HOUR

/** Returns the path of an SVG line in a box of this size, from 0 at the bottom to `most` at the top. */
export function pathOf(
  points: readonly Point[],
  size: { width: number; height: number },
  range: [number, number],
  most: number,
) {
  const [from, to] = range
  let drawnAt = Number.NEGATIVE_INFINITY
  let path = ''
  for (const { at, value } of points) {
    if (value === null) continue
    const x = ((at - from) / (to - from)) * size.width
    const y = size.height - (most === 0 ? 0 : (value / most) * size.height)
    // A point alone is drawn as a short line.
    path += `${at - drawnAt > GAP ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
    if (at - drawnAt > GAP) path += 'h0.1'
    drawnAt = at
  }
  return path
}

/** Figures of at least these days are needed, and a line that explains so much of their differences. */
const LEAST_DAYS = 3
const LEAST_POINTS = 48
const LEAST_FIT = 0.8
/** Nothing is said about a more distant future. */
const MOST_DAYS = 90

/**
 * Returns in how many days a reserve falls to `floor`, by a straight line through its figures. Undefined if they do not
 * follow a falling line, are too few, or lead too far into the future.
 */
export function daysUntilUsedUp(points: readonly Point[], floor: number): number | undefined {
  const known = points.flatMap(({ at, value }) => (value === null ? [] : [{ x: at / DAY, y: value }]))
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last || known.length < LEAST_POINTS || last.x - first.x < LEAST_DAYS) return undefined
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(known.map((point) => point.x)), mean(known.map((point) => point.y))]
  const sum = (of: (point: { x: number; y: number }) => number) => known.reduce((total, point) => total + of(point), 0)
  const [xx, yy, xy] = [
    sum((point) => (point.x - x) ** 2),
    sum((point) => (point.y - y) ** 2),
    sum((point) => (point.x - x) * (point.y - y)),
  ]
  if (xy >= 0 || xy ** 2 / (xx * yy) < LEAST_FIT) return undefined
  const days = Math.max(0, (floor - last.y) / (xy / xx))
  return days <= MOST_DAYS ? Math.floor(days) : undefined
}
