// The sentence that an error is shown as.
import { ApiError } from '@acc/contract/core/client'
import type { ErrorTexts } from '@acc/contract/core/errors'
import { dialogTexts } from '../dialogs/dialogs.texts.ts'
import { defineTexts, text } from '../texts/texts.ts'
import { isAnnounced, reactionOf } from './errors.ts'

/** The error sentences of the contract, loaded in the person's language. */
export const errorTexts = defineTexts(
  () => import('@acc/contract/core/errors.ko'),
  () => import('@acc/contract/core/errors.en'),
)

let isAdministrator = false
/** Stores whether the reader of the texts is a system administrator, who lacks no permission. */
export const setAdministrator = (is: boolean): void => {
  isAdministrator = is
}

function keyOf(error: unknown): keyof ErrorTexts {
  if (!(error instanceof ApiError)) return 'server'
  // A system administrator reaches everything, so the named record does not exist.
  if (error.error === 'NOT_ALLOWED' && isAdministrator) return 'removed'
  if (error.error) return error.error
  if (error.code === 429) return 'TOO_MANY_REQUESTS'
  if (error.code === 503) return 'unavailable'
  return error.type === 'network' && error.code === 1000 ? 'network' : 'server'
}

export const errorText = (error: unknown): string => text(errorTexts, keyOf(error))

/** Whether the sentence says all: errors of any call, errors that the contract lists for this call, no connection. */
const isExpected = (error: ApiError): boolean =>
  error.code === 1000 || isAnnounced(error) || (error.error !== undefined && reactionOf(error) !== 'caller')

/** Adds type, code and message to all others, so that users can report them (spec S1 §8, S2 §8). */
export function errorTextWithDetail(error: unknown): string {
  if (!(error instanceof ApiError) || isExpected(error)) return errorText(error)
  const { type, code, message } = error
  const detail = [text(dialogTexts, 'detail', { type, code }), ...(message === '' ? [] : [message])]
  return `${errorText(error)}\n${detail.join(' · ')}`
}
