// The policy as text, one line for each field.
import type { Language } from '@acc/contract/labels/enumOf'
import { POLICY_FIELD_LABELS, policyValueText } from '@acc/contract/labels/policies'
import { POLICY_FIELDS, type PolicyValues } from '@acc/contract/policies'

export type PolicyLine = { name: string; value: string }

/** Returns the fields in the policy's order, each with its value. */
export const policyLines = (policy: PolicyValues, language: Language): PolicyLine[] =>
  POLICY_FIELDS.map((field) => ({
    name: POLICY_FIELD_LABELS[field][language],
    value: policyValueText(field, policy[field], language),
  }))

/** Returns a line for each field that differs, with the value before and after. */
export function policyChanges(before: PolicyValues, after: PolicyValues, language: Language): string[] {
  const earlier = policyLines(before, language)
  return policyLines(after, language).flatMap(({ name, value }, at) => {
    const old = earlier[at]?.value
    return old === value ? [] : [`${name}: ${old} → ${value}`]
  })
}
