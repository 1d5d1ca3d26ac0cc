// Names of months and days in the user's language: the library's default order of the parts is English.
import { useLanguage } from '../texts/texts.ts'

const MONTH = { ko: 'YYYY년 M월', en: 'MMMM YYYY' }
const YEAR = { ko: 'YYYY년', en: 'YYYY' }

/** Returns props to spread on a date input. */
export function useCalendarWords() {
  const language = useLanguage()
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'full' })
  return {
    monthLabelFormat: MONTH[language],
    yearLabelFormat: YEAR[language],
    getDayAriaLabel: (date: string) => day.format(new Date(`${date}T00:00:00`)),
  }
}
