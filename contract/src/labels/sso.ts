// Words of the policy of single sign-on (spec S2 §2.7, §3). Free of zod.
import { enumOf, type ValueOf } from './enumOf.ts'

/** What a sign-in does with the accounts that match the identity. */
export const SsoMatch = enumOf({
  REFUSE: { value: 0, ko: '로그인 거부', en: 'Refuse the sign-in' },
  SIGN_IN: { value: 1, ko: '로그인', en: 'Sign in' },
  CREATE: { value: 2, ko: '사용자 생성', en: 'Create a user' },
})
export type SsoMatch = ValueOf<typeof SsoMatch>

/** Properties of a user that an identity carries. */
export const SSO_PROPS = ['key', 'email', 'id', 'name', 'group'] as const
