// The contract's logs as this screen uses them: menus of a viewer, texts of values, links of rows.
import { api } from '@acc/contract'
import { page } from '@acc/contract/core/access'
import type { DataOf } from '@acc/contract/core/route'
import type { Field, Fields } from '@acc/contract/history/fields'
import { DETAILED_LOGS, type DetailedLog, HISTORY_MENUS, LOGS, type LogName } from '@acc/contract/history/kinds'
import { Level } from '@acc/contract/labels/access'
import { formatBytes, formatDay, formatMoment } from '@acc/contract/labels/formats'
import { UserManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { Transfer } from '@acc/contract/labels/requests'
import type { Viewer } from '../../kit/api/viewer.ts'
import type { Language } from '../../kit/texts/translate.ts'
import type { HistoryMenu } from './historyView.ts'

export type LogRoute = (typeof api.history)[LogName]
export type LogRow = DataOf<LogRoute>['items'][number]

/** Hidden until the features that write these rows exist; an always empty menu would mislead. */
const WITHOUT_ROWS: readonly string[] = ['shortcutManage', 'clientManage', 'bimManage']
const GROUPS = ['client', 'web', 'system'] as const
export type MenuGroup = { group: (typeof GROUPS)[number]; menus: HistoryMenu[] }

/** Returns the viewer's menus under their headings. */
export function menusOf({ can }: Pick<Viewer, 'can'>): MenuGroup[] {
  const names = Object.keys(HISTORY_MENUS) as HistoryMenu[]
  const open = names.filter((menu) => can(LOGS[HISTORY_MENUS[menu].log].access) && !WITHOUT_ROWS.includes(menu))
  return GROUPS.map((group) => ({
    group,
    menus: open.filter((menu) => LOGS[HISTORY_MENUS[menu].log].group === group),
  })).filter(({ menus }) => menus.length > 0)
}

/** Returns the log of a menu and the menu's fixed filter. */
export function logOf(menu: HistoryMenu) {
  const shown: { log: LogName; type?: 0 | 1; notOffered?: Readonly<Record<string, readonly number[]>> } =
    HISTORY_MENUS[menu]
  const fields: Fields = LOGS[shown.log].fields
  return { ...shown, ...LOGS[shown.log], name: shown.log, fields, route: api.history[shown.log] as LogRoute }
}
export type Log = ReturnType<typeof logOf>

export const titleOf = (menu: HistoryMenu, language: Language): string => {
  const shown = HISTORY_MENUS[menu]
  return ('title' in shown ? shown.title : LOGS[shown.log].title)[language]
}

export const isDetailed = (log: LogName): log is DetailedLog => DETAILED_LOGS.some((name) => name === log)

/** Returns the value of a field of any log. */
export const fieldValue = (row: object, name: string): unknown => Reflect.get(row, name)

/** Returns the text of a value; null if it is empty. */
export function wordsOf(field: Field, value: unknown, language: Language): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') {
    if (field.as === 'bytes') return formatBytes(value)
    if (field.as === 'gigabytes') return `${value} GB`
    if (field.as === 'days') return language === 'ko' ? `${value}일` : value === 1 ? '1 day' : `${value} days`
    return field.values?.[value]?.[language] ?? String(value)
  }
  if (field.as === 'moment') return formatMoment(String(value))
  if (field.as === 'day') return formatDay(String(value))
  return String(value)
}

export type Target = { screen: string; view: Record<string, unknown> }
const numberOf = (row: object, name: string): number | undefined => {
  const value = fieldValue(row, name)
  return typeof value === 'number' ? value : undefined
}

const userAt = (idx: number | undefined, { can }: Pick<Viewer, 'can'>): Target | undefined =>
  idx !== undefined && can(page('user', Level.READ)) ? { screen: 'users', view: { idx } } : undefined

const requestAt = (idx: number, type: number | undefined, { can }: Pick<Viewer, 'can'>): Target | undefined => {
  const isExport = type === Transfer.EXPORT
  if (!can(page(isExport ? 'fileExportApprove' : 'fileImportApprove', Level.READ))) return undefined
  return { screen: isExport ? 'approvals' : 'imports', view: { idx, tab: 'all' } }
}

/** Returns the link to the author of a row. */
export const actorOf = (row: object, viewer: Pick<Viewer, 'can'>): Target | undefined =>
  userAt(numberOf(row, 'actorIdx'), viewer)

/** Returns the link to the person, group, authority or request of a row, if it still exists. */
export function targetOf(log: LogName, row: object, viewer: Pick<Viewer, 'can'>): Target | undefined {
  const idx = numberOf(row, log === 'fileEximport' ? 'idx' : 'targetIdx')
  const type = numberOf(row, 'type')
  if (idx === undefined) return undefined
  if (log === 'fileEximport' || log === 'fileDownload') return requestAt(idx, type, viewer)
  if (log === 'authManage') return { screen: 'authorities', view: { idx } }
  if (log === 'groupManage' || (log === 'policyManage' && fieldValue(row, 'targetType') === OwnerType.GROUP))
    return viewer.can(page('policy', Level.READ)) ? { screen: 'policies', view: { groupIdx: idx } } : undefined
  if (log === 'userManage' && type === UserManage.DELETE) return undefined
  return ['settingManage', 'shortcutManage', 'clientManage', 'bimManage'].includes(log)
    ? undefined
    : userAt(idx, viewer)
}
