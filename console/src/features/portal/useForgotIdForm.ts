// The form of a forgotten ID: validation, and the ID that was found (spec S1 §2, §4).
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { findId } from './portal.calls.ts'
import { selfServiceTexts } from './selfService.texts.ts'
import { useOtpSteps } from './useOtpSteps.ts'

type Errors = { name?: string; email?: string; message?: string }

export function useForgotIdForm() {
  const t = useTexts(selfServiceTexts)
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [found, setFound] = useState<string>()
  const nameField = useRef<HTMLInputElement>(null)
  const emailField = useRef<HTMLInputElement>(null)

  const send = async (otp?: string) => {
    const { id } = await call(findId, { name: name.trim(), email: email.trim(), ...(otp !== undefined && { otp }) })
    setFound(id)
  }
  const refuse = (next: Errors) => {
    setErrors(next)
    if (next.name !== undefined) nameField.current?.focus()
    else if (next.email !== undefined) emailField.current?.focus()
    else if (next.message !== undefined) nameField.current?.focus()
  }
  const steps = useOtpSteps({
    send,
    mismatch: t('forgotId.mismatch'),
    onRefused: (fields, message) =>
      refuse({
        ...(fields.includes('name') && { name: t('forgotId.nameFormat') }),
        ...(fields.includes('email') && { email: t('forgotId.emailFormat') }),
        ...(message !== undefined && { message }),
      }),
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (steps.isBusy) return
    const missing = {
      ...(name.trim() === '' && { name: t('forgotId.enterName') }),
      ...(email.trim() === '' && { email: t('forgotId.enterEmail') }),
    }
    refuse(missing)
    if (Object.keys(missing).length > 0) return
    await steps.begin()
  }
  const values = { name, setName, email, setEmail, nameField, emailField }
  return { ...values, ...steps, errors, found, submit }
}
