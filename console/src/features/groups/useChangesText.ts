// What a deletion changes elsewhere, in words for the question before it.
import type { Removal } from '@acc/contract/groups'
import type { z } from 'zod'
import { useTexts } from '../../kit/texts/texts.ts'
import { groupsTexts } from './groups.texts.ts'

/** Returns the sentence; undefined if nothing changes, or if the numbers could not be read. */
export function useChangesText(): (changes: z.output<typeof Removal> | undefined) => string | undefined {
  const t = useTexts(groupsTexts)
  return (changes) => {
    if (changes === undefined) return undefined
    const { authorities, bimTargets, waitingRequests } = changes
    const parts = [
      ...(authorities > 0 ? [t('changesAuthorities', { count: authorities })] : []),
      ...(bimTargets > 0 ? [t('changesBimTargets', { count: bimTargets })] : []),
      ...(waitingRequests > 0 ? [t('changesRequests', { count: waitingRequests })] : []),
    ]
    return parts.length === 0 ? undefined : t('changes', { parts: parts.join(', ') })
  }
}
