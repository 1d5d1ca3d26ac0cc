// A form in a dialog: one primary action, the first field focused, Escape closes after the unsaved check.
import { Button, Group, Stack } from '@mantine/core'
import type { FormEvent, FormEventHandler, ReactNode } from 'react'
import { DialogWindow } from '../dialogs/DialogWindow.tsx'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import css from './FormDialog.module.css'
import { type NoticedForm, WithNotice } from './FormNotice.tsx'
import { ReasonedButton } from './ReasonedButton.tsx'
import { confirmLeave } from './unsaved.ts'

type Props = {
  title: string
  /** Label of the primary button, such as "Create"; "Save" by default. */
  action?: string
  form: NoticedForm & {
    submit: FormEventHandler<HTMLFormElement>
    isSaving: boolean
    whyDisabled?: string | undefined
    confirmClose?: () => Promise<boolean>
  }
  onClose: () => void
  /** Asks before the dialog is left; by default as the form does, or about everything that is unsaved on the page. */
  confirmClose?: () => Promise<boolean>
  width?: number
  /** Why the primary button is disabled; by default as the form says. */
  whyDisabled?: string | undefined
  /** Of a new record, whose fields are not marked as edited. */
  isNew?: boolean
  children: ReactNode
}

const FIELD = ':is(input, select, textarea, button):not(:disabled, [type="radio"]:not(:checked))'

/** Marks the first field, or its checked choice, for the focus. Without a mark, the close button receives it. */
function markFirstField(form: HTMLFormElement | null): void {
  if (!form?.querySelector('[data-autofocus]')) form?.querySelector(FIELD)?.setAttribute('data-autofocus', '')
}

/** Rendered while it is open: `{isOpen && <CreateUserDialog onClose={...} />}`. */
export function FormDialog({ title, action, form, onClose, width = 440, isNew = false, children, ...choices }: Props) {
  const { confirmClose = form.confirmClose ?? confirmLeave, whyDisabled = form.whyDisabled } = choices
  const t = useTexts(kitTexts)
  const close = () => {
    if (!form.isSaving) void confirmClose().then((goesOn) => goesOn && onClose())
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // A form around the dialog is an ancestor in React's tree, and would be saved too.
    event.stopPropagation()
    form.submit(event)
  }
  return (
    <DialogWindow onClose={close} title={title} size={width}>
      <form ref={markFirstField} onSubmit={submit} data-new={isNew || undefined} noValidate>
        <Stack gap={12}>
          <WithNotice form={form}>{children}</WithNotice>
        </Stack>
        <Group className={css.foot} justify="flex-end" gap={8}>
          <Button variant="default" onClick={close} disabled={form.isSaving}>
            {t('cancel')}
          </Button>
          <ReasonedButton type="submit" isBusy={form.isSaving} whyDisabled={whyDisabled}>
            {action ?? t('save')}
          </ReasonedButton>
        </Group>
      </form>
    </DialogWindow>
  )
}
