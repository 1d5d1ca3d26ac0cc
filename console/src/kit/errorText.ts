// An error in the person's words.
import { ApiError } from '@acc/contract/client'
import { ERROR_TEXTS, FAILURE_TEXTS } from './errors.texts.ts'
import { type Bilingual, language } from './texts.ts'

function textsOf(error: unknown): Bilingual {
  if (!(error instanceof ApiError)) return FAILURE_TEXTS.server
  if (error.error) return ERROR_TEXTS[error.error]
  if (error.code === 429) return ERROR_TEXTS.TOO_MANY_REQUESTS
  if (error.code === 503) return FAILURE_TEXTS.unavailable
  return error.type === 'network' && error.code === 1000 ? FAILURE_TEXTS.network : FAILURE_TEXTS.server
}

export const errorText = (error: unknown): string => textsOf(error)[language()]
