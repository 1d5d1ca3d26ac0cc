// Every kind of history: the logs behind the menus of the history screen, and the fields of written rows.
import type { z } from 'zod'
import type { Label } from '../labels/enumOf.ts'
import type { AuditKind } from '../labels/history.ts'
import { SignInType } from '../labels/history.ts'
import { RequestState, Transfer } from '../labels/requests.ts'
import { clientLogin, fileDownload, fileEximport, networkAccess, requestStep, webLogin } from './client.ts'
import type { Field, Fields } from './fields.ts'
import { authManage, bimManage, clientManage, licenseUse, settingManage, shortcutManage } from './system.ts'
import { account, groupManage, policyManage, userManage } from './web.ts'

/** The kinds whose rows are in the append-only table and are listed as they were written. */
const STORED = {
  fileDownload,
  networkAccess,
  account,
  groupManage,
  policyManage,
  userManage,
  shortcutManage,
  licenseUse,
  clientManage,
  authManage,
  settingManage,
  bimManage,
}
export type StoredLog = keyof typeof STORED

/** The logs by the names of their calls. Sign-ins and requests have tables of their own, since their rows change. */
export const LOGS = { clientLogin, webLogin, fileEximport, ...STORED }
export type Logs = typeof LOGS
export type LogName = keyof Logs

/** Fields of a written row, by kind. */
const WRITTEN = { ...STORED, fileExport: requestStep, fileImport: requestStep } satisfies Record<
  AuditKind,
  { detail: z.ZodObject; head: object }
>
type KindTable = typeof WRITTEN

const HEADS: Readonly<Record<string, Fields>> = {
  ...Object.fromEntries(Object.entries(WRITTEN).map(([kind, { head }]) => [kind, head])),
  clientLogin: clientLogin.fields,
  webLogin: webLogin.fields,
}

/** The words of an event; undefined for a kind or number of another version. */
export const eventLabel = (kind: string, type: number): NonNullable<Field['values']>[number] | undefined =>
  (HEADS[kind]?.type ?? HEADS[kind]?.actionType)?.values?.[type]

type EventField<H> = H extends { type: infer F } ? F : H extends { actionType: infer F } ? F : never
/** The numbers of a kind's events. */
export type HistoryEvent<K extends AuditKind> =
  EventField<KindTable[K]['head']> extends { schema: infer S extends z.ZodType } ? z.input<S> : never
/** What a row of a kind holds, for writers that are compared with it. */
export const detailOf = (kind: AuditKind): z.ZodObject => WRITTEN[kind].detail
export type HistoryDetail<K extends AuditKind> = z.input<KindTable[K]['detail']>

type Menu = {
  log: LogName
  title?: Label
  /** The direction by which a list of requests is filtered. */
  type?: Transfer
  /** Numbers that a select filter does not offer (spec S2 §4). */
  notOffered?: Readonly<Record<string, readonly number[]>>
}

/** The menus of the history screen in their order, by the names that CSV files carry too (spec S2 §2.6). */
export const HISTORY_MENUS = {
  clientLogin: { log: 'clientLogin', notOffered: { type: [SignInType.SSO_LOGIN] } },
  fileExport: {
    log: 'fileEximport',
    type: Transfer.EXPORT,
    title: { ko: '파일 반출', en: 'File exports' },
    notOffered: { state: [RequestState.CANCELED] },
  },
  fileImport: { log: 'fileEximport', type: Transfer.IMPORT, title: { ko: '파일 반입', en: 'File imports' } },
  fileDownload: { log: 'fileDownload' },
  networkAccess: { log: 'networkAccess' },
  webLogin: { log: 'webLogin' },
  account: { log: 'account' },
  groupManage: { log: 'groupManage' },
  policyManage: { log: 'policyManage' },
  userManage: { log: 'userManage' },
  shortcutManage: { log: 'shortcutManage' },
  licenseUse: { log: 'licenseUse' },
  clientManage: { log: 'clientManage' },
  authManage: { log: 'authManage' },
  settingManage: { log: 'settingManage' },
  bimManage: { log: 'bimManage' },
} as const satisfies Record<string, Menu>

/** Logs whose rows have a detail beside the list (spec S2 §2.6). */
export const DETAILED_LOGS = [
  'fileEximport',
  'fileDownload',
  'account',
  'groupManage',
  'policyManage',
  'userManage',
  'shortcutManage',
  'clientManage',
  'authManage',
  'settingManage',
  'bimManage',
] as const satisfies readonly LogName[]
export type DetailedLog = (typeof DETAILED_LOGS)[number]
