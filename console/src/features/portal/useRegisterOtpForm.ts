// The form that registers an authenticator: code, confirmation, and handling of the response (spec S1 §2, §8).
import type { OtpRegistration } from '@acc/contract/account'
import type { AppConfigs } from '@acc/contract/configs'
import { ApiError } from '@acc/contract/core/client'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { text, useTexts } from '../../kit/texts/texts.ts'
import { registrationOf } from './otpRequest.ts'
import { registerOtp } from './portal.calls.ts'
import { portalTexts, selfServiceTexts } from './portal.texts.ts'
import { otpFaultOf, otpFormatFault } from './useOtpStep.ts'
import type { Credentials } from './useSignInForm.ts'

type Choices = {
  configs: AppConfigs
  credentials: Credentials
  registration: OtpRegistration
  onDone: () => void
  /** The registration cannot go on. */
  onBack: () => void
}
type Said = { field?: string; message?: string; notice?: string }

/** Text of an error after which only another sign-in helps. */
function endOf(error: ApiError): string | undefined {
  switch (error.error) {
    case 'OTP_EXPIRED':
      return text(selfServiceTexts, 'register.expired')
    case 'OTP_ALREADY_REGISTERED':
    case 'WRONG_CREDENTIALS':
    case 'PASSWORD_ATTEMPTS_EXCEEDED':
    case 'PASSWORD_CHANGE_REQUIRED':
    case 'ACCOUNT_EXPIRED':
    case 'LOGIN_TYPE_REFUSED':
      return errorText(error)
    default:
      return undefined
  }
}

export function useRegisterOtpForm({ configs, credentials, registration: first, onDone, onBack }: Choices) {
  const t = useTexts(selfServiceTexts)
  const [registration, setRegistration] = useState(first)
  const [otp, setOtp] = useState('')
  const [isStored, setStored] = useState(false)
  const [said, setSaid] = useState<Said>({})
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const say = (next: Said) => {
    setSaid(next)
    setOtp('')
    field.current?.focus()
  }
  const judge = async (error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    const renewed = registrationOf(error.data)
    const end = endOf(error)
    const fault = renewed ? { notice: t('register.renewed') } : otpFaultOf(error, configs)
    if (fault || end !== undefined) markHandled(error)
    if (fault) say(fault)
    if (renewed) {
      setRegistration(renewed)
      setStored(false)
    }
    if (end === undefined) return
    await showMessage({ title: text(portalTexts, 'notice'), body: end })
    onBack()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const fault = otpFormatFault(otp)
    setSaid(fault === undefined ? {} : { field: fault })
    if (fault !== undefined) return field.current?.focus()
    if (isBusy || !isStored) return
    setBusy(true)
    try {
      await call(registerOtp, { ...credentials, otp })
      onDone()
    } catch (error) {
      await judge(error)
    } finally {
      setBusy(false)
    }
  }
  return { registration, otp, setOtp, isStored, setStored, said, isBusy, field, submit }
}
