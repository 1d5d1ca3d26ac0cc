// The one source of time, so that tests can move it. Everything that compares moments asks here, never `new Date()`.
export type Clock = { now(): Date }
export const systemClock: Clock = { now: () => new Date() }

export const minutes = (count: number) => count * 60_000
export const hours = (count: number) => count * 3_600_000
export const days = (count: number) => count * 86_400_000
export const later = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds)
/** The day of a moment in UTC, YYYY-MM-DD: for what no person reads, as partitions. */
export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

const two = (count: number) => String(count).padStart(2, '0')
/** The day of a moment where the server is, YYYY-MM-DD: its time zone is the system's, or TZ. */
export const localDayOf = (moment: Date) =>
  `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
/** The day by which people's accounts end: as their calendars have it, not as UTC has. */
export const today = (clock: Clock) => localDayOf(clock.now())
