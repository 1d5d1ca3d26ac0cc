// The foot of a form: its changes, undo, and Save, which says why it cannot be pressed (spec S1 §4). Ctrl S saves.
import { Button } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { useShortcut } from '../browser/useShortcut.ts'
import { PaneFoot } from '../layout/Page.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { ReasonedButton } from './ReasonedButton.tsx'
import css from './SaveBar.module.css'

type SaveBarForm = {
  changed: readonly string[]
  isDirty: boolean
  isSaving: boolean
  whyDisabled: string | undefined
  reset: () => void
}
type Props = {
  form: SaveBarForm
  /** Effect of saving, shown instead of the number of changes: "applies to 128 people". */
  children?: ReactNode
  /** A reason beyond the form's own: the data could not be loaded, the viewer has view-only access. */
  whyDisabled?: string
  label?: string
}

/** Used inside the `<form>`, which Save submits. */
export function SaveBar({ form, children, whyDisabled, label }: Props) {
  const t = useTexts(kitTexts)
  const note = useRef<HTMLSpanElement>(null)
  const reason = whyDisabled ?? form.whyDisabled
  const save = () => reason === undefined && note.current?.closest('form')?.requestSubmit()
  useShortcut('mod+S', save, { within: note, inFields: true })
  return (
    <PaneFoot>
      <span ref={note} className={css.note}>
        {children ?? (form.isDirty ? t('form.changes', { count: form.changed.length }) : null)}
      </span>
      {form.isDirty && (
        <Button variant="default" onClick={form.reset} disabled={form.isSaving}>
          {t('reset')}
        </Button>
      )}
      <ReasonedButton type="submit" isBusy={form.isSaving} whyDisabled={reason} aria-keyshortcuts="Control+S">
        {label ?? t('save')}
      </ReasonedButton>
    </PaneFoot>
  )
}
