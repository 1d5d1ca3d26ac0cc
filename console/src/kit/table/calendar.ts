// Names of months and days in the user's language: the library's default order of the parts is English.
import { kitTexts } from '../texts/kit.texts.ts'
import { useLanguage, useTexts } from '../texts/texts.ts'

const MONTH = { ko: 'YYYY년 M월', en: 'MMMM YYYY' }
const YEAR = { ko: 'YYYY년', en: 'YYYY' }

/** Returns props to spread on a date input. */
export function useCalendarWords() {
  const t = useTexts(kitTexts)
  const language = useLanguage()
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full' })
  return {
    monthLabelFormat: MONTH[language],
    yearLabelFormat: YEAR[language],
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
