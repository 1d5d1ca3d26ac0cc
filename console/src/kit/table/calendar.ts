// Names of months and days in the user's language: the library's default order of the parts is English.
import { kitTexts } from '../texts/kit.texts.ts'
import { useLanguage, useTexts } from '../texts/texts.ts'
import type { DayRange } from './dayRange.ts'

const MONTH = { ko: 'YYYY년 M월', en: 'MMMM YYYY' }
const YEAR = { ko: 'YYYY년', en: 'YYYY' }

/** Returns props to spread on a date input. The chosen days are pressed buttons. */
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
