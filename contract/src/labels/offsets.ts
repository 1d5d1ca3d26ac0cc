// Offsets of a time zone from UTC, which change at summer time.

/** Minutes ahead of UTC at a moment. */
export type OffsetAt = (moment: number) => number
/** A part of a period with one offset; `end` is exclusive. */
export type OffsetPart = { start: number; end: number; offset: number }

/** Milliseconds; no time zone changes its offset twice in a week. */
const WEEK = 7 * 86_400_000

/** Returns the first moment after `start` with another offset; `end` if there is none before it. */
function nextChange(start: number, end: number, offsetAt: OffsetAt): number {
  const offset = offsetAt(start)
  let same = start
  let other = Math.min(start + WEEK, end)
  while (other < end && offsetAt(other) === offset) [same, other] = [other, Math.min(other + WEEK, end)]
  if (other === end && offsetAt(end - 1) === offset) return end
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (offsetAt(middle) === offset) same = middle
    else other = middle
  }
  return other
}

/** Splits a period where the offset changes; an empty period has no parts. */
export function splitByOffset(start: number, end: number, offsetAt: OffsetAt): OffsetPart[] {
  const parts: OffsetPart[] = []
  for (let from = start; from < end; ) {
    const to = nextChange(from, end, offsetAt)
    parts.push({ start: from, end: to, offset: offsetAt(from) })
    from = to
  }
  return parts
}

/** The offsets of a named time zone, as IANA and `Intl` know it. */
export function offsetIn(timeZone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  return (moment) => {
    const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = 0, minutes = 0] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? []
    return (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes))
  }
}
