// The calls of the history (spec S2 §7), derived from the kinds: one list per kind, and one that finds a single entry.
import { z } from 'zod'
import { page } from '../core/access.ts'
import { idx } from '../core/fields.ts'
import { defineRoutes, get, list } from '../core/route.ts'
import { Level } from '../labels/access.ts'
import { listColumnsOf } from './kind.ts'
import { DETAILED_LOGS, type DetailedLog, LOG_NAMES, LOGS, type LogName, type Logs } from './kinds.ts'

function logOf<N extends LogName>(name: N) {
  const log: Logs[N] = LOGS[name]
  return list<Logs[N]['path'], Logs[N]['filter'], Logs[N]['item'], Logs[N]['access'], readonly []>(log.path, {
    input: log.filter,
    item: log.item,
    columns: 'csv' in log ? log.csv : { ...log.fields, ...('lists' in log && listColumnsOf(log.lists)) },
    access: log.access,
    errors: [],
    shows: log.store === 'requests' ? ['requests'] : [],
    fromReplica: true,
    ...('assumed' in log && log.assumed && { assumed: true }),
  })
}
type Searches = { [N in LogName]: ReturnType<typeof logOf<N>> }

const entryOf = <N extends DetailedLog>(log: N) => {
  const { item }: Pick<Logs[N], 'item'> = LOGS[log]
  return z.object({ log: z.literal(log), entry: item })
}
type Found = { [N in DetailedLog]: ReturnType<typeof entryOf<N>> }[DetailedLog]

export const history = defineRoutes({
  /** One entry with all its nested entries; readable for those who may read its list. */
  find: get('/Logs/Entry', {
    input: z.object({ log: z.enum(DETAILED_LOGS), idx }),
    data: z.discriminatedUnion('log', DETAILED_LOGS.map(entryOf) as [Found, ...Found[]]),
    access: page('log', Level.READ),
    errors: [],
    shows: ['requests'],
    assumed: true,
  }),
  ...(Object.fromEntries(LOG_NAMES.map((name) => [name, logOf(name)])) as Searches),
})
