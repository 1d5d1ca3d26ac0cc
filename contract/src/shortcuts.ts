// Shortcuts on the virtual desktop, which policies choose (spec S1 §2, §3, §5, §7): web pages and programs.
import { z } from 'zod'
import { page } from './core/access.ts'
import { type Columns, queryOf, shapeOf } from './core/columns.ts'
import { ByIdx, Empty, fileName, idx, idxes, line, nameText, searchText } from './core/fields.ts'
import { defineRoutes, del, list, post, put } from './core/route.ts'
import { Level } from './labels/access.ts'

/** Maximum length of a URL or path, in characters. */
export const MAX_TARGET = 200
/** Maximum size of an icon, in bytes. */
export const MAX_ICON = 64 * 1024
/** Rows of one response: all of them (spec S1 §7). */
const MAX_SHORTCUTS = 99_999

export const shortcutName = nameText(1, 30)

const WEB = /^https?:\/\/[^\s"'<>\\^`{|}]+$/i
/** Whether a URL is of a web page: http or https, no user name or password, no quotes. */
function isWebUrl(text: string): boolean {
  const url = WEB.test(text) ? URL.parse(text) : null
  return url !== null && url.hostname !== '' && url.username === '' && url.password === ''
}
/** The URL of a web page: http or https. */
export const shortcutUrl = line(MAX_TARGET).min(1, { abort: true }).refine(isWebUrl, 'url')

// `C:\folder\program.exe` or `%ProgramFiles%\program.exe`: no share of another computer (`\\host`), no way up (`..`),
// no quotes, nothing that Windows does not allow in names.
const PATH = /^(?:[A-Za-z]:|%[A-Za-z][A-Za-z0-9_()]*%)(?:\\(?!\.{1,2}(?:\\|$))[^\\/:*?"'<>|%]+)+$/
/** The path of a program on the virtual desktop: absolute, or below a folder named by an environment variable. */
export const shortcutPath = line(MAX_TARGET).min(1, { abort: true }).regex(PATH)

/** The name of a PNG or ICO file. */
const iconName = fileName.max(100).regex(/\.(?:png|ico)$/i)
/** The bytes of a PNG or ICO file in base64; the server examines them. */
const iconData = z
  .string()
  .max(Math.ceil(MAX_ICON / 3) * 4, { abort: true })
  .regex(/^[A-Za-z0-9+/]{4,}={0,2}$/)

const Icon = { iconName: iconName.nullable().optional(), iconData: iconData.nullable().optional() }
/** An icon has a name and data, or neither. `null` removes it; an update without both keeps it. */
const isCompleteIcon = (shortcut: { iconName?: string | null | undefined; iconData?: string | null | undefined }) =>
  typeof shortcut.iconName === typeof shortcut.iconData && (shortcut.iconName === null) === (shortcut.iconData === null)
const completeIcon = { path: ['iconData'], error: 'icon' }

export const NewShortcutWeb = z
  .object({ name: shortcutName, url: shortcutUrl, ...Icon })
  .refine(isCompleteIcon, completeIcon)
export const NewShortcutProgram = z
  .object({ name: shortcutName, path: shortcutPath, ...Icon })
  .refine(isCompleteIcon, completeIcon)
/** Follows from what a shortcut holds, its icon included. A change that names another one is refused. */
const revision = z.string().max(32)
const WebChange = NewShortcutWeb.safeExtend({ idx, revision: revision.optional() })
const ProgramChange = NewShortcutProgram.safeExtend({ idx, revision: revision.optional() })

const Common = {
  idx,
  iconName: z.string().nullable(),
  /** Base64; null also where the icons of a long list would exceed what one response may hold. */
  iconData: z.string().nullable(),
  /** Policies that use it; null for managers, who see only some of them. */
  policyCount: z.int().nullable(),
  revision,
}

const name = { ko: '이름', en: 'Name', schema: z.string(), isSortable: true } as const
const WEB_COLUMNS = { name, url: { ko: 'URL', en: 'URL', schema: z.string(), isSortable: true } } satisfies Columns
const PROGRAM_COLUMNS = {
  name,
  path: { ko: '경로', en: 'Path', schema: z.string(), isSortable: true },
} satisfies Columns

export const ShortcutWeb = z.object({ ...Common, ...shapeOf(WEB_COLUMNS) })
export type ShortcutWeb = z.output<typeof ShortcutWeb>
export const ShortcutProgram = z.object({ ...Common, ...shapeOf(PROGRAM_COLUMNS) })
export type ShortcutProgram = z.output<typeof ShortcutProgram>

const keyword = searchText.optional()

/** Read by administrators and by managers of policies, who choose from them. */
const read = {
  access: page('policy', Level.READ),
  errors: [],
  shows: ['shortcuts', 'policies'],
  maxRows: MAX_SHORTCUTS,
} as const
const write = { access: 'admin', changes: ['shortcuts'], audit: 'shortcutManage' } as const
/** 140: the URL or path is that of another shortcut. 988: the icon is no PNG or ICO file. */
const create = { ...write, errors: ['DUPLICATE_NAME', 'INVALID_IMAGE'] } as const
const update = { ...write, errors: [...create.errors, 'CHANGED_MEANWHILE'] } as const
const remove = { ...write, input: z.object({ idxes }), data: Empty, errors: [] } as const

export const shortcuts = defineRoutes({
  /** Searches web shortcuts. */
  searchWebs: list('/ShortcutWebs/Search', {
    ...read,
    input: queryOf(WEB_COLUMNS).extend({ keyword }),
    item: ShortcutWeb,
    columns: WEB_COLUMNS,
  }),
  /** Searches program shortcuts. */
  searchPrograms: list('/ShortcutPrograms/Search', {
    ...read,
    input: queryOf(PROGRAM_COLUMNS).extend({ keyword }),
    item: ShortcutProgram,
    columns: PROGRAM_COLUMNS,
  }),
  /** Creates a web shortcut. */
  createWeb: post('/ShortcutWeb', { ...create, input: NewShortcutWeb, data: ByIdx }),
  /** Creates a program shortcut. */
  createProgram: post('/ShortcutProgram', { ...create, input: NewShortcutProgram, data: ByIdx }),
  /** Changes a web shortcut. */
  updateWeb: put('/ShortcutWeb', { ...update, input: WebChange, data: Empty }),
  /** Changes a program shortcut. */
  updateProgram: put('/ShortcutProgram', { ...update, input: ProgramChange, data: Empty }),
  /** Deletes web shortcuts, all or none. */
  removeWebs: del('/ShortcutWebs', remove),
  /** Deletes program shortcuts, all or none. */
  removePrograms: del('/ShortcutPrograms', remove),
})
