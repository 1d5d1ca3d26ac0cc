// The line of filters of a history list: the period, texts, one select. A press on a cell filters by its value.

import { useViewer } from '../../kit/api/viewer.ts'
import { DateRangeFilter } from '../../kit/table/DateRangeFilter.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../../kit/table/FilterBar.tsx'
import { useTexts } from '../../kit/texts/texts.ts'
import css from './History.module.css'
import { historyTexts } from './history.texts.ts'
import { type HistoryView, rangeOf, type SetHistoryView, withFilter } from './historyView.ts'

export type ListProps = { view: HistoryView; setView: SetHistoryView }

type Field = { name: string; label: string; max?: number; width?: number }
type Props = ListProps & {
  fields: readonly Field[]
  select: { label: string; options: readonly { value: number; label: string }[] }
}

export function HistoryFilters({ view, setView, fields, select }: Props) {
  const { runtime } = useViewer()
  return (
    <FilterBar>
      <DateRangeFilter
        value={rangeOf(view, runtime)}
        onChange={({ from, to }) => setView({ from, to }, { replace: true })}
      />
      {fields.map(({ name, label, max = 30, width = 104 }) => (
        <TextFilter
          key={name}
          label={label}
          max={max}
          width={width}
          value={view.filters[name] ?? ''}
          onChange={(value) => setView({ filters: withFilter(view.filters, name, value) }, { replace: true })}
        />
      ))}
      <SelectFilter
        label={select.label}
        options={select.options}
        width={140}
        value={view.type}
        onChange={(type) => setView({ type }, { replace: true })}
      />
    </FilterBar>
  )
}

/** A cell that filters the list by its own value. */
export function FilterCell({ view, setView, name, value }: ListProps & { name: string; value: string }) {
  const t = useTexts(historyTexts)
  if (value === '') return '-'
  return (
    <button
      type="button"
      className={css.cell}
      title={t('filterBy', { value })}
      onClick={(event) => {
        event.stopPropagation()
        setView({ filters: withFilter(view.filters, name, value.slice(0, 30)) }, { replace: true })
      }}
    >
      {value}
    </button>
  )
}
