// The numbers of a run in words.
import type { ImportCounts } from '@acc/contract/userImports'
import { useTexts } from '../../kit/texts/texts.ts'
import { userImportsTexts } from './userImports.ts'

export const CHANGES = ['create', 'update', 'move', 'enable', 'disable'] as const

/** Returns the number of people that the plan changes. */
export const changesOf = (counts: ImportCounts): number => CHANGES.reduce((sum, name) => sum + counts[name], 0)

/** Returns the numbers of changes in words, without those that are zero. */
export function useNumbersText() {
  const t = useTexts(userImportsTexts)
  return (counts: ImportCounts): string => {
    const shown = CHANGES.filter((name) => counts[name] > 0)
    return shown.map((name) => t(`number.${name}`, { count: counts[name] })).join(' · ') || t('number.none')
  }
}
