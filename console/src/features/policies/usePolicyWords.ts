// The names of a policy's fields and values.
import { useTexts } from '../../kit/texts/texts.ts'
import { policiesTexts } from './policies.texts.ts'
import { AMOUNTS, choicesOf, type PolicyField } from './policyFields.ts'

export function usePolicyWords() {
  const t = useTexts(policiesTexts)
  const valueText = (field: PolicyField, value: number): string => {
    const amount = AMOUNTS[field]
    if (amount) return t(amount.unit, { count: value })
    const word = choicesOf(field)[value]
    return word === undefined ? String(value) : t(`choice.${word}`)
  }
  return { fieldText: (field: PolicyField) => t(`field.${field}`), valueText }
}
