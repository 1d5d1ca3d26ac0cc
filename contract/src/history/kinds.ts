// Every kind of history, each in one line. Menus, details, calls and their handlers are derived from it.
import type { z } from 'zod'
import type { Label } from '../labels/enumOf.ts'
import type { Transfer } from '../labels/requests.ts'
import { clientLogin, fileDownload, fileEximport, networkAccess, requestStep, webLogin } from './client.ts'
import type { Field, Fields } from './fields.ts'
import { policyManage } from './policies.ts'
import { authManage, bimManage, clientManage, licenseUse, settingManage, shortcutManage } from './system.ts'
import { account, groupManage, userImport, userManage } from './web.ts'

/** The logs by the names of their calls, in the order of the menus (spec S2 §2.6). */
export const LOGS = {
  clientLogin,
  fileEximport,
  fileDownload,
  networkAccess,
  webLogin,
  account,
  groupManage,
  policyManage,
  userManage,
  userImport,
  shortcutManage,
  licenseUse,
  clientManage,
  authManage,
  settingManage,
  bimManage,
}
export type Logs = typeof LOGS
export type LogName = keyof Logs
export const LOG_NAMES = Object.keys(LOGS) as LogName[]

/** The logs whose rows are listed as they were written. Sign-ins and requests change, and have tables of their own. */
export type StoredLog = { [N in LogName]: Logs[N]['store'] extends 'history' ? N : never }[LogName]
const isStored = (log: LogName): log is StoredLog => LOGS[log].store === 'history'
export const STORED_LOGS = LOG_NAMES.filter(isStored)

type Content<K> = (K extends { lists: infer L } ? keyof L : never) | (K extends { compared: infer C } ? keyof C : never)
/** The logs whose rows have a detail: those with nested entries or old values, which a list cannot show. */
export type DetailedLog = { [N in LogName]: [Content<Logs[N]>] extends [never] ? never : N }[LogName]
export function isDetailed(log: LogName): log is DetailedLog {
  const { lists, compared }: { lists?: object; compared?: object; store: string } = LOGS[log]
  return Object.keys({ ...lists, ...compared }).length > 0
}
export const DETAILED_LOGS = LOG_NAMES.filter(isDetailed)

/** The steps of requests are written as kinds of their own, which no list shows. */
const STEPS = { fileExport: requestStep, fileImport: requestStep }
const WRITTEN = { ...LOGS, ...STEPS }
/** The kinds of written rows, which routes name as their `audit`. */
export type AuditKind = StoredLog | keyof typeof STEPS
export const AUDIT_KINDS: readonly AuditKind[] = [...STORED_LOGS, 'fileExport', 'fileImport']

const HEADS: Readonly<Record<string, Fields>> = {
  ...Object.fromEntries(LOG_NAMES.map((log) => [log, LOGS[log].fields])),
  fileExport: requestStep.head,
  fileImport: requestStep.head,
}
/** The label of an event; undefined for a kind or number of another version. */
export const eventLabel = (kind: string, type: number): NonNullable<Field['values']>[number] | undefined =>
  (HEADS[kind]?.type ?? HEADS[kind]?.actionType)?.values?.[type]

type EventField<H> = H extends { type: infer F } ? F : H extends { actionType: infer F } ? F : never
/** The numbers of a kind's events. */
export type HistoryEvent<K extends AuditKind> =
  EventField<(typeof WRITTEN)[K]['head']> extends { schema: infer S extends z.ZodType } ? z.input<S> : never
/** The schema of a kind's details. */
export const detailOf = (kind: AuditKind): z.ZodObject => WRITTEN[kind].detail
export type HistoryDetail<K extends AuditKind> = z.input<(typeof WRITTEN)[K]['detail']>

type Menu = {
  log: LogName
  title: Label
  /** The direction by which a list of requests is filtered. */
  type?: Transfer
  /** Numbers that a select filter does not offer (spec S2 §4). */
  notOffered?: Readonly<Record<string, readonly number[]>>
}
type OwnMenus = Readonly<Record<string, Partial<Menu>>>

/** A log has one menu of its name, if it does not declare `menus`. */
function menusOf(log: LogName): [string, Menu][] {
  const { title, menus = { [log]: {} } }: { title: Label; menus?: OwnMenus } = LOGS[log]
  return Object.entries(menus).map(([name, menu]) => [name, { log, title, ...menu }])
}
/** The menus of the history screen, by the names that CSV files carry too. */
export type HistoryMenu = { [N in LogName]: Logs[N] extends { menus: infer M } ? keyof M : N }[LogName]
export const HISTORY_MENUS = Object.fromEntries(LOG_NAMES.flatMap(menusOf)) as Readonly<Record<HistoryMenu, Menu>>
