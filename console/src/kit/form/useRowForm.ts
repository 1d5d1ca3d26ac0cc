// The form of one row of a list, in a dialog above the form of the list. It validates the row and passes it to the
// list, which is saved as a whole.
import { useForm } from '@mantine/form'
import type { FormEvent } from 'react'
import { kitTexts } from '../texts/kit.texts.ts'
import { useTexts } from '../texts/texts.ts'
import { inputProps, setValue, useFocusOnError, type ValidatedForm } from './formFields.ts'
import { confirmDrop, useUnsaved } from './unsaved.ts'

type Choices<V> = {
  initial: V
  /** A new row may be applied as it is; a stored one must be changed first. */
  isNew: boolean
  /** Returns texts by field. */
  check: (values: V) => Partial<Record<keyof V & string, string | undefined>>
  onApply: (values: V) => void
}

export function useRowForm<V extends Record<string, unknown>>({ initial, isNew, check, onApply }: Choices<V>) {
  const t = useTexts(kitTexts)
  const form: ValidatedForm = useForm<Record<string, unknown>>({
    initialValues: initial,
    validate: (values) => check(values as V),
  })
  const isDirty = form.isDirty()
  useUnsaved(isDirty, form.reset)
  const focusError = useFocusOnError()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    form.onSubmit(
      (values) => onApply(values as V),
      () => focusError(element),
    )()
  }
  return {
    values: form.values as V,
    set: <K extends keyof V & string>(name: K, value: V[K]) => setValue(form, name, value),
    field: (name: keyof V & string) => inputProps(form, name),
    isSaving: false,
    /** Why the row cannot be applied; undefined if it can. */
    whyDisabled: isDirty || isNew ? undefined : t('form.unchanged'),
    submit,
    /** Asks before the changes of this row are dropped; those of the list stay. */
    confirmClose: () => (isDirty ? confirmDrop() : Promise.resolve(true)),
  }
}
