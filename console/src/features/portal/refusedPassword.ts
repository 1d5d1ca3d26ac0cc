// Why the server refused a new password (108).
import type { ApiError } from '@acc/contract/core/client'
import { errorText } from '../../kit/api/errorText.ts'
import { text } from '../../kit/texts/texts.ts'
import { portalTexts } from './portal.texts.ts'

/** Returns the reason that the answer names; without one the password breaks a rule. */
export function refusedPasswordText(error: ApiError): string {
  const data: object = typeof error.data === 'object' && error.data !== null ? error.data : {}
  const reason = 'reason' in data ? data.reason : undefined
  if (reason === 'temporary') return text(portalTexts, 'change.refused.temporary')
  if (reason === 'common') return text(portalTexts, 'change.refused.common')
  if (reason === 'context' && 'word' in data)
    return text(portalTexts, 'change.refused.context', { word: String(data.word) })
  if (reason === 'former' && 'count' in data)
    return text(portalTexts, 'change.refused.former', { count: Number(data.count) })
  if (reason === 'tooSoon' && 'days' in data)
    return text(portalTexts, 'change.refused.tooSoon', { count: Number(data.days) })
  return errorText(error)
}
