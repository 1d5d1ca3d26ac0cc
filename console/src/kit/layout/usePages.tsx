// Pages of rows in hand (spec S2 §9): the rows of the current page, and the buttons to turn them.
import { Pagination } from '@mantine/core'
import { useState } from 'react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'

type Options = {
  /** Accessible name of the rows that are split into pages. */
  label: string
  /** Undefined: all rows are on one page. */
  rowsPerPage?: number | undefined
}

export function usePages<T>(rows: readonly T[], { label, rowsPerPage = Math.max(1, rows.length) }: Options) {
  const t = useTexts(kitTexts)
  const [chosen, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(rows.length / rowsPerPage))
  const page = Math.min(chosen, pages)
  const first = (page - 1) * rowsPerPage
  return {
    shown: rows.slice(first, first + rowsPerPage),
    showRow: (at: number) => setPage(Math.floor(at / rowsPerPage) + 1),
    buttons: pages > 1 && (
      <Pagination
        mt={8}
        size="xs"
        total={pages}
        value={page}
        onChange={setPage}
        role="navigation"
        aria-label={`${label} ${t('table.pages')}`}
        getControlProps={(control) => ({ 'aria-label': control === 'next' ? t('table.next') : t('table.previous') })}
      />
    ),
  }
}
