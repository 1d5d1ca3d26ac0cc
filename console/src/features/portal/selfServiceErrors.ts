// Texts of the errors that the pages of forgotten IDs and passwords show themselves (spec S1 §8).
import { ApiError } from '@acc/contract/core/client'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { text } from '../../kit/texts/texts.ts'
import { portalTexts } from './portal.texts.ts'
import { throttleText } from './requestSignIn.ts'

/** The message of an error, marked as handled; undefined for errors of the global handler. `mismatch`: the text of 100. */
export function selfServiceMessage(error: unknown, mismatch: string): string | undefined {
  const message = error instanceof ApiError ? messageOf(error, mismatch) : undefined
  if (message !== undefined) markHandled(error)
  return message
}

function messageOf(error: ApiError, mismatch: string): string | undefined {
  switch (error.error) {
    case 'WRONG_CREDENTIALS':
      return mismatch
    case 'TOO_MANY_REQUESTS':
      return throttleText(error)
    case 'PASSWORD_ATTEMPTS_EXCEEDED':
    case 'ACCOUNT_EXPIRED':
    case 'LOGIN_TYPE_REFUSED':
    case 'OTP_ATTEMPTS_EXCEEDED':
    case 'OTP_FAILED':
      return errorText(error)
    case 'NO_EMAIL':
      return text(portalTexts, 'noEmail')
    default:
      return undefined
  }
}

/** The fields that a 983 names; empty for other errors. */
export function fieldsOf(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || error.error !== 'INVALID_INPUT') return []
  const { data } = error
  const fields = typeof data === 'object' && data !== null && 'fields' in data ? data.fields : []
  return Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : []
}
