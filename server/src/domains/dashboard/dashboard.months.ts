// The months of a range in a time zone. Their bounds are found here and not by the database, whose names and signs of
// time zones differ from those that browsers send.

type Month = {
  /** YYYY-MM. */
  name: string
  start: Date
}

/** Milliseconds; no time zone is further from UTC. */
const FARTHEST = 15 * 3_600_000
/** More than the longest range has. */
const MAX_MONTHS = 24

/** Months since the year 0. */
type Counter = (moment: number) => number

function counterIn(timeZone: string): Counter {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric', calendar: 'gregory' })
  return (moment) => {
    const parts = format.formatToParts(moment)
    const numberOf = (type: 'year' | 'month') => Number(parts.find((part) => part.type === type)?.value)
    return numberOf('year') * 12 + numberOf('month') - 1
  }
}

/** Finds the first moment of a month. Searched for, since clocks may be put forward at midnight. */
function startOf(month: number, countOf: Counter): number {
  const inUtc = Date.UTC(Math.floor(month / 12), month % 12)
  let [before, start] = [inUtc - FARTHEST, inUtc + FARTHEST]
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2)
    if (countOf(middle) < month) before = middle
    else start = middle
  }
  return start
}

const nameOf = (month: number) =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`

/** Returns the months that a range touches; the first may start before it. */
export function monthsOf(from: Date, to: Date, timeZone: string): Month[] {
  const countOf = counterIn(timeZone)
  const first = countOf(from.getTime())
  const count = Math.min(countOf(to.getTime() - 1) - first + 1, MAX_MONTHS)
  return Array.from({ length: count }, (_, at) => ({
    name: nameOf(first + at),
    start: new Date(startOf(first + at, countOf)),
  }))
}
