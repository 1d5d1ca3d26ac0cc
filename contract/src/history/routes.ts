// The calls of the history (spec S2 §7), derived from the kinds: one list per kind, and one that finds an entry for its detail.
import { z } from 'zod'
import { page } from '../core/access.ts'
import { idx } from '../core/fields.ts'
import { defineRoutes, get, list } from '../core/route.ts'
import type { Topic } from '../core/topics.ts'
import { Level } from '../labels/access.ts'
import { listColumnsOf } from './kind.ts'
import { DETAILED_LOGS, type DetailedLog, LOGS, type LogName, type Logs } from './kinds.ts'

const logOf = <N extends LogName>(name: N, shows: readonly Topic[] = []) => {
  const log: Logs[N] = LOGS[name]
  return list<Logs[N]['path'], Logs[N]['filter'], Logs[N]['item'], Logs[N]['access'], readonly []>(log.path, {
    input: log.filter,
    item: log.item,
    columns: 'csv' in log ? log.csv : { ...log.fields, ...('lists' in log && listColumnsOf(log.lists)) },
    access: log.access,
    errors: [],
    shows,
    fromReplica: true,
    ...('assumed' in log && log.assumed && { assumed: true }),
  })
}

const entryOf = <N extends DetailedLog>(log: N) => {
  const { item }: Pick<Logs[N], 'item'> = LOGS[log]
  return z.object({ log: z.literal(log), entry: item })
}

export const history = defineRoutes({
  /** One entry with all its nested entries; readable for those who may read its list. */
  find: get('/Logs/Entry', {
    input: z.object({ log: z.enum(DETAILED_LOGS), idx }),
    data: z.discriminatedUnion('log', [
      entryOf('fileEximport'),
      entryOf('fileDownload'),
      entryOf('account'),
      entryOf('groupManage'),
      entryOf('policyManage'),
      entryOf('userManage'),
      entryOf('shortcutManage'),
      entryOf('clientManage'),
      entryOf('authManage'),
      entryOf('settingManage'),
      entryOf('bimManage'),
    ]),
    access: page('log', Level.READ),
    errors: [],
    shows: ['requests'],
    assumed: true,
  }),
  /** Searches sign-ins of desktop clients. */
  clientLogin: logOf('clientLogin'),
  /** Searches export or import requests. */
  fileEximport: logOf('fileEximport', ['requests']),
  /** Searches downloads of files of requests. */
  fileDownload: logOf('fileDownload'),
  /** Searches blocked connections. */
  networkAccess: logOf('networkAccess'),
  /** Searches sign-ins of the portal and the console. */
  webLogin: logOf('webLogin'),
  /** Searches self-service of accounts: found IDs, forgotten and changed passwords. */
  account: logOf('account'),
  /** Searches changes of groups. */
  groupManage: logOf('groupManage'),
  /** Searches changes of policies. */
  policyManage: logOf('policyManage'),
  /** Searches changes of users. */
  userManage: logOf('userManage'),
  /** Searches changes of shortcuts. */
  shortcutManage: logOf('shortcutManage'),
  /** Searches licenses that were taken and freed. */
  licenseUse: logOf('licenseUse'),
  /** Searches uploads, deployments and deletions of client versions. */
  clientManage: logOf('clientManage'),
  /** Searches changes of authorities. */
  authManage: logOf('authManage'),
  /** Searches changes of settings. */
  settingManage: logOf('settingManage'),
  /** Searches changes of BIM settings. */
  bimManage: logOf('bimManage'),
})
