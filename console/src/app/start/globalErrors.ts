// What happens to errors that no caller has claimed (S1 section 8): by the contract's reactions, one dialog at a time.
import type { ApiError } from '@acc/contract/core/client'
import type { ErrorName } from '@acc/contract/core/errors'
import { reactionOf, reportErrorsTo } from '../../kit/api/errors.ts'
import { errorText } from '../../kit/api/errorText.ts'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { text } from '../../kit/texts/texts.ts'

/** Stands for "the page reloads": no error has this code. */
const ENDING = -1
const shown = new Set<number>()

/** A defect or a code that nobody knows: the person sees what to pass on. */
const withDetail = (error: ApiError): string =>
  error.error || error.code === 1000
    ? errorText(error)
    : `${errorText(error)}\n${text(dialogTexts, 'detail', { type: error.type, code: error.code, message: error.message })}`

const SESSION_GONE: readonly ErrorName[] = ['NO_SESSION', 'SESSION_EXPIRED', 'SESSION_ENDED']

const titleOf = (error: ApiError): string => {
  if (error.error && SESSION_GONE.includes(error.error)) return text(dialogTexts, 'sessionTitle')
  return text(dialogTexts, error.error || error.type !== 'server' ? 'title' : 'unknownTitle')
}

async function show(error: ApiError, reloadGroups: () => void): Promise<void> {
  const reaction = reactionOf(error)
  const isUnknown = error.type === 'server' && error.error === undefined
  if (shown.has(error.code)) return
  // Once the page is about to reload, whatever else fails is its consequence.
  if (shown.has(ENDING)) return
  const ends = reaction === 'reload' || isUnknown
  shown.add(ends ? ENDING : error.code)
  if (reaction === 'groups') reloadGroups()
  await showMessage({ title: titleOf(error), body: withDetail(error) })
  if (ends) location.reload()
  else shown.delete(error.code)
}

export function handleErrorsGlobally(reloadGroups: () => void): void {
  reportErrorsTo((error) => void show(error, reloadGroups))
}
