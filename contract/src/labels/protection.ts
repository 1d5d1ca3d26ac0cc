// Names of the settings of account protection. Free of zod.
import { enumOf } from './enumOf.ts'

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
