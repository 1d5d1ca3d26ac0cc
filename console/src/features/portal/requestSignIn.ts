// Signing in: maps the server's responses to the portal's pages (spec S1 §4, §5, §8).
import type { OtpRegistration } from '@acc/contract/account'
import type { AppConfigs } from '@acc/contract/configs'
import { ApiError } from '@acc/contract/core/client'
import type { ErrorName } from '@acc/contract/core/errors'
import type { DataOf } from '@acc/contract/core/route'
import type { Session, session } from '@acc/contract/session'
import { call } from '../../kit/api/call.ts'
import { endsPage, markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { deleteDrafts } from '../../kit/browser/drafts.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { text } from '../../kit/texts/texts.ts'
import { type OtpRequest, otpRequestOf, registrationOf } from './otpRequest.ts'
import { login, logout, readSession } from './portal.calls.ts'
import { portalTexts } from './portal.texts.ts'

/** Why there is no session. */
export type SignInRefusal =
  /** `maxDays`: the password is older than so many days; otherwise it is a temporary one. */
  | { name: 'changePassword'; maxDays: number | undefined }
  | { name: 'otp'; asked: OtpRequest }
  /** An authenticator must be registered first; without the key nothing can be done. */
  | { name: 'registerOtp'; registration: OtpRegistration | undefined }
  | { name: 'failed'; message?: string }

/** Returns the text of an error that names the seconds to wait. */
export function throttleText(error: ApiError): string {
  const { data } = error
  const wait = typeof data === 'object' && data !== null && 'retryAfter' in data ? Number(data.retryAfter) : Number.NaN
  const key = error.error === 'SERVER_BUSY' ? 'busy' : 'tooMany'
  return Number.isFinite(wait) ? text(portalTexts, key, { seconds: Math.ceil(wait) }) : errorText(error)
}

/**
 * Returns the text of an error that a form of the portal shows itself. `mismatch` is the text of 100, `refusal` the
 * error of accounts that may not use the form.
 */
export function portalMessage(error: ApiError, mismatch: string, refusal: ErrorName): string | undefined {
  switch (error.error) {
    case 'WRONG_CREDENTIALS':
      return mismatch
    case 'TOO_MANY_REQUESTS':
    case 'SERVER_BUSY':
      return throttleText(error)
    case 'PASSWORD_ATTEMPTS_EXCEEDED':
    case 'ACCOUNT_EXPIRED':
    case refusal:
    case 'OTP_ATTEMPTS_EXCEEDED':
    case 'OTP_FAILED':
      return errorText(error)
    case 'NO_EMAIL':
      return text(portalTexts, 'noEmail')
    default:
      return undefined
  }
}

export async function requestSession(id: string, pw: string, otp?: string): Promise<Session> {
  await call(login, { id, pw, ...(otp !== undefined && { otp }) })
  return call(readSession, {})
}

/** Returns the days of a password that is too old. */
const maxDaysOf = (data: unknown): number | undefined =>
  typeof data === 'object' && data !== null && 'maxDays' in data && typeof data.maxDays === 'number'
    ? data.maxDays
    : undefined

/** Errors without a text here (102, a network failure) are shown by the global handler. */
export function refusalOf(error: unknown, configs: AppConfigs): SignInRefusal {
  if (!(error instanceof ApiError)) throw error
  const mismatch = text(portalTexts, 'mismatch', { max: configs.maxLoginFails })
  const message = portalMessage(error, mismatch, 'CLIENT_REQUIRED')
  const asked = otpRequestOf(error)
  if (message !== undefined || asked) markHandled(error)
  if (message !== undefined) return { name: 'failed', message }
  if (asked) return { name: 'otp', asked }
  switch (error.error) {
    case 'PASSWORD_CHANGE_REQUIRED':
      markHandled(error)
      return { name: 'changePassword', maxDays: maxDaysOf(error.data) }
    case 'OTP_NOT_REGISTERED':
      markHandled(error)
      return { name: 'registerOtp', registration: registrationOf(error.data) }
    case 'LOGIN_TYPE_REFUSED':
      markHandled(error)
      void showMessage({ title: text(portalTexts, 'notice'), body: errorText(error) })
      return { name: 'failed' }
    default:
      return { name: 'failed' }
  }
}

/**
 * Ends the session. Returns a result even if it had already ended, and where the single sign-on provider ends its own.
 * Undefined for other errors, which the global handler shows.
 */
export async function requestSignOut(): Promise<DataOf<typeof session.logout> | undefined> {
  try {
    const ended = await call(logout, {})
    deleteDrafts()
    return ended
  } catch (error) {
    if (!endsPage(error)) return undefined
    markHandled(error)
    deleteDrafts()
    return {}
  }
}
