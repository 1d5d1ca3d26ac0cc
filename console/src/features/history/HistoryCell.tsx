// A cell of a list: the funnel filters by its value, the arrow opens what it names.
import type { Field } from '@acc/contract/history/fields'
import { formatDay } from '@acc/contract/labels/formats'
import { IconArrowUpRight, IconFilter } from '@tabler/icons-react'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useCanOpen, useOpenScreen } from '../../kit/layout/view.ts'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import css from './History.module.css'
import { type ListProps, maxOf } from './HistoryFilters.tsx'
import { historyTexts, withFilter } from './history.ts'
import type { Target } from './logs.ts'

type CellProps = Omit<ListProps, 'log'> & {
  name: string
  field: Field
  value: unknown
  /** The text of the value; null if it is empty. */
  words: string | null
  isFilter: boolean
  target: Target | undefined
  children: ReactNode
}

/**
 * A cell with actions for its value, shown on hover. The key `f` on the row focuses them. Until then they are hidden,
 * since a screen reader would read each value twice. The time of a row filters by its day.
 */
export function Cell({ view, setView, name, field, value, words, isFilter, target, children }: CellProps) {
  const t = useTexts(historyTexts)
  const openScreen = useOpenScreen()
  const canOpen = useCanOpen()
  const language = useLanguage()
  if (words === null) return '-'
  // A number is searched by its own label, even if the row words it differently.
  const searched = field.values?.[Number(value)]?.[language] ?? words
  const day = field.as === 'moment' ? formatDay(String(value)) : undefined
  const filter = (event: MouseEvent) => {
    event.stopPropagation()
    const next = field.values ? Number(value) : String(value).slice(0, maxOf(field))
    const change = day
      ? { from: day, to: day, since: undefined, until: undefined }
      : { filters: withFilter(view.filters, name, next) }
    setView(change, { replace: true })
  }
  const open = (event: MouseEvent) => {
    event.stopPropagation()
    if (target) openScreen(target.screen, target.view)
  }
  return (
    <span className={css.cell}>
      <span className={css.value} title={words}>
        {children}
      </span>
      {target && canOpen(target.screen) && (
        <button type="button" tabIndex={-1} aria-label={t('open', { value: words })} onClick={open}>
          <IconArrowUpRight size={14} aria-hidden />
        </button>
      )}
      {isFilter && (
        <button type="button" tabIndex={-1} aria-label={t('filterBy', { value: day ?? searched })} onClick={filter}>
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
  const hide = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Element && relatedTarget !== row && row.contains(relatedTarget)) return
    delete row.dataset.actions
    row.removeEventListener('focusout', hide)
  }
  if (row.dataset.actions === undefined) row.addEventListener('focusout', hide)
  row.dataset.actions = 'shown'
  const buttons = [...row.querySelectorAll<HTMLElement>('td button')]
  const at = buttons.findIndex((button) => button.contains(document.activeElement))
  buttons[(at + 1) % buttons.length]?.focus()
}
