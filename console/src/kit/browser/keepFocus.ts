// Keeps the keyboard focus off the page's body (WCAG 2.4.3). If the focused element is removed or disabled (a closed
// dialog, a saved form that is rendered again, a deleted row, the last page's "next"), focus moves to the element that
// took its place, else to its row, else to the element that had the focus before. An opened record's heading takes it.

type FocusPlace = {
  element: HTMLElement
  /** The elements around it, the nearest first. */
  parents: readonly Element[]
  /** Equal for an element that is rendered again. */
  signature: string
}

/** Elements that had the focus, the latest one last. */
const trail: FocusPlace[] = []
const MAX_TRAIL = 30
/** Whether the user clicked outside of all controls: then nothing should have the focus. */
let isDropped = false
/** A focused button that is disabled while it waits for the server; it regains focus when it is enabled again. */
let loading: HTMLElement | undefined

const FOCUSABLE = 'input, textarea, select, button, a[href], [tabindex="0"]'

/** Only the topmost dialog may take the focus while one is open. */
const openDialog = (): Element | undefined => [...document.querySelectorAll('[aria-modal="true"]')].at(-1)

const canTakeFocus = (element: HTMLElement, scope: Element): boolean =>
  element.isConnected &&
  !element.matches(':disabled') &&
  scope.contains(element) &&
  element.checkVisibility({ visibilityProperty: true })

/** `data-focus` names a control whose words change, such as Suspend and Release. */
const signatureOf = (element: Element): string =>
  [
    element.tagName,
    element.getAttribute('type'),
    element.getAttribute('data-path'),
    ...(element.getAttribute('data-focus') === null
      ? [element.ariaLabel, element.textContent]
      : [element.getAttribute('data-focus')]),
  ]
    .join('|')
    .slice(0, 200)

/** Returns the element that was rendered in place of one that left the page. */
function successorOf({ element, parents, signature }: FocusPlace, scope: Element): HTMLElement | undefined {
  const around = parents.find((parent) => parent.isConnected)
  const candidates = [...(around?.querySelectorAll<HTMLElement>(element.tagName) ?? [])]
  return candidates.find((other) => signatureOf(other) === signature && canTakeFocus(other, scope))
}

/** Returns a control of the row that held one which left the page: of a version that was deployed its download. */
function restOfRow({ element, parents }: FocusPlace, scope: Element): HTMLElement | undefined {
  if (element.isConnected) return undefined
  const row = parents.find((parent) => parent.isConnected)?.closest('tr, li')
  const controls = [...(row?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])]
  return controls.find((control) => canTakeFocus(control, scope))
}

/** Returns a control near one that was disabled, such as "previous page" near "next page". */
function neighbourOf({ element, parents }: FocusPlace, scope: Element): HTMLElement | undefined {
  for (const parent of parents) {
    if (!scope.contains(parent)) return undefined
    const controls = [...parent.querySelectorAll<HTMLElement>(FOCUSABLE)]
    const found = controls.findLast((control) => control !== element && canTakeFocus(control, scope))
    if (found !== undefined) return found
  }
  return undefined
}

function targetAfter(last: FocusPlace, scope: Element): HTMLElement | undefined {
  const beside = last.element.isConnected
    ? neighbourOf(last, scope)
    : (successorOf(last, scope) ?? restOfRow(last, scope))
  const former = trail
    .toReversed()
    .map((place) => (canTakeFocus(place.element, scope) ? place.element : restOfRow(place, scope)))
    .find((element) => element !== undefined)
  const whole = [...scope.querySelectorAll<HTMLElement>(scope === document.body ? 'main' : FOCUSABLE)]
  if (last.element === loading && loading.checkVisibility()) return former
  return beside ?? former ?? whole.find((element) => canTakeFocus(element, scope))
}

function restore(): void {
  const focused = document.activeElement
  const last = trail.at(-1)
  const isLost = focused === null || focused === document.body || focused.matches(':disabled')
  if (!isLost || isDropped || last === undefined) return
  // React hides a page while it fetches the next one.
  if (last.element.checkVisibility() && last.element.matches('[data-loading]')) {
    loading = last.element
    return
  }
  const scope = openDialog() ?? document.body
  if (canTakeFocus(last.element, scope) && last.element !== loading) return
  const target = targetAfter(last, scope)
  loading = undefined
  if (target === undefined) return
  // A heading that is rendered again, or the page while it loads.
  if (target.tabIndex < 0) target.tabIndex = -1
  target.focus({ preventScroll: target.tagName === 'MAIN' })
}

function parentsOf(element: Element): Element[] {
  const parents: Element[] = []
  for (let at = element.parentElement; at !== null; at = at.parentElement) parents.push(at)
  return parents
}

function remember(target: EventTarget | null): void {
  isDropped = false
  if (!(target instanceof HTMLElement) || target === document.body) return
  const at = trail.findIndex(({ element }) => element === target)
  if (at >= 0) trail.splice(at, 1)
  trail.push({ element: target, parents: parentsOf(target), signature: signatureOf(target) })
  if (trail.length > MAX_TRAIL) trail.shift()
}

/** Records a click outside of all controls, which removes the focus on purpose. An option leaves it in its field. */
function notePress({ target }: PointerEvent): void {
  isDropped = !(target instanceof Element) || target.closest(`${FOCUSABLE}, [role="option"]`) === null
}

let isWatching = false

/** Watches the page from now on: once the sign-in page is idle, or as soon as the console is drawn. */
export function keepFocus(): void {
  if (isWatching) return
  isWatching = true
  let frame = 0
  // A replacement of the focused element (a dialog, a field) focuses itself within a frame.
  const check = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(restore)
    })
  }
  const observer = new MutationObserver(check)
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', ({ target }) => remember(target))
  document.addEventListener('pointerdown', notePress, { capture: true })
  remember(document.activeElement)
}

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
