// Checks a new password while it is typed (spec S1 §5). The server's check decides.
import type { PasswordRule } from '@acc/contract/configs'

type Rules = { positiveRules: readonly PasswordRule[]; negativeRules: readonly PasswordRule[] }
export type Verdict = { name: string; isNegative: boolean; isMet: boolean }

/** Returns undefined for an expression that the browser cannot parse; the server still applies the rule. */
function matches(rule: PasswordRule, password: string): boolean | undefined {
  try {
    return new RegExp(rule.reg).test(password)
  } catch {
    return undefined
  }
}

/** Returns whether the password meets each rule: positive rules must match, negative ones must not. */
export function judgePassword({ positiveRules, negativeRules }: Rules, password: string): Verdict[] {
  const positive = positiveRules.map((rule) => ({
    name: rule.name,
    isNegative: false,
    isMet: matches(rule, password) ?? true,
  }))
  const negative = negativeRules.map((rule) => ({
    name: rule.name,
    isNegative: true,
    isMet: !(matches(rule, password) ?? false),
  }))
  return [...positive, ...negative]
}
