// The calls of the history (spec S2 §7), derived from the kinds: one list per kind, its counts over
// time, and one that finds a single entry.
import { z } from 'zod'
import { type Access, page } from '../core/access.ts'
import { flag, idx, moment } from '../core/fields.ts'
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

/** How many rows fell into each part of the period. */
const Counts = z.object({
  unit: z.enum(['hour', 'day', 'week', 'month', 'year']),
  /** Parts in the caller's time zone, the oldest first; each ends where the next one begins. */
  parts: z.array(z.object({ startDT: moment, count: z.int(), isEstimated: flag })),
  endDT: moment,
})
export type Counts = z.output<typeof Counts>
export type CountUnit = Counts['unit']

const OF_PAGES = { rowsAfter: true, rowsCount: true, maxCount: true, sort: true, sortOrder: true } as const
function countsOf(name: LogName) {
  const { filter, path, access, store }: { filter: z.ZodObject; path: string; access: Access; store: string } =
    LOGS[name]
  return get(`/${path.slice(1)}/Counts`, {
    input: filter.omit(OF_PAGES) as z.ZodObject,
    data: Counts,
    access,
    errors: [],
    shows: store === 'requests' ? ['requests'] : [],
    fromReplica: true,
    assumed: true,
  })
}
type AllCounts = Record<`${LogName}Counts`, ReturnType<typeof countsOf>>

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
  /** The rows of a list over time, with its filters. */
  ...(Object.fromEntries(LOG_NAMES.map((name) => [`${name}Counts`, countsOf(name)])) as AllCounts),
})
