// The contract's logs as this screen uses them: menus of a viewer, texts of values, links of rows.
import { api } from '@acc/contract'
import type { DataOf } from '@acc/contract/core/route'
import type { Field, Fields, Lists, Values } from '@acc/contract/history/fields'
import { type TargetKind, withNested } from '@acc/contract/history/kind'
import { HISTORY_MENUS, type HistoryMenu, LOGS, type LogName } from '@acc/contract/history/kinds'
import type { Label } from '@acc/contract/labels/enumOf'
import { formatBytes, formatDay, formatMoment } from '@acc/contract/labels/formats'
import { BimManage, SettingManage, SUCCESSFUL_SIGN_INS } from '@acc/contract/labels/history'
import { amountText, OwnerType, UNIT_LABELS, type Unit } from '@acc/contract/labels/policies'
import { Transfer } from '@acc/contract/labels/requests'
import { z } from 'zod'
import type { Viewer } from '../../kit/api/viewer.ts'
import type { Language } from '../../kit/texts/translate.ts'

export type LogRoute = (typeof api.history)[LogName]
export type CountsRoute = (typeof api.history)[`${LogName}Counts`]
export type LogRow = DataOf<LogRoute>['items'][number]

const GROUPS = ['client', 'web', 'system'] as const
export type MenuGroup = { group: (typeof GROUPS)[number]; menus: HistoryMenu[] }

/** Returns the viewer's menus under their headings. */
export function menusOf({ can }: Pick<Viewer, 'can'>): MenuGroup[] {
  const names = Object.keys(HISTORY_MENUS) as HistoryMenu[]
  const open = names.filter((menu) => can(LOGS[HISTORY_MENUS[menu].log].access))
  return GROUPS.map((group) => ({
    group,
    menus: open.filter((menu) => LOGS[HISTORY_MENUS[menu].log].group === group),
  })).filter(({ menus }) => menus.length > 0)
}

/** Returns the fields and lists of a log whose changes can be asked for, with their words. */
function changesOf(log: LogName): { value: string; label: Label }[] {
  const { fields, lists, filter }: { fields: Fields; lists: Lists; filter: z.ZodObject } = { lists: {}, ...LOGS[log] }
  const { changed } = filter.shape
  const names: string[] = changed instanceof z.ZodOptional ? (changed.unwrap() as z.ZodEnum).options.map(String) : []
  return names.flatMap((value) => {
    const label = fields[value] ?? lists[value]
    return label === undefined ? [] : [{ value, label }]
  })
}

/** Returns the log of a menu, its fixed filter, and whether its rows belong to groups. Those of the system do not. */
export function logOf(menu: HistoryMenu) {
  const shown = HISTORY_MENUS[menu]
  const { fields: own, lists }: { fields: Fields; lists: Lists } = { lists: {}, ...LOGS[shown.log] }
  const isOfGroups = LOGS[shown.log].group !== 'system'
  return {
    ...shown,
    ...LOGS[shown.log],
    name: shown.log,
    fields: withNested(own, lists),
    isOfGroups,
    route: api.history[shown.log] as LogRoute,
    counts: api.history[`${shown.log}Counts`] as CountsRoute,
    /** What its rows can be asked to have changed: names of `fields` and of `lists`. */
    changes: changesOf(shown.log),
  }
}
export type Log = ReturnType<typeof logOf>

export const titleOf = (menu: HistoryMenu, language: Language): string => HISTORY_MENUS[menu].title[language]

/** Returns the value of a field of any log. */
export const fieldValue = (row: object, name: string): unknown => Reflect.get(row, name)

/** The label of a field's number, which may follow from another field of the entry. */
export function labelOf({ values, valuesBy }: Field, value: unknown, entry: object): Values[number] | undefined {
  const others = valuesBy?.values[Number(fieldValue(entry, valuesBy.field))]
  return typeof value === 'number' ? (others ?? values)?.[value] : undefined
}

/** The label of a text that the product wrote itself. */
const textWords = ({ words, wordsBy }: Field, text: string, entry: object): Label | undefined =>
  words?.[text] ?? wordsBy?.words[Number(fieldValue(entry, wordsBy.field))]?.(text)

const isUnit = (as: Field['as']): as is Unit => as !== undefined && as in UNIT_LABELS

/** Returns the text of an entry's value; null if it is empty. */
export function wordsOf(field: Field, value: unknown, language: Language, entry: object = {}): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') {
    if (field.as === 'bytes') return formatBytes(value)
    const label = labelOf(field, value, entry)
    if (label !== undefined) return label[language]
    return isUnit(field.as) ? amountText(field.as, value, language) : String(value)
  }
  if (field.as === 'moment') return formatMoment(String(value))
  if (field.as === 'day') return formatDay(String(value))
  return textWords(field, String(value), entry)?.[language] ?? String(value)
}

const OPENING: readonly unknown[] = SUCCESSFUL_SIGN_INS
/** Whether a sign-in opened a session. */
export const hasOpened = (row: object): boolean => OPENING.includes(fieldValue(row, 'type'))

export type Target = { screen: string; view: Record<string, unknown> }

const settings = (menu: string, tab?: string): Target => ({ screen: 'settings', view: { menu, tab } })
const loginPolicy = (tab: string): Target => ({ screen: 'loginPolicy', view: { tab } })
const otp = loginPolicy('otp')

/** Where settings are made, by the event; null: outside of the console. */
const SETTINGS: Readonly<Record<SettingManage, Target | null>> = {
  [SettingManage.RESEND_MAIL]: settings('mailServer', 'sent'),
  [SettingManage.READ_MAIL]: settings('mailServer', 'sent'),
  [SettingManage.CHOOSE_OUTBOX]: settings('mailServer'),
  [SettingManage.SET_HOST_ADDRESS]: settings('infos'),
  [SettingManage.SET_LOGIN_LOGO]: settings('infos'),
  [SettingManage.SET_MANAGE_LOGO]: settings('infos'),
  [SettingManage.SET_MAIL_SERVER]: settings('mailServer'),
  [SettingManage.SET_SITE_CONFIG]: settings('siteConfig'),
  [SettingManage.SET_CLIENT_POLICY]: settings('clientPolicy'),
  [SettingManage.UPDATE_SSO_POLICY]: loginPolicy('sso'),
  [SettingManage.DEFAULT_OTP_ON]: otp,
  [SettingManage.DEFAULT_OTP_OFF]: otp,
  [SettingManage.ADD_OTP_NEVER]: otp,
  [SettingManage.ADD_OTP_ALWAYS]: otp,
  [SettingManage.REMOVE_OTP_NEVER]: otp,
  [SettingManage.REMOVE_OTP_ALWAYS]: otp,
  [SettingManage.UPDATE_PASSWORD_RULES]: loginPolicy('rules'),
  [SettingManage.UPDATE_PROTECTION]: loginPolicy('protection'),
  [SettingManage.SET_OVERDUE_HOURS]: settings('mailServer', 'notices'),
  [SettingManage.SET_REQUEST_EXPIRY]: settings('mailServer', 'notices'),
  [SettingManage.SET_FILE_RETENTION]: settings('infos'),
  [SettingManage.SET_DEVICES_PER_USER]: settings('license'),
  [SettingManage.REGISTER_LICENSE]: settings('license'),
  [SettingManage.CHOOSE_EVALUATION_LICENSE]: settings('license'),
  [SettingManage.MAKE_BACKUP]: null,
  [SettingManage.RESTORE_BACKUP]: null,
  [SettingManage.VERIFY_BACKUP]: null,
  [SettingManage.ROTATE_KEY]: null,
  [SettingManage.VERIFY_HISTORY]: null,
  [SettingManage.TAKE_SEAL_HEAD]: null,
  [SettingManage.ACCEPT_HISTORY]: null,
  [SettingManage.RESTORE_FILE]: null,
  [SettingManage.SET_USER_SYNC]: settings('userSync'),
}
const settingOf: Readonly<Record<number, Target | null>> = SETTINGS
const BIM_MENUS: Readonly<Record<number, string>> = {
  [BimManage.CREATE_EXCEPTION]: 'bimExceptions',
  [BimManage.UPDATE_EXCEPTION]: 'bimExceptions',
  [BimManage.DELETE_EXCEPTION]: 'bimExceptions',
  [BimManage.ADD_TARGETS]: 'bimTargets',
  [BimManage.REMOVE_TARGETS]: 'bimTargets',
}

const eventOf = (row: object) => Number(fieldValue(row, 'type'))
type Place = 'setting' | 'clientVersion' | 'bim'
/** Kinds whose rows lead to a place, also without an object. */
const PLACES: Record<Place, (row: object, idx: number | undefined) => Target | undefined> = {
  setting: (row) => settingOf[eventOf(row)] ?? undefined,
  clientVersion: () => ({ screen: 'clientVersions', view: {} }),
  bim: (row, idx) => ({ screen: 'bim', view: { menu: BIM_MENUS[eventOf(row)], idx } }),
}
const isPlace = (kind: TargetKind): kind is Place => kind in PLACES

const SCREENS: Record<Exclude<TargetKind, Place>, (idx: number, row: object) => Target> = {
  user: (idx) => ({ screen: 'users', view: { idx } }),
  userImport: (idx) => ({ screen: 'users', view: { part: 'imports', importIdx: idx } }),
  group: (idx) => ({ screen: 'policies', view: { groupIdx: idx } }),
  // The policy of a user opens from there: its screen starts from the group, which the row does not name.
  policyOwner: (idx, row) =>
    fieldValue(row, 'targetType') === OwnerType.USER
      ? { screen: 'users', view: { idx } }
      : { screen: 'policies', view: { groupIdx: idx, isExplained: true } },
  authority: (idx) => ({ screen: 'authorities', view: { idx } }),
  request: (idx, row) => ({
    screen: fieldValue(row, 'type') === Transfer.EXPORT ? 'approvals' : 'imports',
    view: { idx, tab: 'all' },
  }),
  shortcut: () => ({ screen: 'settings', view: { menu: 'shortcut' } }),
}

/** Whether a field of a list is the one that links to what its rows are about. */
export function isLinked(log: LogName, name: string): boolean {
  const kind = LOGS[log].target
  if (kind === 'userImport') return name === 'fileName'
  return kind !== null && isPlace(kind)
    ? name === 'type'
    : /^(user|target|requester)Name$|^(idx|requestIdx)$/.test(name)
}

/** Returns the link to what a row is about, or to its author; the server withholds the idx of what cannot be opened. */
export function linkOf(log: LogName, row: object, to: 'target' | 'actor'): Target | undefined {
  const kind = to === 'actor' ? 'user' : LOGS[log].target
  const isRequest = log === 'fileEximport' && to === 'target'
  const idx = fieldValue(row, isRequest ? 'idx' : `${to}Idx`)
  const number = typeof idx === 'number' ? idx : undefined
  if (kind === null) return undefined
  if (isPlace(kind)) return PLACES[kind](row, number)
  return number === undefined ? undefined : SCREENS[kind](number, row)
}

/** Returns the link to the import that changed the user of a row. */
export function importOf(row: object): Target | undefined {
  const idx = fieldValue(row, 'importIdx')
  return typeof idx === 'number' ? SCREENS.userImport(idx, row) : undefined
}

export type Entries = readonly Record<string, unknown>[]
/** What an entry says: a copy of a policy has other rows with the same contents. */
const markKey = ({ isOld: _, idx: __, ...values }: Record<string, unknown>) =>
  JSON.stringify(Object.entries(values).sort())

export type MarkedEntry = { entry: Record<string, unknown>; mark: 'added' | 'removed' | 'same' | undefined }

/** Merges old and new entries: only new means added, only old removed, both unchanged (spec S2 §2.6). */
export function marked(entries: Entries): MarkedEntry[] {
  const news = new Set(entries.filter(({ isOld }) => isOld !== 1).map(markKey))
  const olds = new Set(entries.filter(({ isOld }) => isOld === 1).map(markKey))
  const markOf = (entry: Record<string, unknown>) => {
    if (entry.isOld === undefined) return undefined
    const key = markKey(entry)
    return news.has(key) && olds.has(key) ? 'same' : entry.isOld === 1 ? 'removed' : 'added'
  }
  const isSame = (mark: ReturnType<typeof markOf>) => Number(mark === 'same')
  return entries
    .map((entry) => ({ entry, mark: markOf(entry) }) as const)
    .filter(({ entry, mark }) => mark !== 'same' || entry.isOld === 1)
    .sort((one, other) => isSame(one.mark) - isSame(other.mark))
}
