// Mails about file requests: how often an approver is notified, and after how long a waiting request is overdue or
// expires. An addition to the specification (S2 §2.3).
import { z } from 'zod'
import { anyPage } from './core/access.ts'
import { Empty } from './core/fields.ts'
import { defineRoutes, get, post } from './core/route.ts'
import { Level } from './labels/access.ts'
import { enumOf, type ValueOf } from './labels/enumOf.ts'

export const NoticeChoice = enumOf({
  OFF: { value: 0, ko: '받지 않음', en: 'Off' },
  AT_ONCE: { value: 1, ko: '바로', en: 'Immediately' },
  HOURLY: { value: 2, ko: '매시간', en: 'Hourly' },
  DAILY: { value: 3, ko: '매일', en: 'Daily' },
})
export type NoticeChoice = ValueOf<typeof NoticeChoice>

/** Hours after which a request that waits for a decision is overdue, if no one has set them. */
export const DEFAULT_OVERDUE_HOURS = 24
export const MAX_OVERDUE_HOURS = 720
export const MAX_EXPIRY_DAYS = 30

/** The local hour of the daily mail. */
export const DAILY_HOUR = 8

const choice = z.literal(NoticeChoice.values)
const Overdue = z.object({
  /** 0: no request is overdue. */
  overdueHours: z.int().min(0).max(MAX_OVERDUE_HOURS),
  /** Days after which a request that nobody decides is canceled; 0: never. */
  requestExpiryDays: z.int().min(0).max(MAX_EXPIRY_DAYS),
})

const approver = anyPage(['fileExportApprove', 'fileImportApprove'], Level.EDIT)

export const notices = defineRoutes({
  /** Returns the caller's own choice, or the default of their role. */
  findChoice: get('/Account/Notice', {
    input: Empty,
    data: z.object({ choice }),
    access: approver,
    errors: [],
    shows: ['session'],
    assumed: true,
  }),
  /** Sets the caller's own choice. The daily mail follows the time zone of this call. */
  setChoice: post('/Account/Notice', {
    input: z.object({ choice }),
    data: Empty,
    access: approver,
    errors: [],
    changes: ['session'],
    audit: 'account',
    assumed: true,
  }),
  /** Returns after how long a waiting request is overdue, and after how long it expires. */
  findOverdue: get('/RequestNotice', {
    input: Empty,
    data: Overdue,
    access: 'admin',
    errors: [],
    shows: ['settings'],
    assumed: true,
  }),
  /** Sets them. Values that are left out remain. */
  setOverdue: post('/RequestNotice', {
    input: Overdue.partial(),
    data: Empty,
    access: 'admin',
    errors: [],
    changes: ['settings', 'requests'],
    audit: 'settingManage',
    assumed: true,
  }),
})
