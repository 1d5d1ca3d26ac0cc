// A period of full days in local time, with presets. Lists are filtered from its first moment (inclusive) to the first
// moment after it (exclusive).
import { DatePickerInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useId } from 'react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { allTime, type DayRange, lastDays, lastMonth, lastWeek, useCalendarWords } from './dayRange.ts'
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
  const always = allTime()
  const words = ({ from, to }: DayRange) => {
    // The placeholder is shown for an empty text.
    if (!from) return ''
    return earliest === undefined && from === always.from && to === always.to
      ? t('filter.always')
      : `${from} – ${to ?? ''}`
  }
  const preset = (label: string, { from, to }: { from: string; to: string }) => ({
    label,
    value: [from, to] as [string, string],
  })
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
      minDate={earliest ?? always.from}
      maxDate={always.to}
      presets={[
        preset(t('filter.today'), lastDays(1)),
        preset(t('filter.lastWeek'), lastWeek()),
        preset(t('filter.lastMonth'), lastMonth()),
        ...[7, 30, 90].map((days) => preset(t('filter.lastDays', { days }), lastDays(days))),
        ...(earliest === undefined ? [preset(t('filter.always'), always)] : []),
      ]}
      value={[value.from, value.to]}
      onChange={([from, to]) => onChange({ from, to })}
      popoverProps={{ id, shadow: 'md' }}
    />
  )
}
