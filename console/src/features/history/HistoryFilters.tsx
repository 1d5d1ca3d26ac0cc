// The filters of a list, built from its log: period, a text input for each text field, a select for each enumeration; below
// them the active filters, each removable. The funnel of a cell filters by its value.
import type { Field } from '@acc/contract/history/fields'
import { Button, CloseButton } from '@mantine/core'
import { IconArrowUpRight, IconFilter } from '@tabler/icons-react'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useViewer } from '../../kit/api/viewer.ts'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { DateRangeFilter } from '../../kit/table/DateRangeFilter.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../../kit/table/FilterBar.tsx'
import { kitTexts } from '../../kit/texts/kit.texts.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './History.module.css'
import { historyTexts } from './history.texts.ts'
import { type HistoryView, rangeOf, type SetHistoryView, withFilter } from './historyView.ts'
import { type Log, type Target, wordsOf } from './logs.ts'

export type ListProps = { view: HistoryView; setView: SetHistoryView; log: Log }

/** Maximum length of a text filter (spec S2 §9). */
const maxOf = ({ max = 30 }: Field) => max

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
        width={116}
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

export function HistoryFilters(props: ListProps) {
  const { view, setView, log } = props
  const t = useTexts(kitTexts)
  const language = useLanguage()
  const { runtime } = useViewer()
  const chosen = Object.entries(view.filters).flatMap(([name, value]) => {
    const field = log.fields[name]
    return field ? [{ name, label: field[language], value: wordsOf(field, value, language) ?? '' }] : []
  })
  return (
    <>
      <FilterBar>
        <DateRangeFilter
          value={rangeOf(view, runtime)}
          onChange={({ from, to }) => setView({ from, to }, { replace: true })}
        />
        {log.filters.map((name) => (
          <Filter key={name} name={name} {...props} />
        ))}
      </FilterBar>
      {chosen.length > 0 && (
        <div className={css.chosen}>
          {chosen.map(({ name, label, value }) => (
            <span key={name} className={css.chip}>
              {label}: <b>{value}</b>
              <CloseButton
                size="xs"
                aria-label={`${label} ${t('clear')}`}
                onClick={() => setView({ filters: withFilter(view.filters, name, undefined) }, { replace: true })}
              />
            </span>
          ))}
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            onClick={() => setView({ filters: {} }, { replace: true })}
          >
            {t('filter.reset')}
          </Button>
        </div>
      )}
    </>
  )
}

type CellProps = Omit<ListProps, 'log'> & {
  name: string
  field: Field
  value: unknown
  isFilter: boolean
  target: Target | undefined
  children: ReactNode
}

/** A cell with actions for its value, shown on hover; the key `f` on the row focuses them. */
export function Cell({ view, setView, name, field, value, isFilter, target, children }: CellProps) {
  const t = useTexts(historyTexts)
  const language = useLanguage()
  const openScreen = useOpenScreen()
  const canOpen = useCanOpen()
  const words = wordsOf(field, value, language)
  if (words === null) return '-'
  const filter = (event: MouseEvent) => {
    event.stopPropagation()
    const next = typeof value === 'string' ? value.slice(0, maxOf(field)) : Number(value)
    setView({ filters: withFilter(view.filters, name, next) }, { replace: true })
  }
  const open = (event: MouseEvent) => {
    event.stopPropagation()
    if (target) openScreen(target.screen, target.view)
  }
  return (
    <span className={css.cell}>
      <span className={css.value}>{children}</span>
      {target && canOpen(target.screen) && (
        <button type="button" tabIndex={-1} aria-label={t('open', { value: words })} onClick={open}>
          <IconArrowUpRight size={14} aria-hidden />
        </button>
      )}
      {isFilter && (
        <button type="button" tabIndex={-1} aria-label={t('filterBy', { value: words })} onClick={filter}>
          <IconFilter size={14} aria-hidden />
        </button>
      )}
    </span>
  )
}

/** `f` cycles through the buttons of the focused row, Escape returns to the row. */
export function moveToFilter(event: KeyboardEvent<HTMLElement>): void {
  const row = event.target instanceof HTMLElement ? event.target.closest('tbody tr') : null
  if (!(row instanceof HTMLElement)) return
  if (event.key === 'Escape') row.focus()
  if (event.code !== 'KeyF' || event.ctrlKey || event.metaKey || event.altKey) return
  const buttons = [...row.querySelectorAll<HTMLElement>('td button')]
  const at = buttons.findIndex((button) => button.contains(document.activeElement))
  buttons[(at + 1) % buttons.length]?.focus()
}
