// What accounts do for their own protection, and the names of its settings; an addition to the specification.
import { z } from 'zod'
import { flag } from './core/fields.ts'
import { enumOf } from './labels/enumOf.ts'

export const ProtectionSetting = enumOf({
  PASSWORD_HISTORY: {
    value: 0,
    ko: '이전 비밀번호 재사용 제한(개)',
    en: 'Password history (passwords)',
  },
  MIN_PASSWORD_DAYS: { value: 1, ko: '비밀번호 최소 사용 기간(일)', en: 'Minimum password age (days)' },
  COMMON_PASSWORDS: { value: 2, ko: '흔한 비밀번호 금지', en: 'Block common passwords' },
  EXPIRY_REMINDERS: { value: 3, ko: '계정 만료 알림 메일', en: 'Account expiration emails' },
  DORMANT_DAYS: { value: 4, ko: '장기 미사용 계정 정지(일)', en: 'Suspend unused accounts (days)' },
  CONTEXT_WORDS: {
    value: 5,
    ko: '제품·조직·본인 이름이 들어간 비밀번호 금지',
    en: 'Block passwords with names of the product, organization, or person',
  },
  CHANGE_MAILS: { value: 6, ko: '계정 변경 알림 메일', en: 'Account change emails' },
  MAX_PASSWORD_DAYS: { value: 7, ko: '비밀번호 최대 사용 기간(일)', en: 'Maximum password age (days)' },
})

/** The settings that are switches: their 0 and 1 are shown in words. */
export const PROTECTION_SWITCHES = [
  ProtectionSetting.COMMON_PASSWORDS,
  ProtectionSetting.CONTEXT_WORDS,
  ProtectionSetting.EXPIRY_REMINDERS,
  ProtectionSetting.CHANGE_MAILS,
] as const

/** Former passwords that are kept of an account, and compared at most. */
export const MAX_PASSWORD_HISTORY = 10

/** The least days after which a password must be changed: the most that a change may be refused as too soon. */
export const MIN_MAX_PASSWORD_DAYS = 30

export const AccountProtection = z.object({
  /** A new password differs from this many last ones, the current one included; 0 allows all. */
  passwordHistory: z.int().min(0).max(MAX_PASSWORD_HISTORY),
  /** Days before a person may change an own password again; temporary ones are changed at any time. 0 is no limit. */
  minPasswordDays: z.int().min(0).max(MIN_MAX_PASSWORD_DAYS),
  /** Days after which a password must be changed to open a session; 0 never. Never shorter than minPasswordDays. */
  maxPasswordDays: z
    .int()
    .min(0)
    .max(3650)
    .refine((days) => days === 0 || days >= MIN_MAX_PASSWORD_DAYS, 'tooSmall'),
  /** 1: common passwords are refused. */
  commonPasswords: flag,
  /** 1: passwords with words of the product, the organization or the person are refused. */
  contextWords: flag,
  /** 1: people get a mail 7 days and 1 day before their account expires. */
  expiryReminders: flag,
  /** 1: people get a mail when their password, authenticator or email address was changed. */
  changeMails: flag,
  /** Accounts unused for so many days are suspended, 7 days after a mail; 0 suspends none. */
  dormantDays: z
    .int()
    .min(0)
    .max(3650)
    .refine((days) => days === 0 || days >= 30, 'tooSmall'),
})
export type AccountProtection = z.output<typeof AccountProtection>

export const DEFAULT_PROTECTION: AccountProtection = {
  passwordHistory: 3,
  minPasswordDays: 0,
  maxPasswordDays: 0,
  commonPasswords: 1,
  contextWords: 1,
  expiryReminders: 1,
  changeMails: 1,
  dormantDays: 0,
}
