// The rows of a table as cards, in a narrow window that is too small for its columns.
import { useLayoutEffect, useRef, useState } from 'react'
import css from './Table.module.css'
import type { KeyedRow, TableColumn } from './Table.tsx'

/** The window in which list and detail are two steps. */
const NARROW = 900

/** Returns a ref for the place of a table, and whether the place is too small for the columns. */
export function useCards(windowWidth: number) {
  const place = useRef<HTMLDivElement>(null)
  /** The width at which it was too small. */
  const [tooSmall, setTooSmall] = useState(0)
  const isCards = tooSmall > 0 && windowWidth < NARROW
  // After each render: other rows may need more room.
  useLayoutEffect(() => {
    const { current } = place
    if (!current || windowWidth >= NARROW) return
    if (!isCards) {
      const needed = current.querySelector('table')?.offsetWidth ?? 0
      return needed > current.clientWidth + 1 ? setTooSmall(current.clientWidth) : undefined
    }
    const observer = new ResizeObserver(() => {
      if (current.clientWidth > tooSmall) setTooSmall(0)
    })
    observer.observe(current)
    return () => observer.disconnect()
  })
  return { place, isCards }
}

/** Returns the only column of a table of cards: two cells in the first line, then the others with their titles. */
export function cardOf<T extends KeyedRow>(
  columns: readonly TableColumn<T>[],
  cellId: (row: T, at: number) => string,
): TableColumn<T> {
  const heads = columns.filter(({ head }, at) => at === 0 || head !== undefined)
  const cellOf = (row: T, { key, title, render, cell }: TableColumn<T>, at: number) => (
    <span key={key} {...cell?.(row)}>
      {at > 1 && <small>{title}</small>}
      <span id={cellId(row, at)}>{render(row)}</span>
    </span>
  )
  return {
    key: 'card',
    title: '',
    head: (
      <span className={css.heads}>
        {heads.map(({ key, title, head = title }) => (
          <span key={key}>{head}</span>
        ))}
      </span>
    ),
    render: (row) => (
      <span className={css.card}>
        <span className={css.headline}>{columns.slice(0, 2).map((column, at) => cellOf(row, column, at))}</span>
        {columns.slice(2).map((column, at) => cellOf(row, column, at + 2))}
      </span>
    ),
  }
}
