// One Save for the panels of a screen, at its foot like every other Save (spec S1 §2). The open panel registers its
// form. While none is registered, because the panel is loading or has failed, Save is disabled. Ctrl S saves.
import { Button } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { createStore, useStore } from '../browser/store.ts'
import { useShortcut } from '../browser/useShortcut.ts'
import { PaneFoot } from '../layout/Page.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { ReasonedButton } from './ReasonedButton.tsx'

type SharedForm = { isDirty: boolean; isSaving: boolean; whyDisabled: string | undefined; reset: () => void }
type RegisteredForm = Omit<SharedForm, 'reset'> & { id: string; reset: () => void }

const handed = createStore<RegisteredForm | null>(null)

/** Passes the form of a panel to the shared Save. Returns the `id` that the `<form>` needs. */
export function useSharedSave(form: SharedForm, whyDisabled?: string): string {
  const id = useId()
  const latest = useRef(form)
  latest.current = form
  const { isDirty, isSaving } = form
  const reason = whyDisabled ?? form.whyDisabled
  useEffect(() => {
    handed.set({ id, isDirty, isSaving, whyDisabled: reason, reset: () => latest.current.reset() })
  }, [id, isDirty, isSaving, reason])
  useEffect(
    () => () => {
      if (handed.get()?.id === id) handed.set(null)
    },
    [id],
  )
  return id
}

/** Save, and undo while something is changed. */
export function SharedSave() {
  const t = useTexts(kitTexts)
  const form = useStore(handed)
  const note = useRef<HTMLSpanElement>(null)
  const canSave = form !== null && form.whyDisabled === undefined
  const save = () => canSave && document.querySelector<HTMLFormElement>(`#${CSS.escape(form.id)}`)?.requestSubmit()
  useShortcut('mod+S', save, { within: note, inFields: true })
  return (
    <PaneFoot>
      <span ref={note} />
      {form?.isDirty && (
        <Button variant="default" onClick={form.reset} disabled={form.isSaving}>
          {t('reset')}
        </Button>
      )}
      <ReasonedButton
        type="submit"
        form={form?.id}
        isBusy={form?.isSaving}
        whyDisabled={form === null ? t('form.nothingLoaded') : form.whyDisabled}
        aria-keyshortcuts="Control+S"
      >
        {t('save')}
      </ReasonedButton>
    </PaneFoot>
  )
}
