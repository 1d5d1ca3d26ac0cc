// The keyboard in the rows of a table.
import type { KeyboardEvent } from 'react'

const ROW = 'tbody tr[tabindex]'

function open(row: Element | null | undefined): void {
  if (!(row instanceof HTMLElement) || !row.matches(ROW)) return
  row.focus()
  row.click()
}

/** Opens the next or the previous row of the screen: from the focused one, else from the open one, else the first. */
export function stepRow(direction: 'next' | 'previous'): void {
  const screen = document.querySelector('main')
  const focused = document.activeElement?.closest(ROW)
  const from = focused ?? screen?.querySelector(`${ROW}[aria-current]`)
  const beside = direction === 'next' ? from?.nextElementSibling : from?.previousElementSibling
  open(from ? beside : screen?.querySelector(ROW))
}

/** Up and down move between rows, Enter opens the focused one. */
export function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const row = event.target instanceof HTMLElement ? event.target.closest('tr') : null
  if (!row || event.target !== row) return
  const next =
    event.key === 'ArrowDown' ? row.nextElementSibling : event.key === 'ArrowUp' ? row.previousElementSibling : null
  if (event.key === 'Enter' || event.key === ' ') row.click()
  else if (next === null) return
  else open(next)
  event.preventDefault()
}
