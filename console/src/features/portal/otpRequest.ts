// When the server asks for a one-time password (spec S1 §4, §8), and the key of an authenticator to be registered.
import type { OtpRegistration } from '@acc/contract/account'
import { ApiError } from '@acc/contract/core/client'
import type { ErrorName } from '@acc/contract/core/errors'
import { errorText } from '../../kit/api/errorText.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { loadTexts, text } from '../../kit/texts/texts.ts'
import { selfServiceTexts } from './portal.texts.ts'

const REQUESTS = ['OTP_MAILED', 'OTP_ALREADY_SENT', 'OTP_REQUIRED'] as const satisfies readonly ErrorName[]
export type OtpRequest = (typeof REQUESTS)[number]

/** How the server asks for a code; undefined for other errors. */
export const otpRequestOf = (error: unknown): OtpRequest | undefined =>
  error instanceof ApiError ? REQUESTS.find((name) => name === error.error) : undefined

/** The dialog that precedes the OTP step. */
export async function showOtpRequired(error: unknown): Promise<void> {
  await loadTexts(selfServiceTexts)
  await showMessage({ title: text(selfServiceTexts, 'step.requiredTitle'), body: errorText(error) })
}

/** The key that a 110 or a change of password returned; undefined without one. */
export function registrationOf(data: unknown): OtpRegistration | undefined {
  if (typeof data !== 'object' || data === null || !('otpSecret' in data) || !('qrCodeBase64' in data)) return undefined
  const { otpSecret, qrCodeBase64 } = data
  return typeof otpSecret === 'string' && typeof qrCodeBase64 === 'string' ? { otpSecret, qrCodeBase64 } : undefined
}
