// The histories that managers read for the groups where they have the log page, administrators for all (spec S2 §2.6).
import { can } from '@acc/contract/core/access'
import type { Paging } from '@acc/contract/core/paging'
import type { Fields } from '@acc/contract/history/fields'
import { type DetailedLog, LOGS, type Logs, type StoredLog } from '@acc/contract/history/kinds'
import type { history } from '@acc/contract/history/routes'
import { Role } from '@acc/contract/labels/access'
import { Transfer } from '@acc/contract/labels/requests'
import { MAX_LISTED_FILES } from '@acc/contract/requestFiles'
import type { z } from 'zod'
import { hours } from '../../clock.ts'
import { listScope } from '../../core/chosenGroups.ts'
import type { Actor, Read } from '../../core/context.ts'
import { fail } from '../../core/errors.ts'
import { GROUPS_EVER, isUnbounded, type Scope } from '../../core/scope.ts'
import { filterBy } from '../../db/filters.ts'
import { type List, listOf, mapList, mapPage, searchedIn } from '../../db/list.ts'
import type { Reader } from '../../db/open.ts'
import type { Reading } from '../../db/search.ts'
import { findSteps } from '../requests/requestSteps.queries.ts'
import { attachFiles, FILES_FOR_CSV } from '../requests/requests.files.ts'
import {
  findRequest,
  HISTORY_TEXTS,
  matchRequests,
  REQUEST_FILTERS,
  REQUEST_SORTS,
  REQUEST_TEXTS,
  requestedBefore,
  requestedFrom,
} from '../requests/requests.queries.ts'
import { findApplied } from './history.applied.ts'
import { type HourFilter, hourCondition } from './history.hours.ts'
import { keepOpenLinks, targetKindOf } from './history.links.ts'
import {
  changedEntries,
  changeSorts,
  type EntryRow,
  entrySorts,
  findEntry,
  findNested,
  type LogFilter,
  listsOf,
  matchEntries,
  matchSignIns,
  monthsOf,
  type Reach,
  searchedEntries,
  signInSorts,
  textsIn,
} from './history.queries.ts'

type Entry<N extends StoredLog> = z.input<Logs[N]['item']>
type Values = Record<string, unknown>

const hiddenNames = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, field]) => (field.for === 'admin' ? [name] : []))

const without = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** Removes the fields for administrators, also from nested entries. No other code withholds keys (spec S2 §6). */
function withoutKeys(log: StoredLog, entry: Values): Values {
  const { fields, lists } = LOGS[log]
  const shown = without(entry, hiddenNames(fields))
  for (const [name, list] of Object.entries<{ fields: Fields }>(lists)) {
    const nested = shown[name]
    if (Array.isArray(nested)) shown[name] = nested.map((one: Values) => without(one, hiddenNames(list.fields)))
  }
  return shown
}

/** Returns a function from rows of a log to entries as this actor may read them. The runner checks their contract. */
const entryOf =
  <N extends StoredLog>(log: N, actor: Actor) =>
  ({ detail, type, result, subjectIdx, ...columns }: EntryRow): Entry<N> => {
    const event = 'actionType' in LOGS[log].fields ? { actionType: type, resultType: result } : { type }
    const numbers = 'requestIdx' in LOGS[log].fields ? { requestIdx: subjectIdx } : {}
    const entry: Values = { ...detail, ...columns, ...event, ...numbers }
    return (actor.role === Role.ADMIN ? entry : withoutKeys(log, entry)) as Entry<N>
  }

export type Narrowing = HourFilter & { groupIdxes?: readonly number[] | undefined }

/** Rows of a deleted group are read with those of the group that its people moved to. */
const logScope = (ctx: Read, { groupIdxes }: Narrowing): Promise<Scope> =>
  listScope(ctx, 'log', groupIdxes, GROUPS_EVER)
type ListFilter = Paging & LogFilter & Narrowing

/** Milliseconds of a day, at most: one in a year has an hour more. */
const LONGEST_DAY = hours(25)
const isOfDay = ({ logSDT, logEDT }: LogFilter) =>
  logSDT !== undefined && logEDT !== undefined && Date.parse(logEDT) - Date.parse(logSDT) <= LONGEST_DAY

/**
 * How texts are found. Of some groups, a day has so few rows that comparing all of them is fastest. An index of texts
 * covers all rows of a month, but PostgreSQL underestimates the cost of reading it.
 */
const readingOf = (scope: Scope, filter: LogFilter): Reading =>
  !isUnbounded(scope) && isOfDay(filter) ? 'rows' : 'index'

export async function reachOf(ctx: Read, filter: LogFilter & Narrowing): Promise<Reach> {
  const scope = await logScope(ctx, filter)
  const applied = filter.appliesTo ? await findApplied(ctx, String(filter.appliesTo)) : undefined
  return { scope, inHour: hourCondition(ctx, filter), applied, reading: readingOf(scope, filter) }
}

export function searchSignIns(log: 'clientLogin' | 'webLogin') {
  const sorts = signInSorts(log)
  return async (ctx: Read, filter: ListFilter) => {
    const reach = await reachOf(ctx, filter)
    const list = listOf(ctx.read, filter, {
      matches: matchSignIns(ctx.read, reach, log, filter),
      sorts,
      searchIn: searchedIn('signIns', textsIn(log, filter), 'loginDT'),
    })
    return mapPage(list, (rows) => keepOpenLinks(ctx.read, ctx.actor, rows, () => 'user'))
  }
}

type TransferFilter = z.output<typeof history.fileEximport.input>
export const filterTransfers = (query: TransferFilter, { inHour }: Reach) =>
  filterBy(
    query,
    { ...REQUEST_TEXTS, ...HISTORY_TEXTS },
    {
      ...REQUEST_FILTERS,
      logSDT: requestedFrom,
      logEDT: requestedBefore,
      logHour: () => inHour?.('fileEximports.requestDT'),
      groupIdxes: null,
    },
  )

export async function searchTransfers(ctx: Read, query: TransferFilter) {
  const reach = await reachOf(ctx, query)
  const { scope } = reach
  const { condition, texts } = filterTransfers(query, reach)
  const list = listOf(ctx.read, query, {
    matches: matchRequests(ctx.read, scope, condition),
    nested: [FILES_FOR_CSV],
    sorts: REQUEST_SORTS,
    searchIn: searchedIn('fileEximports', texts),
  })
  const listed = mapList(list, (row) => ({ files: [], ...row }))
  return mapPage(listed, (rows) => attachFiles(ctx.read, rows))
}

type ListedRow = EntryRow & { nestedCount: number }

/** Adds nested entries to the rows of a page, for as many rows as stay within the bound of one response. */
async function attachNested(db: Reader, log: StoredLog, rows: readonly ListedRow[]): Promise<ListedRow[]> {
  let count = 0
  const fitting = rows.filter(({ nestedCount }) => {
    count += nestedCount
    return nestedCount > 0 && count <= MAX_LISTED_FILES
  })
  const nested = await findNested(
    db,
    log,
    fitting.map(({ idx }) => idx),
  )
  return rows.map((row) => ({ ...row, detail: { ...row.detail, ...nested.get(row.idx) } }))
}

/** Keeps the links of rows of a log that the caller may open. */
const keepOpen = <R extends EntryRow>({ read, actor }: Read, log: StoredLog, rows: readonly R[]): Promise<R[]> =>
  keepOpenLinks(read, actor, rows, (row) => targetKindOf(LOGS[log].target, row))

/** Lists of the append-only rows. */
export function searchEntries<N extends StoredLog>(log: N) {
  const [sorts, sortsOfChanges] = [entrySorts(log), changeSorts(log)]
  return async (ctx: Read, filter: ListFilter): Promise<List<Entry<N>>> => {
    const reach = await reachOf(ctx, filter)
    const list = listOf(ctx.read, filter, {
      matches: matchEntries(ctx.read, reach, log, filter),
      nested: listsOf(log).map((name) => changedEntries(name).as(name)),
      sorts: filter.changed === undefined ? sorts : sortsOfChanges,
      searchIn: searchedEntries(log, filter),
      parts: filter.changed === undefined ? [] : monthsOf(filter, ctx.services.clock.now()),
    })
    const complete = mapPage(list, async (rows) => attachNested(ctx.read, log, await keepOpen(ctx, log, rows)))
    return mapList(complete, entryOf(log, ctx.actor))
  }
}

type FoundEntry = z.input<typeof history.find.data>

/** One entry with everything that belongs to it; 980 unless the actor may read its list and its group. */
export async function findHistoryEntry(
  ctx: Read,
  { log, idx }: { log: DetailedLog; idx: number },
): Promise<FoundEntry> {
  if (!can(ctx.actor, LOGS[log].access)) fail('NOT_ALLOWED')
  const scope = await logScope(ctx, {})
  if (log === 'fileEximport') {
    const request = await findRequest(ctx.read, idx, { [Transfer.IMPORT]: scope, [Transfer.EXPORT]: scope })
    if (request === undefined) fail('NOT_ALLOWED')
    const [entry = { ...request, files: [] }] = await attachFiles(ctx.read, [request])
    return {
      log,
      entry: { ...entry, stepCount: request.steps, steps: await findSteps(ctx.read, request) },
    } as FoundEntry
  }
  const row = await findEntry(ctx.read, scope, log, idx)
  const [opened] = row === undefined ? [] : await keepOpen(ctx, log, [row])
  if (opened === undefined) fail('NOT_ALLOWED')
  return { log, entry: entryOf(log, ctx.actor)(opened) } as FoundEntry
}
