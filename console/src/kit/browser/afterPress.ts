// Work that must not move the page while the pointer is down: a button that leaves the place where it is pressed is released
// elsewhere and gets no click.
let isPressed = false
let waiting: (() => unknown)[] = []

function release() {
  isPressed = false
  const due = waiting
  waiting = []
  // The click comes right after the release.
  if (due.length > 0) setTimeout(() => due.forEach((work) => void work()))
}

addEventListener('pointerdown', () => (isPressed = true), { capture: true })
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release, { capture: true })

/** Runs the work at once; while the pointer is down, after the click. */
export function afterPress(work: () => unknown): void {
  if (isPressed) waiting.push(work)
  else work()
}
