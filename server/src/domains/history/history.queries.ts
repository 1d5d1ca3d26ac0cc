// Rows of the history and of the sign-ins as lists. A field of a kind is a column of the table, a column that is
// generated from the detail, or is read from the detail itself.

import type { Paging } from '@acc/contract/core/paging'
import type { Lists } from '@acc/contract/history/fields'
import { LOGS, type LogName, type StoredLog } from '@acc/contract/history/kinds'
import { type Expression, type SqlBool, sql } from 'kysely'
import { isUnbounded, type Scope } from '../../core/scope.ts'
import { searchedIn } from '../../db/list.ts'
import type { Reader } from '../../db/open.ts'
import { contains, nameContains, type Reading, startsWith } from '../../db/search.ts'
import type { HourCondition } from './history.hours.ts'
import { monthsBefore } from './history.parts.ts'

/** The rows that a viewer may read, conditions that were resolved before, and how texts are found in them. */
export type Reach = {
  scope: Scope
  inHour?: HourCondition | undefined
  /** Whether a row is about a policy that applied to the person of the filter. */
  applied?: Expression<SqlBool> | undefined
  reading?: Reading
}

type Range = { logSDT?: string | undefined; logEDT?: string | undefined }
type SignInLog = 'clientLogin' | 'webLogin'
export type LogFilter = Range & Readonly<Record<string, unknown>>

const SUBJECT_IDX = 'history.subjectIdx'
const TARGET_ID = 'history.targetId'
const TARGET_NAME = 'history.targetName'
const TARGET_GROUP = 'history.targetGroupName'
const TARGET_IP = 'history.targetIp'

/** The texts that are searched for. */
export const textsIn = (log: LogName, filter: LogFilter): string[] =>
  LOGS[log].filters.flatMap((name) => (typeof filter[name] === 'string' && filter[name] !== '' ? [filter[name]] : []))

/** The columns of fields; the others are in the detail alone, where no index finds their texts. */
const HISTORY_COLUMNS: Readonly<Record<string, string>> = {
  idx: 'history.idx',
  logDT: 'history.logDT',
  type: 'history.type',
  actionType: 'history.type',
  resultType: 'history.result',
  actorId: 'history.actorId',
  actorName: 'history.actorName',
  actorGroupName: 'history.actorGroupName',
  ip: 'history.ip',
  targetId: TARGET_ID,
  userId: TARGET_ID,
  requesterId: TARGET_ID,
  targetName: TARGET_NAME,
  userName: TARGET_NAME,
  requesterName: TARGET_NAME,
  targetGroupName: TARGET_GROUP,
  userGroupName: TARGET_GROUP,
  requesterGroupName: TARGET_GROUP,
  targetIp: TARGET_IP,
  deviceIp: TARGET_IP,
  targetVersion: TARGET_NAME,
  targetType: 'history.targetType',
  requestIdx: SUBJECT_IDX,
}
const SIGN_IN_COLUMNS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(LOGS.clientLogin.fields).map((name) => [name, `signIns.${name}`]),
)

/** Columns of names; the other texts are ASCII. */
const isName = (name: string) => /Name$/.test(name)

const inDetail = (name: string) => sql<string | null>`history.detail ->> ${name}`

type ColumnsByName = Readonly<Record<string, string>>

function conditionOf(columns: ColumnsByName, name: string, value: unknown, reading?: Reading): Expression<SqlBool>[] {
  if (value === undefined || value === '') return []
  const column = columns[name]
  if (column === undefined && typeof value === 'number') return [sql<SqlBool>`${inDetail(name)} = ${String(value)}`]
  if (column === undefined) return [nameContains(inDetail(name), String(value), 'rows')]
  if (column === SUBJECT_IDX) return [startsWith(column, String(value))]
  if (typeof value === 'string') return [(isName(name) ? nameContains : contains)(column, value, reading)]
  return [sql<SqlBool>`${sql.ref(column)} = ${value}`]
}

/** The list of nested entries that have a field; undefined for a field of the row itself. */
const listWith = (log: StoredLog, name: string): string | undefined =>
  name in LOGS[log].fields
    ? undefined
    : Object.entries<Lists[string]>(LOGS[log].lists).find(([, { fields }]) => name in fields)?.[0]

const nestedContains = (list: string, name: string, text: string) => sql<SqlBool>`exists (
  select from jsonb_array_elements(history.detail -> ${list}) nested (entry)
  where ${nameContains(sql`nested.entry ->> ${name}`, text, 'rows')})`

function entryConditionOf(log: StoredLog, name: string, value: unknown, reading?: Reading): Expression<SqlBool>[] {
  const list = listWith(log, name)
  if (list !== undefined) return value ? [nestedContains(list, name, String(value))] : []
  return conditionOf(HISTORY_COLUMNS, name, value, reading)
}

const within = (column: string, { logSDT, logEDT }: Range, inHour?: HourCondition): Expression<SqlBool>[] => [
  ...(logSDT === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} >= ${new Date(logSDT)}`]),
  ...(logEDT === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} < ${new Date(logEDT)}`]),
  ...(inHour === undefined ? [] : [inHour(column)]),
]

const signInFilters = (log: SignInLog, filter: LogFilter, reading?: Reading): Expression<SqlBool>[] =>
  LOGS[log].filters.flatMap((name) => conditionOf(SIGN_IN_COLUMNS, name, filter[name], reading))
/** By the object of a row, and by what it changed. */
const traceFilters = ({ targetIdx, changed }: LogFilter, applied?: Expression<SqlBool>): Expression<SqlBool>[] => [
  ...(targetIdx === undefined ? [] : [sql<SqlBool>`history."subjectIdx" = ${targetIdx}`]),
  ...(changed === undefined ? [] : [sql<SqlBool>`indexed."changedFields"(history.detail) @> array[${changed}::text]`]),
  ...(applied === undefined ? [] : [applied]),
]
const isTraced = ({ targetIdx, changed, appliesTo }: LogFilter) =>
  targetIdx !== undefined || changed !== undefined || (appliesTo !== undefined && appliesTo !== '')

/** Where an index finds the few rows of a filter. */
export const searchedEntries = (log: StoredLog, filter: LogFilter) =>
  isTraced(filter)
    ? { table: 'history' as const, keys: ['idx', 'logDT'], isIndexed: true }
    : searchedIn('history', textsIn(log, filter), 'logDT')

const entryFilters = (log: StoredLog, filter: LogFilter, { reading, applied }: Omit<Reach, 'scope'>) => [
  ...LOGS[log].filters.flatMap((name) => entryConditionOf(log, name, filter[name], reading)),
  ...traceFilters(filter, applied),
]

const sortsOf = (log: LogName, columns: ColumnsByName, idx: Expression<unknown>) => ({
  ...Object.fromEntries(
    [...LOGS[log].sorts, LOGS[log].time].map((name) => {
      const ref = sql.ref(columns[name] ?? name)
      return [name, isName(name) ? sql`${ref} collate people` : ref]
    }),
  ),
  idx,
})

export const signInSorts = (log: 'clientLogin' | 'webLogin') => sortsOf(log, SIGN_IN_COLUMNS, sql.ref('signIns.idx'))
export const entrySorts = (log: StoredLog) => sortsOf(log, HISTORY_COLUMNS, sql.ref('history.idx'))
/** The months of a history in the order of a page by time. */
export function monthsOf({ sort, sortOrder }: Paging, now: Date): Expression<SqlBool>[] {
  if (sort !== 'logDT') return []
  const months = sortOrder === 1 ? monthsBefore(now) : monthsBefore(now).toReversed()
  return months.map(({ since, until }) => sql`"logDT" >= ${since} and "logDT" < ${until}`)
}
/**
 * The same for rows that are found by what they changed. Not as in an index: in its order, PostgreSQL would compute
 * the changes of each row, which takes half a minute where most of the matches are in another month.
 */
export const changeSorts = (log: StoredLog) => ({
  ...entrySorts(log),
  logDT: sql`history."logDT" at time zone 'UTC'`,
  idx: sql`history.idx + 0`,
})

/** The rows of a log, those that a viewer reads, and those that match a filter: for lists, and to be counted. */
export type Source = {
  table: 'history' | 'signIns' | 'fileEximports'
  time: string
  rows: Expression<SqlBool>[]
  scope: Expression<SqlBool>
  matches: Expression<SqlBool>[]
}

/** The database gives out no other numbers: such rows were forged, which is a fault of its own. */
const isGivenOut = (table: 'history' | 'signIns') => sql<SqlBool>`${sql.ref(`${table}.idx`)} > 0`

export const signInSource = (log: SignInLog, { scope, inHour, reading }: Reach, filter: LogFilter): Source => ({
  table: 'signIns',
  time: 'signIns.loginDT',
  rows: [sql<SqlBool>`"signIns".kind = ${log === 'clientLogin' ? 'client' : 'web'}`],
  scope: scope(sql.ref('signIns.groupIdx')),
  matches: [...within('signIns.loginDT', filter, inHour), ...signInFilters(log, filter, reading)],
})
const signInsOf = (db: Reader, reach: Reach, log: SignInLog, filter: LogFilter) => {
  const { rows, scope, matches } = signInSource(log, reach, filter)
  return db.selectFrom('signIns').where((eb) => eb.and([...rows, isGivenOut('signIns'), scope, ...matches]))
}

/** Sign-ins and failed attempts, unsorted. */
export const matchSignIns = (db: Reader, reach: Reach, log: SignInLog, filter: LogFilter) =>
  signInsOf(db, reach, log, filter).select([
    'signIns.idx',
    'signIns.userIdx as targetIdx',
    'signIns.loginDT',
    'signIns.logoutDT',
    'signIns.userId',
    'signIns.userName',
    'signIns.userGroupName',
    'signIns.ip',
    'signIns.userRole',
    'signIns.type',
    'signIns.logoutType',
    'signIns.clientVersion',
    'signIns.deviceName',
  ])

/** The names of a log's nested entries. */
export const listsOf = (log: StoredLog): string[] => Object.keys(LOGS[log].lists)

const nestedCount = (log: StoredLog) => {
  const counts = listsOf(log).map((name) => sql`coalesce(jsonb_array_length(history.detail -> ${name}), 0)`)
  return counts.length === 0 ? sql<number>`0` : sql<number>`${sql.join(counts, sql` + `)}`
}

const COLUMNS = [
  'history.idx',
  'history.logDT',
  'history.type',
  'history.result',
  'history.actorId',
  'history.actorName',
  'history.actorGroupName',
  'history.ip',
  'history.subjectIdx',
  'history.subjectIdx as targetIdx',
  'history.actorIdx',
  'history.subject',
] as const

/** Whether a viewer reads a row: of its group, or of the group that the user of the row left (`historyFormerGroup`). */
function isReached(scope: Scope, log: StoredLog): Expression<SqlBool> {
  const isOfGroup = scope(sql.ref('history.groupIdx'))
  if (log !== 'userManage' || isUnbounded(scope)) return isOfGroup
  const isOfFormer = scope(sql<number>`(history.detail ->> 'formerGroupIdx')::bigint`)
  return sql<SqlBool>`(${isOfGroup} or (history.detail ? 'formerGroupIdx' and ${isOfFormer}))`
}

const isOfKind = (log: StoredLog) => sql<SqlBool>`history.kind = ${log}`
const entriesOf = (db: Reader, scope: Scope, log: StoredLog) =>
  db.selectFrom('history').where((eb) => eb.and([isOfKind(log), isGivenOut('history'), isReached(scope, log)]))

export const entrySource = (log: StoredLog, { scope, ...reach }: Reach, filter: LogFilter): Source => ({
  table: 'history',
  time: 'history.logDT',
  rows: [isOfKind(log)],
  scope: isReached(scope, log),
  matches: [...within('history.logDT', filter, reach.inHour), ...entryFilters(log, filter, reach)],
})
const matchesOf = (db: Reader, reach: Reach, log: StoredLog, filter: LogFilter) => {
  const { matches } = entrySource(log, reach, filter)
  return entriesOf(db, reach.scope, log).where((eb) => eb.and(matches))
}

/** Nested entries of a row at most in its cell of a CSV file, which names the number of the others. */
const MAX_NESTED = 1_000

/** The nested entries of a CSV file: those that are not both old and new, as in the detail on the screen. */
export const changedEntries = (list: string) => sql`(
  select jsonb_build_object('count', count(*), 'entries', jsonb_agg(entry order by no) filter (where place <= ${sql.lit(MAX_NESTED)}))
  from (
    select entry, no, row_number() over (order by no) as place from (
      select entry, no,
        bool_or(entry ->> 'isOld' = '1') over same and bool_or(entry ->> 'isOld' = '0') over same as "isUnchanged"
      from jsonb_array_elements(history.detail -> ${list}) with ordinality nested (entry, no)
      window same as (partition by entry - '{isOld,idx}'::text[])) compared
    where "isUnchanged" is not true) changed)`

/** Rows of a log without their nested entries, of which there may be thousands in each, unsorted. */
export const matchEntries = (db: Reader, reach: Reach, log: StoredLog, filter: LogFilter) =>
  matchesOf(db, reach, log, filter)
    .select(COLUMNS)
    .select([
      sql<Record<string, unknown>>`history.detail - ${listsOf(log)}::text[]`.as('detail'),
      nestedCount(log).as('nestedCount'),
    ])

/** The nested entries of some rows, by the rows' numbers. */
export async function findNested(
  db: Reader,
  log: StoredLog,
  idxes: readonly number[],
): Promise<Map<number, Record<string, unknown>>> {
  if (idxes.length === 0) return new Map()
  const rows = await db
    .selectFrom('history')
    .select(['idx', sql<Record<string, unknown>>`history.detail`.as('detail')])
    .where('history.kind', '=', log)
    .where('history.idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .execute()
  const names = new Set(listsOf(log))
  return new Map(
    rows.map(({ idx, detail }) => [
      idx,
      Object.fromEntries(Object.entries(detail).filter(([name]) => names.has(name))),
    ]),
  )
}

/** One row with all of its detail. */
export const findEntry = (db: Reader, scope: Scope, log: StoredLog, idx: number) =>
  entriesOf(db, scope, log)
    .select(COLUMNS)
    .select(sql<Record<string, unknown>>`history.detail`.as('detail'))
    .where('history.idx', '=', idx)
    .executeTakeFirst()

export type EntryRow = NonNullable<Awaited<ReturnType<typeof findEntry>>>
