// Escape closes one thing at a time: what is unfolded in a dialog (a list, a calendar, a search that is filled in), then
// the dialog, then the one below it. Mantine's dialogs each listen for themselves, and would all close at once.
import { useEffect } from 'react'
import { useLatest } from '../browser/useLatest.ts'

/** Dialogs, and what unfolds in them, in the order in which they opened. */
const open: { close: () => void }[] = []

/** Spread on an element that does something of its own at Escape while the keyboard is in it. */
export const ownsEscape = { 'data-owns-escape': true }

/** What unfolds by Mantine closes by itself. */
const OWNERS = '[data-owns-escape], [data-mantine-stop-propagation="true"], .mantine-Popover-dropdown'
const isOwned = (target: EventTarget | null) => target instanceof Element && target.closest(OWNERS) !== null

function press(event: KeyboardEvent): void {
  if (event.key === 'Escape' && !event.isComposing && !isOwned(event.target)) open.at(-1)?.close()
}

/** While the component stands, Escape calls `close`, unless another one has opened above it. */
export function useEscape(close: () => void): void {
  const latest = useLatest(close)
  useEffect(() => {
    const own = { close: latest }
    if (open.push(own) === 1) window.addEventListener('keydown', press, { capture: true })
    return () => {
      open.splice(open.indexOf(own), 1)
      if (open.length === 0) window.removeEventListener('keydown', press, { capture: true })
    }
  }, [latest])
}
