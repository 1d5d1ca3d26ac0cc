// The form of a forgotten password: validation, and the masked address of the mail (spec S1 §2, §4).
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { resetPw } from './portal.calls.ts'
import { portalTexts } from './portal.texts.ts'
import { selfServiceTexts } from './selfService.texts.ts'
import { useOtpSteps } from './useOtpSteps.ts'

export function useForgotPwForm(first: string) {
  const t = useTexts(selfServiceTexts)
  const p = useTexts(portalTexts)
  const [typed, setId] = useState(first)
  const [errors, setErrors] = useState<{ id?: string; message?: string }>({})
  const [sentTo, setSentTo] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const id = typed.trim()

  const send = async (otp?: string) => {
    const { email } = await call(resetPw, { id, ...(otp !== undefined && { otp }) })
    setSentTo(email)
  }
  const unknown = t('forgotPw.unknownId')
  const steps = useOtpSteps({
    send,
    mismatch: unknown,
    onRefused: (fields, text) => {
      // An ID that cannot exist is not registered either.
      const message = fields.includes('id') ? unknown : text
      setErrors(message === undefined ? {} : { message })
      field.current?.focus()
    },
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (steps.isBusy) return
    setErrors(id === '' ? { id: p('enterId') } : {})
    if (id === '') return field.current?.focus()
    await steps.begin()
  }
  return { ...steps, id, setId, errors, sentTo, field, submit }
}
