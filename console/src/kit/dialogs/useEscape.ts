// Escape closes one thing at a time: an open list, calendar or filled search in a dialog, then the dialog, then the
// dialog below it. Mantine's dialogs each listen on their own and would all close at once.
import { useEffect } from 'react'
import { useLatest } from '../browser/useLatest.ts'

/** Open dialogs and dropdowns, in the order of opening. */
const open: { close: () => void }[] = []

/** Spread on an element that handles Escape itself while it has the focus. */
export const ownsEscape = { 'data-owns-escape': true }

/** Mantine's dropdowns close themselves. */
const OWNERS = '[data-owns-escape], [data-mantine-stop-propagation="true"], .mantine-Popover-dropdown'
const isOwned = (target: EventTarget | null) => target instanceof Element && target.closest(OWNERS) !== null

function press(event: KeyboardEvent): void {
  if (event.key === 'Escape' && !event.isComposing && !isOwned(event.target)) open.at(-1)?.close()
}

/** Calls `close` on Escape while mounted, unless a newer dialog is open. */
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
