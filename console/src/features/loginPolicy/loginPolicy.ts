// Texts and password rules of the login policy.
import { api } from '@acc/contract'
import type { PasswordRule } from '@acc/contract/configs'
import type { Language } from '@acc/contract/labels/enumOf'
import { faultOfRule, PASSWORD_PRESETS } from '@acc/contract/labels/passwordRules'
import { useApiQuery } from '../../kit/api/query.ts'
import type { Parts } from '../../kit/layout/screen.ts'
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

export const LOGIN_POLICY_TABS = {
  sso: {
    title: { ko: 'SSO 기본 정책', en: 'SSO default policy' },
    words: '통합 로그인 단일 로그인 single sign-on oidc saml',
  },
  rules: { title: { ko: '비밀번호 규칙', en: 'Password rules' }, words: '암호 패스워드 복잡도 complexity length' },
  otp: { title: { ko: 'OTP 정책', en: 'OTP policy' }, words: '일회용 2단계 인증 two-factor 2fa mfa authenticator' },
  protection: {
    title: { ko: '계정 보호', en: 'Account protection' },
    words: '잠금 장기 미사용 정지 lock dormant suspension',
  },
} satisfies Parts
