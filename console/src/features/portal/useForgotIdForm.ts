// The form of a forgotten ID: validation, the OTP step, and the ID that was found (spec S1 §2, §4).
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { type OtpRequest, otpRequestOf, tellOtpRequired } from './otpRequest.ts'
import { findId } from './portal.calls.ts'
import { selfServiceTexts } from './selfService.texts.ts'
import { fieldsOf, selfServiceMessage } from './selfServiceErrors.ts'

type Errors = { name?: string; email?: string; message?: string }

export function useForgotIdForm() {
  const t = useTexts(selfServiceTexts)
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [asked, setAsked] = useState<OtpRequest>()
  const [found, setFound] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const nameField = useRef<HTMLInputElement>(null)
  const emailField = useRef<HTMLInputElement>(null)

  const send = async (otp?: string) => {
    const { id } = await call(findId, { name: name.trim(), email: email.trim(), ...(otp !== undefined && { otp }) })
    setFound(id)
  }
  const messageOf = (error: unknown) => selfServiceMessage(error, t('forgotId.mismatch'))
  const refuse = (next: Errors) => {
    setErrors(next)
    if (next.name !== undefined) nameField.current?.focus()
    else if (next.email !== undefined) emailField.current?.focus()
  }
  const follow = async (error: unknown) => {
    const request = otpRequestOf(error)
    const fields = fieldsOf(error)
    if (request || fields.length > 0) markHandled(error)
    if (request) {
      await tellOtpRequired(error)
      return setAsked(request)
    }
    const message = messageOf(error)
    refuse({
      ...(fields.includes('name') && { name: t('forgotId.nameFormat') }),
      ...(fields.includes('email') && { email: t('forgotId.emailFormat') }),
      ...(message !== undefined && { message }),
    })
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const missing = {
      ...(name.trim() === '' && { name: t('forgotId.enterName') }),
      ...(email.trim() === '' && { email: t('forgotId.enterEmail') }),
    }
    refuse(missing)
    if (Object.keys(missing).length > 0) return
    setBusy(true)
    await send().catch(follow)
    setBusy(false)
  }
  const restart = () => setAsked(undefined)
  const values = { name, setName, email, setEmail, nameField, emailField }
  return { ...values, errors, asked, found, isBusy, send, onOther: messageOf, submit, restart }
}
