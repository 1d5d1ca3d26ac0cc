// One guard for everything unsaved (S1 section 4): forms say that they hold changes; whoever is about to leave them asks.
// Navigation (menus, focused rows, tabs, Back) and the browser's unload ask by themselves (app/shell/router.tsx).
import { useEffect, useRef } from 'react'
import { createStore, useStore } from '../browser/store.ts'
import { confirm } from '../dialogs/dialogs.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { text } from '../texts/texts.ts'

type ChangedForm = { discard: () => void; isSaving: () => boolean }
const forms = createStore<readonly ChangedForm[]>([])

/** What is being saved is not lost by leaving. */
export const hasUnsaved = (): boolean => forms.get().some((form) => !form.isSaving())

/** While `isDirty`, leaving asks first; `discard` puts the form back when the person goes on. */
export function useUnsaved(isDirty: boolean, discard: () => void, isSaving = false): void {
  const latest = useRef({ discard, isSaving })
  latest.current = { discard, isSaving }
  useEffect(() => {
    if (!isDirty) return
    const form: ChangedForm = { discard: () => latest.current.discard(), isSaving: () => latest.current.isSaving }
    forms.set([...forms.get(), form])
    return () => forms.set(forms.get().filter((other) => other !== form))
  }, [isDirty])
}

/** Forgets unsaved changes, where the page is left whatever the person says. */
export const dropUnsaved = (): void => forms.set([])

/** Whether something on the page is changed or being saved, following its change. */
export const useIsEdited = (): boolean => useStore(forms).length > 0

async function ask(): Promise<boolean> {
  const goesOn = await confirm({
    title: text(kitTexts, 'unsaved.title'),
    body: text(kitTexts, 'unsaved.body'),
    action: text(kitTexts, 'unsaved.continue'),
    isDanger: true,
  })
  if (goesOn) for (const form of forms.get()) form.discard()
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
