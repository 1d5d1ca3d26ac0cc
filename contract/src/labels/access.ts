// Roles, pages and levels (spec S1 §6, S2 §4, §6).
import { enumOf, type Label, type ValueOf } from './enumOf.ts'

export const Role = enumOf({
  ADMIN: { value: 0, ko: '시스템 관리자', en: 'System administrator' },
  MANAGER: { value: 1, ko: '그룹 관리자', en: 'Group manager' },
  USER: { value: 2, ko: '일반 사용자', en: 'User' },
})
export type Role = ValueOf<typeof Role>

/** What a person may do on a page. The page `log` has no EDIT. */
export const Level = enumOf({
  NONE: { value: 0, ko: '차단', en: 'Blocked', tone: 'quiet' },
  READ: { value: 1, ko: '읽기', en: 'Read', tone: 'accent' },
  EDIT: { value: 2, ko: '읽기/편집', en: 'Read/edit', tone: 'ok' },
})
export type Level = ValueOf<typeof Level>

/** The pages for which an authority grants levels. */
export const PAGES = ['policy', 'user', 'fileExportApprove', 'fileImportApprove', 'log'] as const
export type Page = (typeof PAGES)[number]

export const PAGE_LABELS: Record<Page, Label> = {
  policy: { ko: '정책', en: 'Policies' },
  user: { ko: '사용자', en: 'Users' },
  fileExportApprove: { ko: '반출 승인', en: 'Export approval' },
  fileImportApprove: { ko: '반입 승인', en: 'Import approval' },
  log: { ko: '이력', en: 'History' },
}
