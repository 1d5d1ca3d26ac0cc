// A period of whole days in local time, with presets; lists ask from its first moment (inclusive) to the first moment
// after it (exclusive).
import { DatePickerInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { useCalendarWords } from './calendar.ts'
import { type DayRange, lastDays } from './dayRange.ts'
import '@mantine/dates/styles.layer.css'

type Props = { value: DayRange; onChange: (range: DayRange) => void; width?: number }

export function DateRangeFilter({ value, onChange, width = 230 }: Props) {
  const t = useTexts(kitTexts)
  const preset = (label: string, days: number) => {
    const { from, to } = lastDays(days)
    return { label, value: [from, to] as [string, string] }
  }
  return (
    <DatePickerInput
      type="range"
      w={width}
      aria-label={t('filter.range')}
      placeholder={t('filter.range')}
      valueFormat="YYYY-MM-DD"
      leftSection={<IconCalendar size={14} />}
      {...useCalendarWords()}
      allowSingleDateInRange
      maxDate={lastDays(1).to}
      presets={[
        preset(t('filter.today'), 1),
        ...[7, 30, 90].map((days) => preset(t('filter.lastDays', { days }), days)),
        preset(t('filter.always'), 36_500),
      ]}
      value={[value.from, value.to]}
      onChange={([from, to]) => onChange({ from, to })}
      popoverProps={{ shadow: 'md' }}
    />
  )
}
