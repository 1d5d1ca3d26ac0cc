// Translated names of a policy's fields and values.
import { POLICY_FIELD_LABELS, policyValueText, UNIT_LABELS } from '@acc/contract/labels/policies'
import { useLanguage } from '../../kit/texts/texts.ts'
import type { PolicyField } from './policyFields.ts'

export function usePolicyWords() {
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
    unitOf,
  }
}
