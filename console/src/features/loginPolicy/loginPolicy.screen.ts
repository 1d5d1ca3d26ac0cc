// Definition of the login policy screen (spec S2 §2.7).
import { api } from '@acc/contract'
import { IconLockCog } from '@tabler/icons-react'
import { defineScreen, jumpsOf, type Parts, shownIf } from '../../kit/layout/screen.ts'
import { loginPolicyTexts } from './loginPolicy.ts'

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

export const loginPolicyScreen = defineScreen({
  name: 'loginPolicy',
  title: { ko: '로그인 정책', en: 'Login policy' },
  purpose: {
    ko: 'SSO, 비밀번호 규칙, OTP 사용과 계정 보호를 설정합니다',
    en: 'Set single sign-on, password rules, OTP, and account protection',
  },
  words: '인증 보안 authentication security',
  icon: IconLockCog,
  section: 'system',
  access: api.loginPolicy.findPasswordRules.access,
  availability: (runtime) => shownIf(runtime.show.loginPolicy),
  texts: loginPolicyTexts,
  jumps: jumpsOf(LOGIN_POLICY_TABS, (tab) => ({ tab })),
  load: () => import('./LoginPolicyScreen.tsx').then((module) => module.LoginPolicyScreen),
})
