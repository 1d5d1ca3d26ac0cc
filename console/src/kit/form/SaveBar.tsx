// The foot of a form: its changes, undo, and Save, which says why it cannot be pressed (spec S1 §4). Ctrl S saves.
import { Button } from '@mantine/core'
import { type ReactNode, use, useEffect, useId, useRef } from 'react'
import { createStore, useStore } from '../browser/store.ts'
import { useShortcut } from '../browser/useShortcut.ts'
import { PaneFoot } from '../layout/Page.tsx'
import { StaleContext } from '../layout/QueryState.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { ReasonedButton } from './ReasonedButton.tsx'
import css from './SaveBar.module.css'

type SharedForm = { isDirty: boolean; isSaving: boolean; whyDisabled: string | undefined; reset: () => void }
type Props = {
  form: SharedForm & { changed: readonly string[] }
  /** The `id` of the form, if the bar is outside of it. */
  id?: string
  /** Effect of saving, shown instead of the number of changes: "applies to 128 people". */
  children?: ReactNode
  /** A reason beyond the form's own: a value is missing. */
  whyDisabled?: string
  label?: string
}

/** Used inside the `<form>`, which Save submits. */
export function SaveBar({ form, id, children, whyDisabled, label }: Props) {
  const t = useTexts(kitTexts)
  const note = useRef<HTMLSpanElement>(null)
  const reason = use(StaleContext) ?? whyDisabled ?? form.whyDisabled
  const formElement = () => (id === undefined ? note.current?.closest('form') : document.forms.namedItem(id))
  const save = () => reason === undefined && formElement()?.requestSubmit()
  useShortcut('mod+S', save, { within: note, inFields: true })
  return (
    <PaneFoot>
      <span ref={note} className={css.note} role="status">
        {children ?? (form.isDirty ? t('form.changes', { count: form.changed.length }) : null)}
      </span>
      {form.isDirty && (
        <Button variant="default" onClick={form.reset} disabled={form.isSaving}>
          {t('reset')}
        </Button>
      )}
      <ReasonedButton type="submit" form={id} isBusy={form.isSaving} whyDisabled={reason} aria-keyshortcuts="Control+S">
        {label ?? t('save')}
      </ReasonedButton>
    </PaneFoot>
  )
}

const NOTHING = { isDirty: false, isSaving: false, whyDisabled: undefined, reset: () => undefined }
const shared = createStore<(SharedForm & { id: string }) | null>(null)

/** Passes the form of a panel to the shared Save. Returns the `id` that the `<form>` needs. */
export function useSharedSave(form: SharedForm, whyDisabled?: string): string {
  const id = useId()
  const latest = useRef(form)
  latest.current = form
  const { isDirty, isSaving } = form
  const reason = use(StaleContext) ?? whyDisabled ?? form.whyDisabled
  useEffect(() => {
    shared.set({ id, isDirty, isSaving, whyDisabled: reason, reset: () => latest.current.reset() })
  }, [id, isDirty, isSaving, reason])
  useEffect(
    () => () => {
      if (shared.get()?.id === id) shared.set(null)
    },
    [id],
  )
  return id
}

/**
 * One Save for the panels of a screen, at its foot like every other Save (spec S1 §2). While no form is registered,
 * because the panel is loading or has failed, it is disabled.
 */
export function SharedSave() {
  const t = useTexts(kitTexts)
  const form = useStore(shared)
  return (
    <SaveBar
      form={{ ...(form ?? NOTHING), changed: [] }}
      id={form?.id}
      whyDisabled={form === null ? t('form.nothingLoaded') : undefined}
    >
      {false}
    </SaveBar>
  )
}
