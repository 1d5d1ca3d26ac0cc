// How a new password is judged while it is typed (spec S1 §5). The server decides.
import type { PasswordRule } from '@acc/contract/configs'

type Rules = { positiveRules: readonly PasswordRule[]; negativeRules: readonly PasswordRule[] }
export type Verdict = { name: string; isNegative: boolean; isMet: boolean }

/** A rule whose expression the browser cannot read is left to the server. */
function matches(rule: PasswordRule, password: string): boolean | undefined {
  try {
    return new RegExp(rule.reg).test(password)
  } catch {
    return undefined
  }
}

/** Every rule with whether the password meets it: positive ones match, negative ones must not. */
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
