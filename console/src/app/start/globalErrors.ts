// Handles errors that no caller has handled (spec S1 §8), by the contract's reactions, one dialog at a time.
import type { ApiError } from '@acc/contract/core/client'
import type { ErrorName } from '@acc/contract/core/errors'
import { reactionOf, reportErrorsTo } from '../../kit/api/errors.ts'
import { errorTextWithDetail } from '../../kit/api/errorText.ts'
import { dialogTexts } from '../../kit/dialogs/dialogs.texts.ts'
import { showMessage } from '../../kit/dialogs/dialogs.tsx'
import { fateOfChanges } from '../../kit/form/unsaved.ts'
import { text } from '../../kit/texts/texts.ts'
import { reloadPage } from './reloadPage.ts'

/** The codes whose dialogs are open. */
const shown = new Set<number>()
let isEnding = false

const SESSION_GONE: readonly ErrorName[] = ['NO_SESSION', 'SESSION_EXPIRED', 'SESSION_ENDED']

const titleOf = (error: ApiError): string => {
  if (error.error && SESSION_GONE.includes(error.error)) return text(dialogTexts, 'sessionTitle')
  return text(dialogTexts, error.error || error.type !== 'server' ? 'title' : 'unknownTitle')
}

async function show(error: ApiError, reloadGroups: () => void): Promise<void> {
  const reaction = reactionOf(error)
  const isUnknown = error.type === 'server' && error.error === undefined
  // Once the page is about to reload, further failures are its consequence.
  if (isEnding || shown.has(error.code)) return
  const ends = reaction === 'reload' || isUnknown
  isEnding = ends
  shown.add(error.code)
  if (reaction === 'groups') reloadGroups()
  const fate = ends ? fateOfChanges() : undefined
  const after = fate === undefined ? '' : `\n${text(dialogTexts, fate)}`
  await showMessage({ title: titleOf(error), body: `${errorTextWithDetail(error)}${after}` })
  if (ends) reloadPage()
  shown.delete(error.code)
}

export function handleErrorsGlobally(reloadGroups: () => void): void {
  reportErrorsTo((error) => void show(error, reloadGroups))
}
