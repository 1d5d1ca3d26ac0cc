// One guard for everything unsaved (S1 section 4): forms say that they hold changes; whoever is about to leave them asks.
// Navigation (menus, focused rows, tabs, Back) and the browser's unload ask by themselves (app/shell/router.tsx).
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { confirm } from '../dialogs/dialogs.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { text } from '../texts/texts.ts'

type Holder = { discard: () => void; isSaving: () => boolean }
const holders = new Set<Holder>()
const listeners = new Set<() => void>()

function put(change: () => void): void {
  change()
  for (const tell of listeners) tell()
}

/** What is being saved is not lost by leaving. */
export const hasUnsaved = (): boolean => [...holders].some((holder) => !holder.isSaving())

/** While `isDirty`, leaving asks first; `discard` puts the form back when the person goes on. */
export function useUnsaved(isDirty: boolean, discard: () => void, isSaving = false): void {
  const latest = useRef({ discard, isSaving })
  latest.current = { discard, isSaving }
  useEffect(() => {
    if (!isDirty) return
    const holder: Holder = { discard: () => latest.current.discard(), isSaving: () => latest.current.isSaving }
    put(() => holders.add(holder))
    return () => put(() => holders.delete(holder))
  }, [isDirty])
}

const isEdited = (): boolean => holders.size > 0

/** Whether something on the page is changed or being saved, following its change. */
export const useIsEdited = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, isEdited)

async function ask(): Promise<boolean> {
  const goesOn = await confirm({
    title: text(kitTexts, 'unsaved.title'),
    body: text(kitTexts, 'unsaved.body'),
    action: text(kitTexts, 'unsaved.continue'),
    isDanger: true,
  })
  if (goesOn) for (const holder of [...holders]) holder.discard()
  return goesOn
}

let asked: Promise<boolean> | null = null

/**
 * True where nothing is unsaved, or where the person lets it go. Whoever asks while the question stands gets its answer:
 * Escape closes the question and reaches the dialog below it too, which would ask again.
 */
export function confirmLeave(): Promise<boolean> {
  if (!hasUnsaved()) return Promise.resolve(true)
  asked ??= ask().finally(() => {
    asked = null
  })
  return asked
}

/** For changes that are no navigation: gear actions, local tabs. `onClick={guarded(() => open())}`. */
export const guarded =
  <A extends unknown[]>(action: (...args: A) => void) =>
  (...args: A): void => {
    void confirmLeave().then((goesOn) => {
      if (goesOn) action(...args)
    })
  }
