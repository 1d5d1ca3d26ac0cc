// Shows truncated text in full as a tooltip while the pointer is on it. One listener on the document serves tables,
// trees, dialogs and elements that are added later.

/** How many elements above the pointed one may be the truncated one: an icon in a label in a cell. */
const LEVELS = 4
const ours = new WeakSet<Element>()

const isCut = (element: Element): boolean =>
  element.scrollWidth > element.clientWidth && getComputedStyle(element).textOverflow === 'ellipsis'

/** Keeps titles that were there already, and removes its own when the text fits again. */
function explain({ target }: Event): void {
  let element = target instanceof HTMLElement ? target : null
  for (let level = 0; element !== null && level < LEVELS; level++, element = element.parentElement) {
    if (element.title !== '' && !ours.has(element)) return
    if (isCut(element)) {
      element.title = element.textContent ?? ''
      ours.add(element)
      return
    }
    if (ours.delete(element)) element.removeAttribute('title')
  }
}

/** Runs until the returned function is called. */
export function truncationTooltips(): () => void {
  document.addEventListener('mouseover', explain)
  return () => document.removeEventListener('mouseover', explain)
}
