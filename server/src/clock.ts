// The one source of time, so that tests can move it. Code that compares moments uses it, never `new Date()`.
import { localDayOf } from '@acc/contract/labels/formats'

export type Clock = { now(): Date }
export const systemClock: Clock = { now: () => new Date() }

export const minutes = (count: number) => count * 60_000
export const hours = (count: number) => count * 3_600_000
export const days = (count: number) => count * 86_400_000
export const later = (moment: Date, milliseconds: number) => new Date(moment.getTime() + milliseconds)
/** Returns YYYY-MM-DD in UTC, for technical names such as partitions. */
export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

/** Returns the day by which accounts expire, in the server's time zone (the system's, or TZ). */
export const today = (clock: Clock) => localDayOf(clock.now())

/** Returns a caller's time zone if the IANA database has it, otherwise UTC. */
export function timeZoneOf(name: unknown): string {
  if (typeof name !== 'string' || !/^[A-Za-z0-9_+\-/]{1,64}$/.test(name)) return 'UTC'
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}
