// One guard for unsaved changes (spec S1 §4). Forms register while they have changes. Leaving them must be confirmed.
// Navigation (menus, focused rows, tabs, Back) and the browser's unload are guarded in app/shell/router.tsx.
import { useEffect, useRef } from 'react'
import { createStore, useStore } from '../browser/store.ts'
import { choose, confirm } from '../dialogs/dialogs.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { text } from '../texts/texts.ts'

/** Saves the form; false if it stays unsaved. */
type Save = () => Promise<boolean>
type ChangedForm = { discard: () => void; isSaving: () => boolean; save: () => Save | undefined; isKept: () => boolean }
const forms = createStore<readonly ChangedForm[]>([])

/** Changes that are being saved do not count as unsaved. */
export const hasUnsaved = (): boolean => forms.get().some((form) => !form.isSaving())

type Choices = {
  isSaving?: boolean
  /** Offers to save the form before it is left. */
  save?: Save | undefined
  /** Whether a draft in this browser has the changes. */
  isKept?: () => boolean
}

/**
 * Asks for confirmation before leaving while `isDirty`. `discard` resets the form when the user continues without
 * saving.
 */
export function useUnsaved(isDirty: boolean, discard: () => void, choices: Choices = {}): void {
  const latest = useRef({ ...choices, discard })
  latest.current = { ...choices, discard }
  useEffect(() => {
    if (!isDirty) return
    const form: ChangedForm = {
      discard: () => latest.current.discard(),
      isSaving: () => latest.current.isSaving ?? false,
      save: () => latest.current.save,
      isKept: () => latest.current.isKept?.() ?? false,
    }
    forms.set([...forms.get(), form])
    return () => forms.set(forms.get().filter((other) => other !== form))
  }, [isDirty])
}

/** Drops unsaved changes before a forced reload, so that the browser does not ask. */
export const dropUnsaved = (): void => forms.set([])

/** Whether something on the page is changed or being saved. */
export const isEdited = (): boolean => forms.get().length > 0

/** Says what becomes of the changes when the session ends; undefined where nothing is changed. */
export function fateOfChanges(): 'kept' | 'notSaved' | undefined {
  if (!isEdited()) return undefined
  return forms.get().every((form) => form.isKept()) ? 'kept' : 'notSaved'
}

/** The same, following its change. */
export const useIsEdited = (): boolean => useStore(forms).length > 0

const question = () => ({
  title: text(kitTexts, 'unsaved.title'),
  body: text(kitTexts, 'unsaved.body'),
  action: text(kitTexts, 'unsaved.continue'),
  isDanger: true,
})

/** Saves one form after the other, up to the first that stays unsaved. */
async function saveAll(saves: readonly Save[]): Promise<boolean> {
  for (const save of saves) if (!(await save())) return false
  return true
}

async function confirmDiscard(): Promise<boolean> {
  const changed = forms.get()
  const saves = changed.flatMap((form) => form.save() ?? [])
  if (saves.length === changed.length) {
    const choice = await choose({ ...question(), other: text(kitTexts, 'unsaved.save') })
    if (choice !== 'action') return choice === 'other' && saveAll(saves)
  } else if (!(await confirm(question()))) return false
  for (const form of changed) form.discard()
  return true
}

let pending: Promise<boolean> | null = null

/**
 * Shares one answer between the calls made while the question is open. Escape closes the question and also reaches the
 * dialog below it, which would ask a second time.
 */
function askOnce(ask: () => Promise<boolean>): Promise<boolean> {
  pending ??= ask().finally(() => {
    pending = null
  })
  return pending
}

/** Resolves to true where nothing is unsaved or the user discards it. */
export const confirmLeave = (): Promise<boolean> => (hasUnsaved() ? askOnce(confirmDiscard) : Promise.resolve(true))

/** Asks the same before the changes of one dialog are dropped, which drops them itself; other forms keep theirs. */
export const confirmDrop = (): Promise<boolean> => askOnce(() => confirm(question()))

/** For changes that are no navigation: gear actions, local tabs. `onClick={guarded(() => open())}`. */
export const guarded =
  <A extends unknown[]>(action: (...args: A) => void) =>
  (...args: A): void => {
    void confirmLeave().then((goesOn) => {
      if (goesOn) action(...args)
    })
  }
