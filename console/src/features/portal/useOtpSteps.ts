// Common part of the forms for forgotten IDs and passwords: sending, a possible OTP step, refusals (spec S1 §4, §8).

import { ApiError } from '@acc/contract/core/client'
import { useState } from 'react'
import { markHandled } from '../../kit/api/errors.ts'
import { type OtpRequest, otpRequestOf, showOtpRequired } from './otpRequest.ts'
import { portalMessage } from './requestSignIn.ts'

/** Marks an error as handled and returns its message. Undefined for the global handler. `mismatch`: text of 100. */
function selfServiceMessage(error: unknown, mismatch: string): string | undefined {
  const message = error instanceof ApiError ? portalMessage(error, mismatch, 'LOGIN_TYPE_REFUSED') : undefined
  if (message !== undefined) markHandled(error)
  return message
}

/** The fields that a 983 names; empty for other errors. */
function fieldsOf(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.error !== 'INVALID_INPUT') return []
  const { data } = error
  const fields = typeof data === 'object' && data !== null && 'fields' in data ? data.fields : []
  return Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : []
}

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
