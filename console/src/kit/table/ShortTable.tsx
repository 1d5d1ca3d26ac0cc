// Rows in hand as a small table with a fixed number of rows a page (spec S2 §9), for details next to a list.
import type { ReactNode } from 'react'
import { usePages } from '../layout/usePages.tsx'
import { Table } from './Table.tsx'

export type ShortColumn<T> = {
  key: string
  title: string
  align?: 'right'
  /** The column takes the width that the others leave, and its cells shorten what does not fit. */
  shortens?: true
  /** In pixels, at least; the others share the rest by what they hold. */
  width?: number
  /** Its cells stay on one line. */
  isOneLine?: true
  render: (row: T) => ReactNode
}
type Props<T> = {
  /** Accessible name. */
  label: string
  rows: readonly T[]
  columns: readonly ShortColumn<T>[]
  rowsPerPage: number
  /** How a row differs from the other rows, as an attribute for its color. */
  markOf?: (row: T) => 'added' | 'removed' | 'same' | undefined
}

export function ShortTable<T>({ label, rows, columns, rowsPerPage, markOf }: Props<T>) {
  const numbered = rows.map((row, idx) => ({ row, idx }))
  const { shown, buttons } = usePages(numbered, { label, rowsPerPage })
  return (
    <>
      <Table<{ row: T; idx: number }>
        kind="facts"
        label={label}
        rows={shown}
        columns={columns.map(({ shortens, isOneLine, render, ...column }) => ({
          ...column,
          render: ({ row }) => render(row),
          cell: () => ({ 'data-shortens': shortens, 'data-one-line': isOneLine }),
        }))}
        look={({ row }) => ({ 'data-mark': markOf?.(row) })}
      />
      {buttons}
    </>
  )
}
