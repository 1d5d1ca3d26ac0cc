// What can end, and what the list of exceptions reports.
import { enumOf, type ValueOf } from './enumOf.ts'

/** Something that a person or a group has until an end. */
export const EndingKind = enumOf({
  POLICY: { value: 0, ko: '개별 정책', en: 'Own policy' },
  NETWORK: { value: 1, ko: '가상 네트워크 예외', en: 'Virtual network exception' },
  LOCAL_NETWORK: { value: 2, ko: '로컬 네트워크 예외', en: 'Local network exception' },
  MEMBERSHIP: { value: 3, ko: '관리 권한', en: 'Authority' },
})
export type EndingKind = ValueOf<typeof EndingKind>

/** Days without a sign-in after which an exception is unused. */
export const UNUSED_DAYS = 90

/** Why an exception is on the list. */
export const Finding = enumOf({
  ENDLESS: { value: 0, ko: '종료일 없음', en: 'No end' },
  UNUSED: { value: 1, ko: `${UNUSED_DAYS}일 이상 미사용`, en: `Unused for ${UNUSED_DAYS} days` },
  LEFT: { value: 2, ko: '정지·만료된 계정', en: 'Suspended or expired account' },
})
export type Finding = ValueOf<typeof Finding>

/** How a form sets an end. A day ends with it, in the time zone of the person who sets it. */
export const EndChoice = enumOf({
  DAY: { value: 0, ko: '1일', en: '1 day' },
  WEEK: { value: 1, ko: '1주', en: '1 week' },
  MONTH: { value: 2, ko: '1개월', en: '1 month' },
  DATE: { value: 3, ko: '날짜', en: 'Date' },
  NONE: { value: 4, ko: '종료일 없음', en: 'No end' },
})
export type EndChoice = ValueOf<typeof EndChoice>
