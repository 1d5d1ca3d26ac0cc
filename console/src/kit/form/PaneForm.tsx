// A form that fills its pane. The server's rules are checked by the form, never by the browser.
import type { FormEventHandler, ReactNode } from 'react'
import css from './PaneForm.module.css'

type Props = {
  form: { submit: FormEventHandler<HTMLFormElement> }
  /** For a Save outside of the form (SaveBar.tsx). */
  id?: string
  /** Of a new record, whose fields are not marked as edited. */
  isNew?: boolean
  children: ReactNode
}

/** Contains a Pane with its fields and, unless the screen has a shared Save, as its foot a SaveBar. */
export function PaneForm({ form, id, isNew = false, children }: Props) {
  return (
    <form id={id} className="fill" onSubmit={form.submit} data-new={isNew || undefined} noValidate>
      {children}
    </form>
  )
}

/** The fields of a form, one below the other. */
export function Fields({ isReadOnly = false, children }: { isReadOnly?: boolean; children: ReactNode }) {
  return (
    <div className={css.fields} data-read-only={isReadOnly || undefined}>
      {children}
    </div>
  )
}
