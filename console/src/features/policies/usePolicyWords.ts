// Translated names of a policy's fields and values.
import { POLICY_FIELD_LABELS, policyValueText, UNIT_LABELS } from '@acc/contract/labels/policies'
import { useLanguage, useTexts } from '../../kit/texts/texts.ts'
import { policiesTexts } from './policies.ts'
import type { PolicyField } from './policyFields.ts'

/** Entries of a list that are named one by one. */
const NAMED = 5

export function usePolicyWords() {
  const t = useTexts(policiesTexts)
  const language = useLanguage()
  const optionsOf = (field: PolicyField) =>
    Object.entries(POLICY_FIELD_LABELS[field].values ?? {}).map(([value, label]) => ({ value, label: label[language] }))
  const unitOf = (field: PolicyField) => {
    const { unit } = POLICY_FIELD_LABELS[field]
    return unit === undefined ? '' : UNIT_LABELS[unit][language]
  }
  return {
    fieldText: (field: PolicyField) => POLICY_FIELD_LABELS[field][language],
    valueText: (field: PolicyField, value: number) => policyValueText(field, value, language),
    optionsOf,
    /** The first entries of a list; null if there are none. */
    entriesText: (entries: readonly string[]) => {
      if (entries.length === 0) return null
      const more = entries.length - NAMED
      return [...entries.slice(0, NAMED), ...(more > 0 ? [t('more', { count: more })] : [])].join(', ')
    },
    unitOf,
  }
}
