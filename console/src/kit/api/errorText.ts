// The sentence that an error is shown as.
import { ApiError } from '@acc/contract/core/client'
import type { ErrorTexts } from '@acc/contract/labels/errors'
import { text } from '../texts/texts.ts'
import { errorTexts } from './errors.texts.ts'

function keyOf(error: unknown): keyof ErrorTexts {
  if (!(error instanceof ApiError)) return 'server'
  if (error.error) return error.error
  if (error.code === 429) return 'TOO_MANY_REQUESTS'
  if (error.code === 503) return 'unavailable'
  return error.type === 'network' && error.code === 1000 ? 'network' : 'server'
}

export const errorText = (error: unknown): string => text(errorTexts, keyOf(error))
