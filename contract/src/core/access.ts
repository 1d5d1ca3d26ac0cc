// Who may do what: roles, pages and levels. The same `can` opens a route in the server and shows a button in the console.
// S1 section 6, S2 section 6.
import { z } from 'zod'

export const Role = { ADMIN: 0, MANAGER: 1, USER: 2 } as const
export type Role = (typeof Role)[keyof typeof Role]

/** The pages over which an authority gives levels. */
export const PAGES = ['policy', 'user', 'fileExportApprove', 'fileImportApprove', 'log'] as const
export type Page = (typeof PAGES)[number]

/** 0 blocked, 1 view, 2 view and edit. `log` knows 0 and 1 only. */
export const Level = { NONE: 0, VIEW: 1, EDIT: 2 } as const
export type Level = (typeof Level)[keyof typeof Level]

const level = z.literal([0, 1, 2])
const logLevel = z.literal([0, 1])

/** The highest level that the viewer holds anywhere, a page at a time. */
export const PageAuth = z.object({
  policy: level,
  user: level,
  fileExportApprove: level,
  fileImportApprove: level,
  log: logLevel,
})
export type PageAuth = z.output<typeof PageAuth>

/** What a system administrator holds. */
export const FULL_PAGE_AUTH: PageAuth = { policy: 2, user: 2, fileExportApprove: 2, fileImportApprove: 2, log: 1 }
/** What somebody without an authority holds. */
export const NO_PAGE_AUTH: PageAuth = { policy: 0, user: 0, fileExportApprove: 0, fileImportApprove: 0, log: 0 }

/**
 * Who may call a route. `session` is any signed-in person; `admin` the system administrator; `agent` a signed-in desktop
 * client; `bimServer` a registered BIM server; the object asks for a level on at least one of the pages.
 */
export type Access = 'public' | 'session' | 'admin' | 'agent' | 'bimServer' | { pages: readonly Page[]; level: 1 | 2 }

/** A level on one page. */
export const page = <P extends Page>(name: P, level: 1 | 2) => ({ pages: [name], level }) as const
/** A level on any of several pages; the service then asks for the page that the input names. */
export const anyPage = (pages: readonly Page[], level: 1 | 2) => ({ pages, level }) as const

export type Viewer = { role: Role; pageAuth: PageAuth }

/** Whether a signed-in person passes a route's access. Rows are the scope's business, not this function's. */
export function can(viewer: Viewer, access: Access): boolean {
  if (access === 'public' || access === 'session') return true
  if (access === 'agent' || access === 'bimServer') return false
  if (access === 'admin') return viewer.role === Role.ADMIN
  return access.pages.some((name) => viewer.pageAuth[name] >= access.level)
}
