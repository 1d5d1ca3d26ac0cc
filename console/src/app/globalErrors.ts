// What happens to errors that no caller has claimed (S1 section 8): by the contract's reactions, one dialog at a time.
import type { ApiError } from '@acc/contract/client'
import { tell } from '../kit/dialogs.tsx'
import { reactionOf, reportErrorsTo } from '../kit/errors.ts'
import { errorText } from '../kit/errorText.ts'
import { kitTexts } from '../kit/kit.texts.ts'
import { text } from '../kit/texts.ts'

const shown = new Set<number>()

/** A defect or a code that nobody knows: the person sees what to pass on. */
const withDetail = (error: ApiError): string =>
  error.error || error.code === 1000
    ? errorText(error)
    : `${errorText(error)}\n${text(kitTexts, 'errors.detail', { type: error.type, code: error.code, message: error.message })}`

const titleOf = (error: ApiError): string => {
  if (reactionOf(error) === 'reload') return text(kitTexts, 'errors.sessionTitle')
  return text(kitTexts, error.error || error.type !== 'server' ? 'errors.title' : 'errors.unknownTitle')
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
  await tell({ title: titleOf(error), body: withDetail(error) })
  if (ends) location.reload()
  else shown.delete(error.code)
}

/** Stands for "the page reloads": no error has this code. */
const ENDING = -1

export function handleErrorsGlobally(reloadGroups: () => void): void {
  reportErrorsTo((error) => void show(error, reloadGroups))
}
