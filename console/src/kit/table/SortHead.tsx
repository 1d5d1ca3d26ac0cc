// A column head that sorts its table, and the order of rows in hand as people read it.
import { IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './SortHead.module.css'

export type Sort<K extends string = string> = { by: K; order: 'asc' | 'desc' }

type Props<K extends string> = {
  column: K
  title: string
  sort: Sort<K>
  onSort: (sort: Sort<K>) => void
  /** Above right-aligned values, whose end is the title's. */
  isAtEnd?: boolean
  /** The rows that come first in any order. */
  leads?: string | undefined
}

/** Clicking again reverses the order; another column begins ascending. */
export function SortHead<K extends string>({ column, title, sort, onSort, isAtEnd = false, leads }: Props<K>) {
  const t = useTexts(kitTexts)
  const order = sort.by === column ? sort.order : null
  const words = order && [title, leads, t(order === 'asc' ? 'table.ascending' : 'table.descending')]
  const Icon = order === null ? IconArrowsSort : IconArrowUp
  return (
    <button
      type="button"
      className={css.head}
      data-order={order ?? undefined}
      data-at-end={isAtEnd || undefined}
      title={leads && order ? `${title}, ${leads}` : title}
      aria-label={words === null ? title : words.filter(Boolean).join(', ')}
      onClick={() => onSort({ by: column, order: order === 'asc' ? 'desc' : 'asc' })}
    >
      <span>{title}</span>
      <Icon size={13} aria-hidden />
    </button>
  )
}

/** The heads of two values below each other: only the one that the table is sorted by shows its arrow. */
export function TwoHeads({ above, below }: { above: ReactNode; below: ReactNode }) {
  return (
    <span className={css.two}>
      {above} · {below}
    </span>
  )
}

const people = new Intl.Collator('ko', { numeric: true })

const compare = (one: string | number, other: string | number): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : people.compare(String(one), String(other))

/** Returns the rows in the order of a value; rows with the same value keep their order. */
export function sortRows<T>(rows: readonly T[], by: (row: T) => string | number, order: Sort['order']): readonly T[] {
  const sign = order === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => sign * compare(by(one), by(other)))
}
