// The inputs of a form: their props, and the focus on the first wrong one.
import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useState } from 'react'
import { afterPress } from '../browser/afterPress.ts'

export type ValidatedForm = UseFormReturnType<Record<string, unknown>>

export const setValue = (form: ValidatedForm, name: string, value: unknown) => form.setFieldValue(name, value)

export function inputProps(form: ValidatedForm, name: string, { trims = true } = {}) {
  const props = form.getInputProps(name)
  return {
    ...props,
    wrapperProps: { 'data-changed': form.isDirty(name) || undefined },
    onBlur: (event: unknown) => {
      const value = form.getValues()[name]
      if (trims && typeof value === 'string' && value !== value.trim()) setValue(form, name, value.trim())
      props.onBlur?.(event)
      // An unchanged field shows no error before the form is submitted. A message moves what is below it.
      afterPress(() => form.isDirty(name) && form.validateField(name))
    },
  }
}

/** Focuses the first field that is marked as wrong in the form given to the returned function. */
export function useFocusOnError() {
  const [failed, setFailed] = useState<Element | null>(null)
  // Runs once the marks have been drawn, which were set together with this state.
  useEffect(() => {
    failed?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    setFailed(null)
  }, [failed])
  return setFailed
}
