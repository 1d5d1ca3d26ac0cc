// Access rules: pages and levels. The same `can` opens a route in the server and shows a button in the console
// (spec S1 §6, S2 §6). Free of zod: the portal's first paint loads it.
import { Level, type Page, Role } from '../labels/access.ts'

/** The viewer's highest level on any group, for each page. */
export type PageAuth = { [P in Page]: P extends 'log' ? LogLevel : Level }
export type LogLevel = typeof Level.NONE | typeof Level.READ
/** A level that grants access. */
type OpenLevel = typeof Level.READ | typeof Level.EDIT

/** The levels of a system administrator. */
export const FULL_PAGE_AUTH: PageAuth = {
  policy: Level.EDIT,
  user: Level.EDIT,
  fileExportApprove: Level.EDIT,
  fileImportApprove: Level.EDIT,
  log: Level.READ,
}
/** The levels of a person without an authority. */
export const NO_PAGE_AUTH: PageAuth = {
  policy: Level.NONE,
  user: Level.NONE,
  fileExportApprove: Level.NONE,
  fileImportApprove: Level.NONE,
  log: Level.NONE,
}

/**
 * Who may call a route: `session` any signed-in person, `admin` the system administrator, `agent` a signed-in desktop
 * client, `bimServer` a registered BIM server, the object a person with a level on at least one of the pages.
 */
export type Access =
  | 'public'
  | 'session'
  | 'admin'
  | 'agent'
  | 'bimServer'
  | { pages: readonly Page[]; level: OpenLevel }

/** A level on one page. */
export const page = <P extends Page>(name: P, level: OpenLevel) => ({ pages: [name], level }) as const
/** A level on any of several pages; the service checks the page that the input names. */
export const anyPage = (pages: readonly Page[], level: OpenLevel) => ({ pages, level }) as const

export type Viewer = { role: Role; pageAuth: PageAuth }

/** Returns whether a signed-in person passes a route's access. The scope decides which rows they can access. */
export function can(viewer: Viewer, access: Access): boolean {
  if (access === 'public' || access === 'session') return true
  if (access === 'agent' || access === 'bimServer') return false
  if (access === 'admin') return viewer.role === Role.ADMIN
  return access.pages.some((name) => viewer.pageAuth[name] >= access.level)
}
