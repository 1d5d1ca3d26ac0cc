// What differs between two policies, or two versions of one, in words.
import { POLICY_LIST_LABELS } from '@acc/contract/labels/policies'
import type { PolicyContents } from '@acc/contract/policies'
import type { Change } from '../../kit/layout/BeforeAfter.tsx'
import { useLabel } from '../../kit/texts/labels.ts'
import { useTexts } from '../../kit/texts/texts.ts'
import { policiesTexts } from './policies.ts'
import { differences } from './policyFields.ts'
import { listChanges } from './policyLists.ts'
import { usePolicyWords } from './usePolicyWords.ts'

export function usePolicyChanges(): (one: PolicyContents, other: PolicyContents) => Change[] {
  const t = useTexts(policiesTexts)
  const { fieldText, valueText, entriesText } = usePolicyWords()
  const label = useLabel()
  const sideText = (entries: readonly string[], kept: number) =>
    [entriesText(entries), kept > 0 ? t('listKept', { count: kept }) : null].filter((text) => text !== null).join(', ')
  return (one, other) => [
    ...differences(one, other).map((field) => ({
      label: fieldText(field),
      before: valueText(field, one[field]),
      after: valueText(field, other[field]),
    })),
    ...listChanges(one, other).map(({ list, lost, gained, kept }) => ({
      label: label(POLICY_LIST_LABELS[list]),
      before: sideText(lost, kept),
      after: sideText(gained, kept),
    })),
  ]
}
