// Texts and password rules of the login policy.
import { api } from '@acc/contract'
import type { PasswordRule } from '@acc/contract/configs'
import type { Language } from '@acc/contract/labels/enumOf'
import { faultOfRule, PASSWORD_PRESETS } from '@acc/contract/labels/passwordRules'
import { useApiQuery } from '../../kit/api/query.ts'
import { defineTexts } from '../../kit/texts/texts.ts'

export const loginPolicyTexts = defineTexts(
  () => import('./loginPolicy.ko.json'),
  () => import('./loginPolicy.en.json'),
)

/** Whether a list of OTP exceptions has no user. */
export const useHasNoExceptions = (useOtp: 0 | 1) =>
  useApiQuery(api.loginPolicy.searchOtpExceptions, { useOtp, rowsCount: 1, maxCount: 1 }).data?.totalCount === 0

/** Presets are translated, custom names are shown as typed. */
export const ruleName = ({ name, preset }: PasswordRule, language: Language): string =>
  preset === undefined ? name : PASSWORD_PRESETS[preset][language]

/** The rules that share a name or an expression with a rule of the other list. */
export const duplicatesIn = (
  rules: readonly PasswordRule[],
  others: readonly PasswordRule[],
): ReadonlySet<PasswordRule> => new Set(rules.filter((rule) => faultOfRule(rule, [], others) !== undefined))
