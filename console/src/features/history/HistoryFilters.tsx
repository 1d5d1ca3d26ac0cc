// The filters of a list, built from its log: period, groups and the active filters, each removable. On request they add
// a text input for each text field, and a select for each enumeration and for the hour of the day.
import { api } from '@acc/contract'
import type { Field } from '@acc/contract/history/fields'
import { formatMoment, formatTimeOfDay } from '@acc/contract/labels/formats'
import { Button, CloseButton, Group } from '@mantine/core'
import { IconChevronUp, IconPlus, IconUserSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { IconButton } from '../../kit/layout/IconButton.tsx'
import { DateRangeFilter } from '../../kit/table/DateRangeFilter.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../../kit/table/FilterBar.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { GroupSelector, useChosenName } from '../groups/exports.ts'
import { UserPickerDialog } from '../users/exports.ts'
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

/** What the rows changed: a field, or the entries of a list. */
function ChangedFilter({ view, setView, log }: ListProps) {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const { changed } = view.filters
  if (log.changes.length < 2) return null
  return (
    <SelectFilter<string>
      label={t('changed')}
      options={log.changes.map(({ value, label }) => ({ value, label: label[language] }))}
      width={180}
      value={typeof changed === 'string' ? changed : undefined}
      onChange={(next) => setView({ filters: withFilter(view.filters, 'changed', next) }, { replace: true })}
    />
  )
}

/** The person whose policies are shown: by the ID, or picked by those who may see the users. */
function AppliesToFilter({ view, setView, log }: ListProps) {
  const t = useTexts(historyTexts)
  const { can } = useViewer()
  const [isOpen, setOpen] = useState(false)
  if (!('appliesTo' in log.filter.shape)) return null
  const { appliesTo } = view.filters
  const set = (id: string) => setView({ filters: withFilter(view.filters, 'appliesTo', id) }, { replace: true })
  return (
    <Group gap={4} wrap="nowrap">
      <TextFilter label={t('appliesTo')} value={typeof appliesTo === 'string' ? appliesTo : ''} onChange={set} />
      {can(api.users.search.access) && (
        <IconButton label={t('pickPerson')} onClick={() => setOpen(true)}>
          <IconUserSearch size={16} />
        </IconButton>
      )}
      {isOpen && (
        <UserPickerDialog
          title={t('pickPerson')}
          action={t('apply')}
          isOne
          onClose={() => setOpen(false)}
          onPick={([user]) => {
            if (user) set(user.id)
            setOpen(false)
          }}
        />
      )}
    </Group>
  )
}

type Chip = { key: string; label: string; value: string; change: Partial<HistoryView> }

function useChips({ view, log }: ListProps): Chip[] {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const [hourWords, chosenName] = [useHourWords(), useChosenName()]
  const { hour, groups, since, until, objectName } = view
  const { targetIdx, targetType, ...filters } = view.filters
  const without = { filters, objectName: undefined }
  const changedWords = (value: unknown) => log.changes.find((one) => one.value === value)?.label[language]
  const special = { changed: t('changed'), appliesTo: t('appliesTo') }
  const shown = targetIdx === undefined ? view.filters : filters
  return [
    ...(since === undefined || until === undefined
      ? []
      : [
          {
            key: 'times',
            label: t('times'),
            value: `${formatMoment(since)} – ${formatMoment(until)}`,
            change: { since: undefined, until: undefined },
          },
        ]),
    ...(targetIdx === undefined
      ? []
      : [{ key: 'object', label: t('object'), value: objectName ?? String(targetIdx), change: without }]),
    ...(hour === undefined
      ? []
      : [{ key: 'hour', label: t('hour'), value: hourWords(hour), change: { hour: undefined } }]),
    ...(groups.length === 0
      ? []
      : [{ key: 'groups', label: t('chosenGroups'), value: chosenName(groups), change: { groups: [] } }]),
    ...Object.entries(shown).flatMap(([name, value]) => {
      const change = { filters: withFilter(view.filters, name, undefined) }
      if (name === 'changed' || name === 'appliesTo')
        return [{ key: name, label: special[name], value: changedWords(value) ?? String(value), change }]
      const field = log.fields[name]
      if (field === undefined) return []
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
      <DateRangeFilter
        value={rangeOf(view, runtime)}
        onChange={({ from, to }) => narrow({ from, to, since: undefined, until: undefined })}
      />
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
          <ChangedFilter {...props} />
          <AppliesToFilter {...props} />
          <HourFilter {...props} />
          {log.filters.map((name) => (
            <Filter key={name} name={name} {...props} />
          ))}
        </Group>
      )}
    </FilterBar>
  )
}
