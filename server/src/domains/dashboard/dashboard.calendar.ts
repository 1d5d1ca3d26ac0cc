// The months and weeks of a range in a time zone. Their bounds are found here and not by the database, whose names and
// signs of time zones differ from those that browsers send.

type Part = {
  /** YYYY-MM of a month, YYYY-MM-DD of a week's Monday. */
  name: string
  start: Date
}

const DAY = 86_400_000
/** Milliseconds; no time zone is further from UTC. */
const FARTHEST = 15 * 3_600_000
/** More than the longest range has. */
const MAX_PARTS = 70

/** Months or weeks, numbered. */
type Unit = {
  numberOf: (year: number, month: number, day: number) => number
  /** The first day, in UTC. */
  startOf: (number: number) => number
  nameLength: number
}
const MONTH: Unit = {
  numberOf: (year, month) => year * 12 + month - 1,
  startOf: (number) => Date.UTC(Math.floor(number / 12), number % 12),
  nameLength: 'YYYY-MM'.length,
}
/** The first day of 1970 was a Thursday. */
const SINCE_MONDAY = 3
const WEEK: Unit = {
  numberOf: (year, month, day) => Math.floor((Date.UTC(year, month - 1, day) / DAY + SINCE_MONDAY) / 7),
  startOf: (number) => (number * 7 - SINCE_MONDAY) * DAY,
  nameLength: 'YYYY-MM-DD'.length,
}

type Counter = (moment: number) => number

function counterIn(timeZone: string, { numberOf }: Unit): Counter {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en', { timeZone, ...numeric, calendar: 'gregory' })
  return (moment) => {
    const parts = format.formatToParts(moment)
    const partOf = (type: 'year' | 'month' | 'day') => Number(parts.find((part) => part.type === type)?.value)
    return numberOf(partOf('year'), partOf('month'), partOf('day'))
  }
}

/** Finds the first moment of a unit. Searched for, since clocks may be put forward at midnight. */
function startOf(number: number, inUtc: number, countOf: Counter): number {
  let [before, start] = [inUtc - FARTHEST, inUtc + FARTHEST]
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2)
    if (countOf(middle) < number) before = middle
    else start = middle
  }
  return start
}

/** Returns the units that a range touches; the first may start before it. */
const partsBy =
  (unit: Unit) =>
  (from: Date, to: Date, timeZone: string): Part[] => {
    const countOf = counterIn(timeZone, unit)
    const first = countOf(from.getTime())
    const count = Math.min(countOf(to.getTime() - 1) - first + 1, MAX_PARTS)
    return Array.from({ length: count }, (_, at) => {
      const inUtc = unit.startOf(first + at)
      return {
        name: new Date(inUtc).toISOString().slice(0, unit.nameLength),
        start: new Date(startOf(first + at, inUtc, countOf)),
      }
    })
  }

export const monthsOf = partsBy(MONTH)
export const weeksOf = partsBy(WEEK)
