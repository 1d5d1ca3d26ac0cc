// Rows in hand as a small table with a fixed number of rows a page (spec S2 §9), for details beside a list.
import type { ReactNode } from 'react'
import { usePages } from '../layout/usePages.tsx'
import css from './ShortTable.module.css'

type Column<T> = {
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
  columns: readonly Column<T>[]
  rowsPerPage: number
  /** How a row differs from the other rows, as an attribute for its color. */
  markOf?: (row: T) => 'added' | 'removed' | 'same' | undefined
}

export function ShortTable<T>({ label, rows, columns, rowsPerPage, markOf }: Props<T>) {
  const numbered = rows.map((row, number) => ({ row, number }))
  const { shown, buttons } = usePages(numbered, { label, rowsPerPage })
  return (
    <>
      <div className={css.scroll}>
        <table className={css.table} aria-label={label}>
          <thead>
            <tr>
              {columns.map(({ key, title, align, width }) => (
                <th key={key} scope="col" data-align={align} style={{ width }}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ row, number }) => (
              <tr key={number} data-mark={markOf?.(row)}>
                {columns.map(({ key, align, shortens, isOneLine, render }) => (
                  <td key={key} data-align={align} data-shortens={shortens} data-one-line={isOneLine}>
                    {render(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {buttons}
    </>
  )
}
