// A form that fills its pane. The server's rules are checked by the form, never by the browser.
import type { ComponentProps, FormEventHandler, ReactNode } from 'react'
import { Pane } from '../layout/Page.tsx'
import { type NoticedForm, WithNotice } from './FormNotice.tsx'
import css from './PaneForm.module.css'
import { SaveBar } from './SaveBar.tsx'

type Submitted = NoticedForm & { submit: FormEventHandler<HTMLFormElement> }
type FrameProps = {
  form: Submitted
  /** For a Save outside of the form (SaveBar.tsx). */
  id?: string
  /** Of a new record, whose fields are not marked as edited. */
  isNew?: boolean
  children: ReactNode
}

/** A form around panes. */
export function FormFrame({ form, id, isNew = false, children }: FrameProps) {
  return (
    <form id={id} className="fill" onSubmit={form.submit} data-new={isNew || undefined} noValidate>
      <WithNotice form={form}>{children}</WithNotice>
    </form>
  )
}

type Bar = ComponentProps<typeof SaveBar>
type Props = Omit<FrameProps, 'form' | 'id'> &
  Pick<ComponentProps<typeof Pane>, 'title' | 'aside'> &
  Pick<Bar, 'whyDisabled'> & {
    form: Submitted & Bar['form']
    /** The label of Save. */
    save?: Bar['label']
    /** Effect of saving, in place of the number of changes. */
    effect?: Bar['children']
  }

/** A pane with fields, and at its foot Save. */
export function PaneForm({ form, isNew, title, aside, whyDisabled, save, effect, children }: Props) {
  return (
    <FormFrame form={form} isNew={isNew}>
      <Pane
        title={title}
        aside={aside}
        foot={
          <SaveBar form={form} whyDisabled={whyDisabled} label={save}>
            {effect}
          </SaveBar>
        }
      >
        {children}
      </Pane>
    </FormFrame>
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
