// The inputs of a form: their props, and the focus on the first wrong one.
import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useState } from 'react'

// Work that must not move the page while the pointer is down: a button that moves while it is pressed is released
// elsewhere and gets no click.
let isPressed = false
let waiting: (() => unknown)[] = []

function release() {
  isPressed = false
  const due = waiting
  waiting = []
  // The click comes right after the release.
  if (due.length > 0) setTimeout(() => due.forEach((work) => void work()))
}

addEventListener('pointerdown', () => (isPressed = true), { capture: true })
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release, { capture: true })

/** Runs the work at once; while the pointer is down, after the click. */
function afterPress(work: () => unknown): void {
  if (isPressed) waiting.push(work)
  else work()
}

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
      // An unchanged field shows no error before the form is submitted. A message moves the content below it.
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
