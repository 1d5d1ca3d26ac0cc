// Definition of the login policy screen (spec S2 §2.7).
import { api } from '@acc/contract'
import { IconLockCog } from '@tabler/icons-react'
import { defineScreen, jumpsOf, shownIf } from '../../kit/layout/screen.ts'
import { LOGIN_POLICY_TABS, loginPolicyTexts } from './loginPolicy.ts'

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
