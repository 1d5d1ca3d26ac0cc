// The sixty days of history of the sample organisation, in the operator's time zone.
import { days, later } from '../src/clock.ts'

export const DAYS = 60

export type Calendar = {
  now: Date
  /** A time of day, `day` days after the first one; 60 is today. */
  at(day: number, hour: number, minute?: number, second?: number): Date
  isWorkday(day: number): boolean
}

export function calendarOf(now: Date): Calendar {
  const at = (day: number, hour: number, minute = 0, second = 0) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS + day, hour, minute, second)
  const isWorkday = (day: number) => ![0, 6].includes(at(day, 12).getDay())
  return { now, at, isWorkday }
}

/** The first moment that needs a partition of the histories. */
export const firstMoment = (now: Date): Date => later(now, -days(DAYS + 1))
