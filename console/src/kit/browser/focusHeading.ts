// Moves the focus to the heading of a record that another part of the page has opened.

/**
 * Focuses the first heading of a pane whose text starts so, now or as soon as it is there. Waits while a dialog is
 * open. The person's next key or press on the page ends the wait.
 */
export function focusHeading(start: string): void {
  const isInDialog = () => document.querySelector('[aria-modal="true"]') !== null
  const ended = new AbortController()
  const find = () => {
    const headings = [...document.querySelectorAll<HTMLElement>('main h2')]
    const heading = headings.find((one) => one.textContent.startsWith(start) && one.checkVisibility())
    if (heading === undefined || isInDialog()) return
    heading.tabIndex = -1
    heading.focus()
    ended.abort()
  }
  const observer = new MutationObserver(find)
  const end = () => isInDialog() || ended.abort()
  ended.signal.addEventListener('abort', () => observer.disconnect())
  for (const type of ['keydown', 'pointerdown'])
    document.addEventListener(type, end, { capture: true, signal: ended.signal })
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  find()
}
