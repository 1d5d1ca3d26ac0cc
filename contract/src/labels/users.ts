// States of an account and its sign-in methods (spec S1 §3, §4, S2 §4). Both are bit flags.
import { enumOf, type Label, type ToneLabel, type ValueOf } from './enumOf.ts'
import { hasFlag } from './flags.ts'

const STATES = {
  NORMAL: { value: 0, ko: '정상', en: 'Active', tone: 'ok' },
  NEW: { value: 1, ko: '임시 비밀번호', en: 'Temporary password', tone: 'warn' },
  DISABLED: { value: 2, ko: '정지', en: 'Suspended', tone: 'bad' },
} as const

export const UserState = enumOf(STATES)

const SHOWN = { ...STATES, EXPIRED: { value: 3, ko: '만료', en: 'Expired', tone: 'bad' } } as const

/** What an account is shown as, one of these: suspended before expired before a temporary password. */
export const ShownState = enumOf(SHOWN)
export type ShownState = ValueOf<typeof ShownState>

const SUSPENSIONS = {
  BY_PASSWORDS: { value: 4, ko: '정지 (비밀번호)', en: 'Suspended (password)', tone: 'bad' },
  BY_OTPS: { value: 5, ko: '정지 (OTP)', en: 'Suspended (OTP)', tone: 'bad' },
  BY_ADMIN: { value: 6, ko: '정지 (관리자)', en: 'Suspended (admin)', tone: 'bad' },
} as const
/** Why an account is suspended: too many wrong passwords or codes, else by an administrator. */
export const Suspension = enumOf(SUSPENSIONS)
export type Suspension = ValueOf<typeof Suspension>

/** What lists of users are filtered by. */
export const StateFilter = enumOf({ ...SHOWN, ...SUSPENSIONS })
export type StateFilter = ValueOf<typeof StateFilter>

/** Returns the label of the reason of a suspension; undefined if the account is not suspended. */
export function suspensionLabel(
  reasons: Readonly<Record<'loginFailsExceeded' | 'otpFailsExceeded' | 'managed', 0 | 1>> | undefined,
): ToneLabel | undefined {
  if (reasons?.loginFailsExceeded === 1) return Suspension.labels[Suspension.BY_PASSWORDS]
  if (reasons?.otpFailsExceeded === 1) return Suspension.labels[Suspension.BY_OTPS]
  return reasons?.managed === 1 ? Suspension.labels[Suspension.BY_ADMIN] : undefined
}

/** Every combination of the flags; suspension comes first. */
export const USER_STATE_LABELS: Readonly<Record<0 | 1 | 2 | 3, ToneLabel>> = {
  ...UserState.labels,
  3: UserState.labels[UserState.DISABLED],
}

/** The label of a combination of flags: suspension before expiry before a temporary password. */
export function userStateLabel(state: number, isExpired = false): ToneLabel {
  if (hasFlag(state, UserState.DISABLED)) return ShownState.labels[ShownState.DISABLED]
  if (isExpired) return ShownState.labels[ShownState.EXPIRED]
  return ShownState.labels[hasFlag(state, UserState.NEW) ? ShownState.NEW : ShownState.NORMAL]
}

export const LoginType = enumOf({
  NONE: { value: 0, ko: '로그인 불가', en: 'None' },
  DEFAULT: { value: 1, ko: '비밀번호', en: 'Password' },
  SSO: { value: 2, ko: 'SSO', en: 'Single sign-on' },
})
const PASSWORD_AND_SSO: Label = { ko: '비밀번호와 SSO', en: 'Password and single sign-on' }

/** Every combination of the flags of LoginType. */
export const LOGIN_TYPE_LABELS: Readonly<Record<0 | 1 | 2 | 3, Label>> = { ...LoginType.labels, 3: PASSWORD_AND_SSO }

/** The label of a combination of flags. */
export const loginTypeLabel = (loginType: number): Label => LOGIN_TYPE_LABELS[(loginType & 3) as 0 | 1 | 2 | 3]

/** An exception of one user from the default OTP setting; without one the login policy applies. */
export const OtpUse = enumOf({
  NEVER: { value: 0, ko: '사용 안 함', en: 'Never' },
  ALWAYS: { value: 1, ko: '항상 사용', en: 'Always' },
})
