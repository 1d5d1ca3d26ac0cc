// A period of full days in local time, with presets. Lists are filtered from its first moment (inclusive) to the first
// moment after it (exclusive).
import { DatePickerInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useId } from 'react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { type DayRange, earliestDay, lastDays, lastWeek, useCalendarWords } from './dayRange.ts'
import '@mantine/dates/styles.layer.css'

type Props = {
  value: DayRange
  onChange: (range: DayRange) => void
  /** For figures of limited periods; by default everything can be chosen at once. */
  earliest?: string
}

export function DateRangeFilter({ value, onChange, earliest }: Props) {
  const t = useTexts(kitTexts)
  const id = useId()
  const whole: [string, string] = [earliest ?? earliestDay(), lastDays(1).to]
  const words = ({ from, to }: DayRange) => {
    // The placeholder is shown for an empty text.
    if (!from) return ''
    return earliest === undefined && from === whole[0] && to === whole[1] ? t('filter.always') : `${from} – ${to ?? ''}`
  }
  const week = lastWeek()
  const preset = (label: string, days: number) => {
    const { from, to } = lastDays(days)
    return { label, value: [from, to] as [string, string] }
  }
  return (
    <DatePickerInput
      type="range"
      // The library names the calendar by the element of the popover's id, which the field does not have by itself.
      id={id}
      w={230}
      aria-label={`${t('filter.range')}: ${words(value) || t('filter.choosing')}`}
      placeholder={t('filter.range')}
      valueFormatter={({ date }) => {
        const [from, to] = [date].flat().map((day) => (day ? String(day) : null))
        return words({ from: from ?? null, to: to ?? null })
      }}
      leftSection={<IconCalendar size={14} />}
      {...useCalendarWords(value)}
      allowSingleDateInRange
      minDate={whole[0]}
      maxDate={lastDays(1).to}
      presets={[
        preset(t('filter.today'), 1),
        { label: t('filter.lastWeek'), value: [week.from, week.to] },
        ...[7, 30, 90].map((days) => preset(t('filter.lastDays', { days }), days)),
        ...(earliest === undefined ? [{ label: t('filter.always'), value: whole }] : []),
      ]}
      value={[value.from, value.to]}
      onChange={([from, to]) => onChange({ from, to })}
      popoverProps={{ id, shadow: 'md' }}
    />
  )
}
