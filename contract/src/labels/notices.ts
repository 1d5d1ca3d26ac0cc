// Mails about file requests: how often approvers are notified. Free of zod.
import { enumOf, type ValueOf } from './enumOf.ts'

export const NoticeChoice = enumOf({
  OFF: { value: 0, ko: '받지 않음', en: 'Off' },
  AT_ONCE: { value: 1, ko: '바로', en: 'Immediately' },
  HOURLY: { value: 2, ko: '매시간', en: 'Hourly' },
  DAILY: { value: 3, ko: '매일', en: 'Daily' },
})
export type NoticeChoice = ValueOf<typeof NoticeChoice>
