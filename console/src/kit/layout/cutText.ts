// Nothing is cut without a tooltip: whatever ends in three dots shows its whole text while the pointer is on it. One
// listener on the document does it, for tables, trees, dialogs and whatever comes.

/** How far above what is pointed at the text may be cut: an icon in a label in a cell. */
const LEVELS = 4
const ours = new WeakSet<Element>()

const isCut = (element: Element): boolean =>
  element.scrollWidth > element.clientWidth && getComputedStyle(element).textOverflow === 'ellipsis'

/** Titles that stand there already stay; ours go when the text fits again. */
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

/** Explains what is cut until the answer is called. */
export function explainCutText(): () => void {
  document.addEventListener('mouseover', explain)
  return () => document.removeEventListener('mouseover', explain)
}
