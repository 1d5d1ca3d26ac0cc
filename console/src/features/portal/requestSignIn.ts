// Signing in: maps the server's responses to the sign-in page (spec S1 §4, §5, §8).
import type { AppConfigs } from '@acc/contract/configs'
import { ApiError } from '@acc/contract/core/client'
import type { Session } from '@acc/contract/session'
import { call } from '../../kit/api/call.ts'
import { markHandled } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { text } from '../../kit/texts/texts.ts'
import { login, readSession } from './portal.calls.ts'
import { portalTexts } from './portal.texts.ts'

export type SignInResult =
  | { name: 'signedIn'; session: Session }
  | { name: 'changePassword' }
  | { name: 'failed'; message?: string }

/** Returns the text of 113, with the waiting time if the server sends it. */
export function throttleText(error: ApiError): string {
  const { data } = error
  const wait = typeof data === 'object' && data !== null && 'retryAfter' in data ? Number(data.retryAfter) : Number.NaN
  return Number.isFinite(wait) ? text(portalTexts, 'tooMany', { seconds: Math.ceil(wait) }) : errorText(error)
}

/** Texts of the errors that the sign-in page shows itself. */
function messageOf(error: ApiError, configs: AppConfigs): string | undefined {
  switch (error.error) {
    case 'WRONG_CREDENTIALS':
      return text(portalTexts, 'mismatch', { max: configs.maxLoginFails })
    case 'TOO_MANY_REQUESTS':
      return throttleText(error)
    case 'PASSWORD_ATTEMPTS_EXCEEDED':
    case 'ACCOUNT_EXPIRED':
    case 'CLIENT_REQUIRED':
      return errorText(error)
    default:
      return undefined
  }
}

/** Errors without a text here (102, 110, a network failure) are shown by the global handler. */
export async function requestSignIn(id: string, pw: string, configs: AppConfigs): Promise<SignInResult> {
  try {
    await call(login, { id, pw })
    return { name: 'signedIn', session: await call(readSession, {}) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const message = messageOf(error, configs)
    if (message !== undefined) {
      markHandled(error)
      return { name: 'failed', message }
    }
    if (error.error === 'PASSWORD_CHANGE_REQUIRED') {
      markHandled(error)
      return { name: 'changePassword' }
    }
    if (error.error === 'LOGIN_TYPE_REFUSED') {
      markHandled(error)
      void showMessage({ title: text(portalTexts, 'notice'), body: errorText(error) })
    }
    return { name: 'failed' }
  }
}
