// What the forms of forgotten IDs and passwords share: sending, the OTP step that may follow, and refusals (spec S1 §4, §8).
import { useState } from 'react'
import { markHandled } from '../../kit/api/errors.ts'
import { type OtpRequest, otpRequestOf, showOtpRequired } from './otpRequest.ts'
import { fieldsOf, selfServiceMessage } from './selfServiceErrors.ts'

type Choices = {
  /** Sends the form; with the code once it was asked for. */
  send: (otp?: string) => Promise<void>
  /** The text of a 100. */
  mismatch: string
  /** The fields that a 983 names, and the message of another refusal; neither for errors of the global handler. */
  onRefused: (fields: readonly string[], message: string | undefined) => void
}

export function useOtpSteps({ send, mismatch, onRefused }: Choices) {
  const [asked, setAsked] = useState<OtpRequest>()
  const [isBusy, setBusy] = useState(false)
  const messageOf = (error: unknown) => selfServiceMessage(error, mismatch)
  const follow = async (error: unknown) => {
    const request = otpRequestOf(error)
    const fields = fieldsOf(error)
    if (request || fields.length > 0) markHandled(error)
    if (request === undefined) return onRefused(fields, messageOf(error))
    await showOtpRequired(error)
    setAsked(request)
  }
  const begin = async () => {
    setBusy(true)
    await send().catch(follow)
    setBusy(false)
  }
  return { asked, isBusy, begin, send, onOther: messageOf, restart: () => setAsked(undefined) }
}
