// The calendar of the sample organization in the operator's time zone: twelve months, of which the last sixty days are
// replayed in detail.
import { days, later, minutes } from '../src/clock.ts'

export const DAYS = 60
/** What happens today lies so many minutes back at most. */
const LONGEST = 480

export type Calendar = {
  now: Date
  /** The day on which the organization began, before the sixty days and therefore negative. */
  firstDay: number
  /** A time of day, `day` days after the first of the sixty; 60 is today. */
  at(day: number, hour: number, minute?: number, second?: number): Date
  isWorkday(day: number): boolean
  /**
   * A moment so many minutes ago. Early in the day those of the last hours move together, so that they are still of today.
   */
  ago(count: number): Date
}

export function calendarOf(now: Date): Calendar {
  const at = (day: number, hour: number, minute = 0, second = 0) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS + day, hour, minute, second)
  const isWorkday = (day: number) => ![0, 6].includes(at(day, 12).getDay())
  // Before the first of the twelve months that the dashboard shows.
  const founding = new Date(now.getFullYear(), now.getMonth() - 12, 15)
  const firstDay = Math.round((founding.getTime() - at(0, 0).getTime()) / days(1))
  const share = Math.min(1, (now.getTime() - at(DAYS, 0).getTime()) / minutes(LONGEST))
  const ago = (count: number) => later(now, -minutes(count) * (count > LONGEST ? 1 : share))
  return { now, at, firstDay, isWorkday, ago }
}
