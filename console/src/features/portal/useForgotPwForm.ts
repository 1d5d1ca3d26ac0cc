// The form of a forgotten password: validation, the OTP step, and the masked address of the mail (spec S1 §2, §4).
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { type OtpRequest, otpRequestOf, tellOtpRequired } from './otpRequest.ts'
import { resetPw } from './portal.calls.ts'
import { portalTexts } from './portal.texts.ts'
import { selfServiceTexts } from './selfService.texts.ts'
import { fieldsOf, selfServiceMessage } from './selfServiceErrors.ts'

export function useForgotPwForm(first: string) {
  const t = useTexts(selfServiceTexts)
  const p = useTexts(portalTexts)
  const [typed, setId] = useState(first)
  const [errors, setErrors] = useState<{ id?: string; message?: string }>({})
  const [asked, setAsked] = useState<OtpRequest>()
  const [sentTo, setSentTo] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const id = typed.trim()

  const send = async (otp?: string) => {
    const { email } = await call(resetPw, { id, ...(otp !== undefined && { otp }) })
    setSentTo(email)
  }
  const messageOf = (error: unknown) => selfServiceMessage(error, t('forgotPw.unknownId'))
  const follow = async (error: unknown) => {
    const request = otpRequestOf(error)
    const isMalformed = fieldsOf(error).includes('id')
    if (request || isMalformed) markHandled(error)
    if (request) {
      await tellOtpRequired(error)
      return setAsked(request)
    }
    // An ID that cannot exist is not registered either.
    const message = isMalformed ? t('forgotPw.unknownId') : messageOf(error)
    setErrors(message === undefined ? {} : { message })
    field.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setErrors(id === '' ? { id: p('enterId') } : {})
    if (id === '') return field.current?.focus()
    setBusy(true)
    await send().catch(follow)
    setBusy(false)
  }
  const restart = () => setAsked(undefined)
  return { id, setId, errors, asked, sentTo, isBusy, field, send, onOther: messageOf, submit, restart }
}
