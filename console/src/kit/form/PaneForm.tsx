// A form that fills its pane. The server's rules are checked by the form, never by the browser.
import type { FormEventHandler, ReactNode } from 'react'
import css from './PaneForm.module.css'

type Props = { form: { submit: FormEventHandler<HTMLFormElement> }; children: ReactNode }

/** Contains a Pane with its fields and, as its foot, a SaveBar. */
export function PaneForm({ form, children }: Props) {
  return (
    <form className={css.form} onSubmit={form.submit} noValidate>
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
