// The filters of a list, built from its log: period, groups and the active filters, each removable. On request they add
// a text input for each text field, and a select for each enumeration and for the hour of the day.
import type { Field } from '@acc/contract/history/fields'
import { formatTimeOfDay } from '@acc/contract/labels/formats'
import { Button, CloseButton, Group } from '@mantine/core'
import { IconChevronUp, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { DateRangeFilter } from '../../kit/table/DateRangeFilter.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../../kit/table/FilterBar.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { GroupSelector, useChosenName } from '../groups/exports.ts'
import css from './History.module.css'
import { type HistoryProps, type HistoryView, historyTexts, rangeOf, UNFILTERED, withFilter } from './history.ts'
import { type Log, wordsOf } from './logs.ts'

export type ListProps = HistoryProps & { log: Log }

/** Maximum length of a text filter (spec S2 §9). */
export const maxOf = ({ max = 30 }: Field) => max

function Filter({ name, view, setView, log }: ListProps & { name: string }) {
  const language = useLanguage()
  const field = log.fields[name]
  if (field === undefined) return null
  const value = view.filters[name]
  const set = (next: string | number | undefined) =>
    setView({ filters: withFilter(view.filters, name, next) }, { replace: true })
  if (field.values === undefined)
    return (
      <TextFilter
        label={field[language]}
        max={maxOf(field)}
        value={typeof value === 'string' ? value : ''}
        onChange={set}
      />
    )
  const options = Object.entries(field.values)
    .map(([number, label]) => ({ value: Number(number), label: label[language] }))
    .filter((option) => !log.notOffered?.[name]?.includes(option.value))
  return (
    <SelectFilter
      label={field[language]}
      options={options}
      width={130}
      value={typeof value === 'number' ? value : undefined}
      onChange={set}
    />
  )
}

const HOURS = Array.from({ length: 24 }, (_, hour) => 60 * hour)

function useHourWords(): (start: number) => string {
  const t = useTexts(historyTexts)
  return (start) => t('hourSpan', { from: formatTimeOfDay(start), to: formatTimeOfDay(start + 60) })
}

/** The hour of the day; a chart may have opened the list with one that begins within an hour of the clock. */
function HourFilter({ view, setView }: ListProps) {
  const t = useTexts(historyTexts)
  const words = useHourWords()
  const starts = view.hour === undefined || HOURS.includes(view.hour) ? HOURS : [...HOURS, view.hour]
  return (
    <SelectFilter
      label={t('hour')}
      options={starts.toSorted((a, b) => a - b).map((value) => ({ value, label: words(value) }))}
      width={130}
      value={view.hour}
      onChange={(hour) => setView({ hour }, { replace: true })}
    />
  )
}

type Chip = { key: string; label: string; value: string; change: Partial<HistoryView> }

function useChips({ view, log }: ListProps): Chip[] {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const [hourWords, chosenName] = [useHourWords(), useChosenName()]
  const { hour, groups } = view
  return [
    ...(hour === undefined
      ? []
      : [{ key: 'hour', label: t('hour'), value: hourWords(hour), change: { hour: undefined } }]),
    ...(groups.length === 0
      ? []
      : [{ key: 'groups', label: t('chosenGroups'), value: chosenName(groups), change: { groups: [] } }]),
    ...Object.entries(view.filters).flatMap(([name, value]) => {
      const field = log.fields[name]
      if (field === undefined) return []
      const change = { filters: withFilter(view.filters, name, undefined) }
      return [{ key: name, label: field[language], value: wordsOf(field, value, language) ?? '', change }]
    }),
  ]
}

/** The active filters, each removable. */
function Chips(props: ListProps) {
  const { setView } = props
  const t = useTexts(kitTexts)
  const chips = useChips(props)
  const narrow = (change: Partial<HistoryView>) => setView(change, { replace: true })
  if (chips.length === 0) return null
  return (
    <>
      {chips.map(({ key, label, value, change }) => (
        <span key={key} className={css.chip}>
          {label}: <b>{value}</b>
          <CloseButton size="xs" aria-label={`${label} ${t('clear')}`} onClick={() => narrow(change)} />
        </span>
      ))}
      <Button variant="subtle" color="gray" size="compact-xs" onClick={() => narrow(UNFILTERED)}>
        {t('filter.reset')}
      </Button>
    </>
  )
}

export function HistoryFilters(props: ListProps) {
  const { view, setView, log } = props
  const t = useTexts(historyTexts)
  const { runtime } = useViewer()
  const [isOpen, setOpen] = useState(false)
  const narrow = (change: Partial<HistoryView>) => setView(change, { replace: true })
  return (
    <FilterBar>
      <DateRangeFilter value={rangeOf(view, runtime)} onChange={({ from, to }) => narrow({ from, to })} />
      {log.isOfGroups && (
        <GroupSelector value={view.groups} onChange={(groups) => narrow({ groups })} hint={t('chooseGroupsHint')} />
      )}
      <Button
        variant="subtle"
        color="gray"
        leftSection={isOpen ? <IconChevronUp size={14} /> : <IconPlus size={14} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t(isOpen ? 'closeFilters' : 'addFilter')}
      </Button>
      <Chips {...props} />
      {isOpen && (
        <Group gap={8} flex="0 1 100%">
          <HourFilter {...props} />
          {log.filters.map((name) => (
            <Filter key={name} name={name} {...props} />
          ))}
        </Group>
      )}
    </FilterBar>
  )
}
