// One Save for the panels of a screen, in the screen's header (spec S1 §2). The open panel registers its form; while none
// is there, because the panel is loading or has failed, Save is disabled.
import { Button } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { createStore, useStore } from '../browser/store.ts'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { ReasonedButton } from './ReasonedButton.tsx'
import css from './SharedSave.module.css'

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

/** Save, and undo while something is changed, for the screen's header. */
export function SharedSave() {
  const t = useTexts(kitTexts)
  const form = useStore(handed)
  if (form === null) return <ReasonedButton whyDisabled={t('form.nothingLoaded')}>{t('save')}</ReasonedButton>
  return (
    <div className={css.buttons}>
      {form.isDirty && (
        <Button variant="default" onClick={form.reset} disabled={form.isSaving}>
          {t('reset')}
        </Button>
      )}
      <ReasonedButton type="submit" form={form.id} isBusy={form.isSaving} whyDisabled={form.whyDisabled}>
        {t('save')}
      </ReasonedButton>
    </div>
  )
}
