// The OTP step of a call: asks for the code, sends the call again with it, and handles what concerns the code (spec S1
// §4, §5, §8). All other errors are the caller's.
import type { AppConfigs } from '@acc/contract/configs'
import { ApiError } from '@acc/contract/core/client'
import { type FormEvent, useRef, useState } from 'react'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { text, useTexts } from '../../kit/texts/texts.ts'
import { type OtpRequest, otpRequestOf } from './otpRequest.ts'
import { portalTexts, selfServiceTexts } from './portal.texts.ts'
import { throttleText } from './requestSignIn.ts'

export type OtpStepChoices = {
  configs: AppConfigs
  asked: OtpRequest
  /** Sends the call, without a code to be asked for another one. */
  send: (otp?: string) => Promise<void>
  /** Handles an error that is not about the code; returns the message to show in this step, if any. */
  onOther: (error: unknown) => string | undefined
}
/** `isOver`: the account is suspended, and no further code helps. */
type Said = { field?: string; message?: string; notice?: string; isOver?: boolean }

/** What an error says about the code; undefined for errors that are not about it. */
export function otpFaultOf(error: unknown, { maxOtpFails }: AppConfigs): Said | undefined {
  if (!(error instanceof ApiError)) return undefined
  switch (error.error) {
    case 'WRONG_OTP':
      return { field: text(selfServiceTexts, 'step.wrong', { max: maxOtpFails }) }
    case 'TOO_MANY_REQUESTS':
    case 'SERVER_BUSY':
      return { message: throttleText(error) }
    case 'OTP_ATTEMPTS_EXCEEDED':
      return { message: errorText(error), isOver: true }
    case 'OTP_FAILED':
      return { message: errorText(error) }
    case 'NO_EMAIL':
      return { message: text(portalTexts, 'noEmail') }
    default:
      return undefined
  }
}

/** What is said of an expired code, once the server has asked for another one. */
const EXPIRED = {
  OTP_REQUIRED: 'step.expiredApp',
  OTP_MAILED: 'step.expiredMailed',
  OTP_ALREADY_SENT: 'step.expiredSent',
} as const satisfies Record<OtpRequest, string>

const isExpired = (error: unknown) => error instanceof ApiError && error.error === 'OTP_EXPIRED'

/** What is wrong with a code before it is sent. */
export function otpFormatFault(otp: string): string | undefined {
  if (otp === '') return text(selfServiceTexts, 'step.enter')
  return otp.length < 6 ? text(selfServiceTexts, 'step.sixDigits') : undefined
}

export function useOtpStep({ configs, asked: first, send, onOther }: OtpStepChoices) {
  const t = useTexts(selfServiceTexts)
  const [asked, setAsked] = useState(first)
  const [otp, setOtp] = useState('')
  const [said, setSaid] = useState<Said>({})
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const say = (next: Said) => {
    setSaid(next)
    setOtp('')
    field.current?.focus()
  }
  /** 107: the same call without a code sends a new one or asks for it again, without a dialog (spec S1 §8). */
  const attempt = async (code: string | undefined, wasExpired = false): Promise<void> => {
    try {
      await send(code)
    } catch (error) {
      const request = otpRequestOf(error)
      const fault = request
        ? { notice: wasExpired ? t(EXPIRED[request]) : errorText(error) }
        : otpFaultOf(error, configs)
      if (request) setAsked(request)
      if (fault || isExpired(error)) markHandled(error)
      if (fault) return say(fault)
      if (isExpired(error)) return attempt(undefined, true)
      const message = onOther(error)
      if (message !== undefined) say({ message })
    }
  }
  const run = async (code?: string) => {
    if (isBusy) return
    setBusy(true)
    await attempt(code)
    setBusy(false)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const fault = otpFormatFault(otp)
    if (fault === undefined) return run(otp)
    setSaid({ field: fault })
    field.current?.focus()
  }
  return { asked, otp, setOtp, said, isBusy, field, submit, resend: () => void run() }
}
