// The one source of time, so that tests can move it. Everything that compares moments asks here, never `new Date()`.
export type Clock = { now(): Date }
export const systemClock: Clock = { now: () => new Date() }

export const minutes = (count: number) => count * 60_000
export const hours = (count: number) => count * 3_600_000
export const days = (count: number) => count * 86_400_000
export const later = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds)
/** The day of a moment in UTC, YYYY-MM-DD. */
export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)
