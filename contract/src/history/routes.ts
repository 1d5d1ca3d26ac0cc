// The calls of the history (spec S2 §7), derived from the kinds: one list per kind, and one that finds an entry for its detail.
import { z } from 'zod'
import { page } from '../core/access.ts'
import { idx } from '../core/fields.ts'
import { defineRoutes, get, list } from '../core/route.ts'
import type { Topic } from '../core/topics.ts'
import { Level } from '../labels/access.ts'
import { columnsOf } from './kind.ts'
import { DETAILED_LOGS, type DetailedLog, LOGS, type LogName, type Logs } from './kinds.ts'

const logOf = <N extends LogName>(name: N, shows: readonly Topic[] = []) => {
  const log: Logs[N] = LOGS[name]
  return list<Logs[N]['path'], Logs[N]['filter'], Logs[N]['item'], Logs[N]['access'], readonly []>(log.path, {
    input: log.filter,
    item: log.item,
    columns: 'csv' in log ? log.csv : columnsOf(log.fields),
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
      entryOf('groupManage'),
      entryOf('policyManage'),
      entryOf('userManage'),
      entryOf('shortcutManage'),
      entryOf('authManage'),
      entryOf('settingManage'),
      entryOf('bimManage'),
    ]),
    access: page('log', Level.READ),
    errors: [],
    shows: ['requests'],
    assumed: true,
  }),
  clientLogin: logOf('clientLogin'),
  fileEximport: logOf('fileEximport', ['requests']),
  fileDownload: logOf('fileDownload'),
  networkAccess: logOf('networkAccess'),
  webLogin: logOf('webLogin'),
  account: logOf('account'),
  groupManage: logOf('groupManage'),
  policyManage: logOf('policyManage'),
  userManage: logOf('userManage'),
  shortcutManage: logOf('shortcutManage'),
  licenseUse: logOf('licenseUse'),
  clientManage: logOf('clientManage'),
  authManage: logOf('authManage'),
  settingManage: logOf('settingManage'),
  bimManage: logOf('bimManage'),
})
