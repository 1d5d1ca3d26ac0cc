// Checks a new password while it is typed (spec S1 §5). The server's check decides.
import type { PasswordRule } from '@acc/contract/configs'

export type Rules = { positiveRules: readonly PasswordRule[]; negativeRules: readonly PasswordRule[] }
export type Verdict = { rule: PasswordRule; isNegative: boolean; isMet: boolean }

/** Returns undefined for an expression that the browser cannot parse; the server still applies the rule. */
export function matches(reg: string, password: string): boolean | undefined {
  try {
    return new RegExp(reg).test(password)
  } catch {
    return undefined
  }
}

/** Expressions that administrators wrote: they may run long, so that only a worker evaluates them. */
export const customExpressions = ({ positiveRules, negativeRules }: Rules): string[] =>
  [...positiveRules, ...negativeRules].filter(({ preset }) => preset === undefined).map(({ reg }) => reg)

/** What the hint of the form says: letters, digits, special characters, no spaces, at least 8 (spec S1 §5). */
const HINT = { positiveRules: ['digit', 'special', 'length8'], negativeRules: ['whitespace'] } as const

/** Whether the rules ask for what the hint says; administrators may have chosen others. */
export const isHintTrue = (rules: Rules): boolean =>
  HINT.positiveRules.every((name) => rules.positiveRules.some(({ preset }) => preset === name)) &&
  HINT.negativeRules.every((name) => rules.negativeRules.some(({ preset }) => preset === name))

/**
 * Returns whether the password meets each rule: positive rules must match, negative ones must not. `custom` has the
 * custom expressions with whether they match. Unknown ones are left to the server.
 */
export function judgePassword(
  { positiveRules, negativeRules }: Rules,
  password: string,
  custom: ReadonlyMap<string, boolean>,
): Verdict[] {
  const isMatch = ({ preset, reg }: PasswordRule) => (preset === undefined ? custom.get(reg) : matches(reg, password))
  return [
    ...positiveRules.map((rule) => ({ rule, isNegative: false, isMet: isMatch(rule) ?? true })),
    ...negativeRules.map((rule) => ({ rule, isNegative: true, isMet: !(isMatch(rule) ?? false) })),
  ]
}
