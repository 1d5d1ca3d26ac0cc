// The head of a column that its table is sorted by when it is pressed. Our own: that of the table library is a button in
// place of a column's head, and says in English how it sorts.
import { IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './SortHead.module.css'

export type Sort<K extends string = string> = { by: K; order: 'asc' | 'desc' }

type Props<K extends string> = { column: K; title: string; sort: Sort<K>; onSort: (sort: Sort<K>) => void }

/** Pressed again it turns the order round; another column begins ascending. */
export function SortHead<K extends string>({ column, title, sort, onSort }: Props<K>) {
  const t = useTexts(kitTexts)
  const order = sort.by === column ? sort.order : null
  const Icon = order === null ? IconArrowsSort : IconArrowUp
  return (
    <button
      type="button"
      className={css.head}
      data-order={order ?? undefined}
      title={title}
      aria-label={order === null ? title : `${title}, ${t(order === 'asc' ? 'table.ascending' : 'table.descending')}`}
      onClick={() => onSort({ by: column, order: order === 'asc' ? 'desc' : 'asc' })}
    >
      <span>{title}</span>
      <Icon size={13} aria-hidden />
    </button>
  )
}
