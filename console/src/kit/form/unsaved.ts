// One guard for unsaved changes (spec S1 §4): forms register while they have changes, and leaving them asks for confirmation.
// Navigation (menus, focused rows, tabs, Back) and the browser's unload are guarded in app/shell/router.tsx.
import { useEffect, useRef } from 'react'
import { createStore, useStore } from '../browser/store.ts'
import { confirm } from '../dialogs/dialogs.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { text } from '../texts/texts.ts'

type ChangedForm = { discard: () => void; isSaving: () => boolean }
const forms = createStore<readonly ChangedForm[]>([])

/** Changes that are being saved do not count as unsaved. */
export const hasUnsaved = (): boolean => forms.get().some((form) => !form.isSaving())

/** While `isDirty`, leaving asks for confirmation; `discard` resets the form when the user continues. */
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

/** Drops unsaved changes before a forced reload, so that the browser does not ask. */
export const dropUnsaved = (): void => forms.set([])

/** Whether something on the page is changed or being saved, following its change. */
export const useIsEdited = (): boolean => useStore(forms).length > 0

const ask = (): Promise<boolean> =>
  confirm({
    title: text(kitTexts, 'unsaved.title'),
    body: text(kitTexts, 'unsaved.body'),
    action: text(kitTexts, 'unsaved.continue'),
    isDanger: true,
  })

async function confirmDiscard(): Promise<boolean> {
  const goesOn = await ask()
  if (goesOn) for (const form of forms.get()) form.discard()
  return goesOn
}

let pending: Promise<boolean> | null = null

/**
 * Calls made while the question is open share its answer: Escape closes the question and also reaches the dialog below it,
 * which would ask again.
 */
function askOnce(question: () => Promise<boolean>): Promise<boolean> {
  pending ??= question().finally(() => {
    pending = null
  })
  return pending
}

/** Resolves to true where nothing is unsaved or the user discards it. */
export const confirmLeave = (): Promise<boolean> => (hasUnsaved() ? askOnce(confirmDiscard) : Promise.resolve(true))

/** Asks the same before the changes of one dialog are dropped, which drops them itself; other forms keep theirs. */
export const confirmDrop = (): Promise<boolean> => askOnce(ask)

/** For changes that are no navigation: gear actions, local tabs. `onClick={guarded(() => open())}`. */
export const guarded =
  <A extends unknown[]>(action: (...args: A) => void) =>
  (...args: A): void => {
    void confirmLeave().then((goesOn) => {
      if (goesOn) action(...args)
    })
  }
