// Periods of whole days in local time; one day by default (spec S2 §9).
import { localDayOf } from '@acc/contract/labels/formats'
import { kitTexts } from '../texts/kit.texts.ts'
import { useLanguage, useTexts } from '../texts/texts.ts'

const MONTH = { ko: 'YYYY년 M월', en: 'MMMM YYYY' }
const YEAR = { ko: 'YYYY년', en: 'YYYY' }

/**
 * Names of months and days in the user's language: the library's default order of the parts is English. Returns props
 * to spread on a date input. The chosen days are pressed buttons.
 */
export function useCalendarWords({ from, to }: DayRange) {
  const t = useTexts(kitTexts)
  const language = useLanguage()
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full' })
  return {
    monthLabelFormat: MONTH[language],
    yearLabelFormat: YEAR[language],
    attributes: { month: { 'aria-label': t('calendar.name') } },
    getDayProps: (date: string) => ({
      'aria-pressed': from !== null && date >= from && date <= (to ?? from),
    }),
    highlightToday: true,
    ariaLabels: {
      previousMonth: t('calendar.previousMonth'),
      nextMonth: t('calendar.nextMonth'),
      previousYear: t('calendar.previousYear'),
      nextYear: t('calendar.nextYear'),
      previousDecade: t('calendar.previousDecade'),
      nextDecade: t('calendar.nextDecade'),
      monthLevelControl: t('calendar.chooseMonth'),
      yearLevelControl: t('calendar.chooseYear'),
    },
    getDayAriaLabel: (date: string) => day.format(new Date(`${date}T00:00:00`)),
  }
}

/** Days as YYYY-MM-DD, both inclusive; null while the person is still choosing. */
export type DayRange = { from: string | null; to: string | null }

/** The last `days` days, today included. */
export function lastDays(days: number, now: Date = new Date()): { from: string; to: string } {
  return {
    from: localDayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1)),
    to: localDayOf(now),
  }
}

/** The last complete week, from Monday to Sunday. */
export function lastWeek(now: Date = new Date()): { from: string; to: string } {
  const sinceMonday = (now.getDay() + 6) % 7
  return {
    from: localDayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - sinceMonday - 7)),
    to: localDayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - sinceMonday - 1)),
  }
}

/** The last complete month. */
export const lastMonth = (now: Date = new Date()): { from: string; to: string } => ({
  from: localDayOf(new Date(now.getFullYear(), now.getMonth() - 1, 1)),
  to: localDayOf(new Date(now.getFullYear(), now.getMonth(), 0)),
})

type Unit = 'day' | 'week' | 'month' | 'year'

/** Returns the same day some calendar months ago; the last day of that month if it is shorter. */
function monthsBefore(now: Date, months: number): Date {
  const first = new Date(now.getFullYear(), now.getMonth() - months, 1)
  const lastDay = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate()
  return new Date(first.getFullYear(), first.getMonth(), Math.min(now.getDate(), lastDay))
}

/** The operator's default period, today included; months and years are those of the calendar. */
export function defaultRange(
  { defaultDateRange: count, defaultDateRangeUnit: unit }: { defaultDateRange: number; defaultDateRangeUnit: Unit },
  now: Date = new Date(),
): { from: string; to: string } {
  if (unit === 'day' || unit === 'week') return lastDays(count * (unit === 'week' ? 7 : 1), now)
  const before = monthsBefore(now, count * (unit === 'year' ? 12 : 1))
  before.setDate(before.getDate() + 1)
  return { from: localDayOf(before), to: localDayOf(now) }
}

/** The earliest day that can be chosen: 100 years ago (spec S1 §9). */
export const earliestDay = (now: Date = new Date()): string => localDayOf(monthsBefore(now, 1200))

/** All days that can be chosen. */
export const allTime = (): { from: string; to: string } => ({ from: earliestDay(), to: lastDays(1).to })

const startOf = (day: string, later = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

/** The bounds for a list's input: from (inclusive) to (exclusive). */
export const momentsOf = ({ from, to }: DayRange): { from?: string; to?: string } => ({
  ...(from === null ? {} : { from: startOf(from) }),
  ...(to === null ? {} : { to: startOf(to, 1) }),
})
