// Single sign-on: the policy by which identities become users (spec S2 §2.7, §7).
import { z } from 'zod'
import { Empty, idx, idxes, twoFlags } from './core/fields.ts'
import { defineRoutes, get, post, redirect } from './core/route.ts'
import { enumOf, type ValueOf } from './labels/enumOf.ts'

/** What a sign-in does with the accounts that match the identity. */
export const SsoMatch = enumOf({
  REFUSE: { value: 0, ko: '로그인 거부', en: 'Refuse the sign-in' },
  SIGN_IN: { value: 1, ko: '로그인', en: 'Sign in' },
  CREATE: { value: 2, ko: '사용자 생성', en: 'Create a user' },
})
export type SsoMatch = ValueOf<typeof SsoMatch>

/** Properties of a user that an identity carries. */
export const SSO_PROPS = ['key', 'email', 'id', 'name', 'group'] as const

/** The part of the policy that cannot be changed: an identity is matched by its key alone. */
export const SSO_RULES = {
  userMatchProps: ['key'],
  /** One account matches by every property of `userMatchProps`. */
  singleMatchPolicy: SsoMatch.SIGN_IN,
  /** An account matches by some of them, or none does. */
  partialMatchPolicy: SsoMatch.REFUSE,
  noPartialMatchPolicy: SsoMatch.CREATE,
  /** Several accounts match. */
  manyMatchPolicy: SsoMatch.REFUSE,
  /** Refreshed from the identity at each sign-in. */
  ssoUpdateProps: ['key', 'email', 'id', 'name', 'group'],
} as const satisfies Partial<z.input<typeof SsoPolicy>>

const match = z.literal(SsoMatch.values)
const props = z.array(z.enum(SSO_PROPS))

export const SsoPolicy = z.object({
  userMatchProps: props.min(1),
  singleMatchPolicy: match,
  partialMatchPolicy: match,
  noPartialMatchPolicy: match,
  manyMatchPolicy: match,
  ssoUpdateProps: props,
  /** The group of new users whose identity names no known group. */
  userCreateGroupIdx: idx,
  userCreateGroupName: z.string(),
})
export type SsoPolicy = z.output<typeof SsoPolicy>

const isRule = (name: keyof typeof SSO_RULES) => (value: unknown) =>
  JSON.stringify(value) === JSON.stringify(SSO_RULES[name])

/** Bounded before its items are looked at: each wrong one of a long list would be an issue of its own. */
const fewProps = z.array(z.unknown()).max(SSO_PROPS.length, { abort: true }).pipe(props)

/** The policy's fields; of those only the group can be changed, the others may be omitted. */
const SsoPolicyChange = z.object({
  userMatchProps: fewProps.refine(isRule('userMatchProps')).optional(),
  singleMatchPolicy: match.refine(isRule('singleMatchPolicy')).optional(),
  partialMatchPolicy: match.refine(isRule('partialMatchPolicy')).optional(),
  noPartialMatchPolicy: match.refine(isRule('noPartialMatchPolicy')).optional(),
  manyMatchPolicy: match.refine(isRule('manyMatchPolicy')).optional(),
  ssoUpdateProps: fewProps.refine(isRule('ssoUpdateProps')).optional(),
  userCreateGroupIdx: idx,
})

/** The screen that the console opens afterwards, as in links of mails. */
const go = z
  .string()
  .regex(/^[a-zA-Z]{1,30}(?:\/\d{1,15})?$/)
  .optional()

/** What the provider sends back; its other parameters are ignored. */
const AuthorizationResponse = z.object({
  code: z.string().max(8192).optional(),
  state: z.string().max(200).optional(),
  iss: z.string().max(1000).optional(),
  error: z.string().max(200).optional(),
})
export type AuthorizationResponse = z.output<typeof AuthorizationResponse>

export const sso = defineRoutes({
  /** Sends the browser to the provider. */
  login: redirect('/Sso/Login', { input: z.object({ go }), errors: ['SSO_UNAVAILABLE'] }),
  /** Signs in the person that the provider names, then opens the portal; on an error with `?ssoError=` and its code. */
  callback: redirect('/Sso/Callback', {
    input: AuthorizationResponse,
    errors: [
      'PASSWORD_ATTEMPTS_EXCEEDED',
      'OTP_ATTEMPTS_EXCEEDED',
      'ACCOUNT_EXPIRED',
      'DUPLICATE_ID',
      'DUPLICATE_EMAIL',
      'CLIENT_REQUIRED',
      'SSO_REFUSED',
      'SSO_UNAVAILABLE',
      'SSO_INCOMPLETE',
    ],
    audit: 'userManage',
    changes: ['users', 'session', 'mails'],
  }),
  /** Returns how single sign-on finds, creates and updates users. */
  findPolicy: get('/Sso/Policy', {
    input: Empty,
    data: SsoPolicy,
    access: 'admin',
    errors: [],
    shows: ['settings', 'groups'],
  }),
  /** Sets the group of users that single sign-on creates. */
  setPolicy: post('/Sso/Policy', {
    input: SsoPolicyChange,
    data: Empty,
    access: 'admin',
    errors: ['NO_GROUP'],
    changes: ['settings'],
    audit: 'settingManage',
  }),
  /** Sets how users may sign in (bit flags: LoginType). System administrators keep their password. */
  setUserPolicy: post('/Sso/UserPolicy', {
    input: z.object({ userIdxes: idxes, loginType: twoFlags }),
    data: Empty,
    access: 'admin',
    errors: ['ADMIN_SELECTED'],
    changes: ['users', 'session'],
    audit: 'userManage',
  }),
})
