// Password rules as the screen shows and judges them.
import type { PasswordRule } from '@acc/contract/configs'
import type { Language } from '@acc/contract/labels/enumOf'
import { faultOfRule, PASSWORD_PRESETS } from '@acc/contract/labels/passwordRules'

/** Presets are translated, custom names are shown as typed. */
export const ruleName = ({ name, preset }: PasswordRule, language: Language): string =>
  preset === undefined ? name : PASSWORD_PRESETS[preset][language]

/** The rules that share a name or an expression with a rule of the other list. */
export const duplicatesIn = (
  rules: readonly PasswordRule[],
  others: readonly PasswordRule[],
): ReadonlySet<PasswordRule> => new Set(rules.filter((rule) => faultOfRule(rule, [], others) !== undefined))
