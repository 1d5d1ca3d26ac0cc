// The keyboard in the rows of a table.
import type { KeyboardEvent } from 'react'
import { type Checks, type KeyedRow, toggle } from './Table.tsx'

const ROW = 'tbody tr[tabindex]'

/** Whether a click would open the row: a decision moves the focus to the next row without opening it. */
const isUnopened = (row: Element | null | undefined): boolean => row?.getAttribute('aria-current') === 'false'

function open(row: Element | null | undefined): void {
  if (!(row instanceof HTMLElement) || !row.matches(ROW)) return
  row.focus()
  row.click()
}

type Direction = 'next' | 'previous'
function besideOf(row: Element, direction: Direction): Element | null {
  if (direction === 'next' && isUnopened(row)) return row
  const rows = [...(row.closest('table')?.querySelectorAll(ROW) ?? [])]
  return rows[rows.indexOf(row) + (direction === 'next' ? 1 : -1)] ?? null
}

/**
 * Opens the next or the previous row of the screen: from the focused one, else from the open one, else the first. If
 * the focused row is not open, the next row is that row itself, so that none is skipped.
 */
export function stepRow(direction: Direction): void {
  const screen = document.querySelector('main')
  const focused = document.activeElement?.closest(ROW)
  const from = focused ?? screen?.querySelector(`${ROW}[aria-current="true"]`)
  if (from) open(besideOf(from, direction))
  else open(screen?.querySelector(ROW))
}

/** Up and down move between rows, Enter opens the focused one. */
export function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const row = event.target instanceof HTMLElement ? event.target.closest('tr') : null
  if (!row || event.target !== row) return
  const next =
    event.key === 'ArrowDown' ? besideOf(row, 'next') : event.key === 'ArrowUp' ? besideOf(row, 'previous') : null
  if (event.key === 'Enter' || event.key === ' ') row.click()
  else if (next === null) return
  else open(next)
  event.preventDefault()
}

/** X checks or unchecks the focused row. By its place on the keyboard, as the other letters. */
export function checkByKey<T extends KeyedRow>(
  event: KeyboardEvent<HTMLElement>,
  rows: readonly T[],
  checks: Checks<T> | undefined,
): void {
  const { code, target } = event
  if (code !== 'KeyX' || event.ctrlKey || event.metaKey || event.altKey) return
  const row = rows.find(({ idx }) => target instanceof HTMLElement && target.dataset.idx === String(idx))
  if (checks && row) toggle(checks, row)
}

/** Enter does what a click on the focused row does. */
export function openByEnter({ key, target }: KeyboardEvent<HTMLElement>): void {
  if (key === 'Enter' && target instanceof HTMLElement && target.matches(ROW)) target.click()
}
