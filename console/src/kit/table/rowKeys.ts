// The keyboard in the rows of a table.
import type { KeyboardEvent } from 'react'

/** Up and down move between rows, Enter opens the focused one. */
export function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const row = event.target instanceof HTMLElement ? event.target.closest('tr') : null
  if (!row || event.target !== row) return
  const next =
    event.key === 'ArrowDown' ? row.nextElementSibling : event.key === 'ArrowUp' ? row.previousElementSibling : null
  if (event.key === 'Enter' || event.key === ' ') row.click()
  else if (!(next instanceof HTMLElement)) return
  else {
    next.focus()
    next.click()
  }
  event.preventDefault()
}
