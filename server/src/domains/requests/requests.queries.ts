// Requests as rows (spec S2 §3): found within a scope or by their requester, searched, updated.
import { RequestState, Transfer } from '@acc/contract/labels/requests'
import type { FileEximportFilter } from '@acc/contract/requestFilter'
import { WAITING } from '@acc/contract/requestState'
import { type Expression, type ExpressionBuilder, type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../core/scope.ts'
import { filterBy } from '../../db/filters.ts'
import type { Reader, Tx } from '../../db/open.ts'
import type { DB, FileEximports } from '../../db/schema.gen.ts'
import { contains, nameContains, type Reading, startsWith } from '../../db/search.ts'
import { type Approver, isFirstOf, isToReview, waitsFor } from './requestSteps.queries.ts'

export type RequestRow = Selectable<FileEximports>

/**
 * The viewer's scope by direction of the request, since exports and imports are granted separately. `also`: requests of
 * other groups.
 */
export type Reach = { [Transfer.IMPORT]: Scope; [Transfer.EXPORT]: Scope; also?: Expression<SqlBool> }

export const isReached = (eb: ExpressionBuilder<DB, 'fileEximports'>, reach: Reach): Expression<SqlBool> =>
  eb.or([
    ...[Transfer.IMPORT, Transfer.EXPORT].map((type) =>
      eb.and([eb('fileEximports.type', '=', type), reach[type](eb.ref('fileEximports.requesterGroupIdx'))]),
    ),
    ...(reach.also === undefined ? [] : [reach.also]),
  ])

const requestOf = (db: Reader, idx: number) =>
  db.selectFrom('fileEximports').selectAll('fileEximports').where('fileEximports.idx', '=', idx)

/** A request that the viewer reaches. */
export const findRequest = (db: Reader, idx: number, reach: Reach): Promise<RequestRow | undefined> =>
  requestOf(db, idx)
    .where((eb) => isReached(eb, reach))
    .executeTakeFirst()

/** Locks the requests that the viewer reaches, in the order of their numbers, until the transaction ends. */
export const lockReached = (tx: Tx, idxes: readonly number[], reach: Reach): Promise<RequestRow[]> =>
  tx
    .selectFrom('fileEximports')
    .selectAll('fileEximports')
    .where('fileEximports.idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .where((eb) => isReached(eb, reach))
    .orderBy('fileEximports.idx')
    .forUpdate()
    .execute()

/** Columns that a step changes in a locked request. */
export const updateRequest = (tx: Tx, idx: number, values: Partial<Omit<RequestRow, 'idx'>>): Promise<RequestRow> =>
  tx.updateTable('fileEximports').set(values).where('idx', '=', idx).returningAll().executeTakeFirstOrThrow()

/** The same columns of several locked requests. */
export const updateRequests = (tx: Tx, idxes: readonly number[], values: Partial<Omit<RequestRow, 'idx'>>) =>
  tx.updateTable('fileEximports').set(values).where('idx', '=', sql<number>`any(${idxes}::bigint[])`).execute()

/** The names of the groups from the root down to one, as far as the viewer reaches them. */
export async function findGroupPath(db: Reader, groupIdx: number, scope: Scope): Promise<string[]> {
  const rows = await db
    .selectFrom('groups')
    .select('groups.name')
    .where('groups.idx', '=', sql<number>`any((select g.path from groups g where g.idx = ${groupIdx})::bigint[])`)
    .where((eb) => scope(eb.ref('groups.idx')))
    .orderBy(sql`cardinality(groups.path)`)
    .execute()
  return rows.map(({ name }) => name)
}

/** What the requester moved the same way since `from` and before this request, as far as the viewer reaches it. */
export const findRecent = (db: Reader, { idx, type, requesterIdx, requestDT }: RequestRow, from: Date, scope: Scope) =>
  db
    .selectFrom('fileEximports')
    .select((eb) => {
      const moved = eb('state', 'in', [RequestState.APPROVED, RequestState.ALLOWED])
      return [
        eb.fn.countAll<number>().filterWhere(moved).as('count'),
        sql<number>`coalesce(sum("fileSize") filter (where ${moved}), 0)::bigint`.as('size'),
        eb.fn.countAll<number>().filterWhere('state', '=', RequestState.REJECTED).as('rejected'),
      ]
    })
    .where('requesterIdx', '=', requesterIdx)
    .where('type', '=', type)
    .where('idx', '!=', idx)
    .where('requestDT', '>=', from)
    .where('requestDT', '<=', requestDT)
    .where((eb) => scope(eb.ref('fileEximports.requesterGroupIdx')))
    .executeTakeFirstOrThrow()

/** Counts what else of the requester waits the same way, as far as the viewer reaches it. */
export async function countOthersWaiting(db: Reader, { idx, type, requesterIdx }: RequestRow, scope: Scope) {
  const { count } = await db
    .selectFrom('fileEximports')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('requesterIdx', '=', requesterIdx)
    .where(is('type', type))
    .where(is('state', WAITING.state))
    .where(is('isFileUploaded', WAITING.isFileUploaded))
    .where('idx', '!=', idx)
    .where((eb) => scope(eb.ref('fileEximports.requesterGroupIdx')))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the requester's fields that a request stores. */
export const findRequester = (db: Reader, userIdx: number) =>
  db
    .selectFrom('users')
    .innerJoin('groups', 'groups.idx', 'users.groupIdx')
    .select([
      'users.idx as requesterIdx',
      'users.id as requesterId',
      'users.name as requesterName',
      'users.email as requesterEmail',
      'groups.idx as requesterGroupIdx',
      'groups.name as requesterGroupName',
    ])
    .where('users.idx', '=', userIdx)
    .executeTakeFirstOrThrow()

export const insertRequest = (tx: Tx, request: Insertable<FileEximports>): Promise<RequestRow> =>
  tx.insertInto('fileEximports').values(request).returningAll().executeTakeFirstOrThrow()

/** The keys of advisory locks of requesters begin here; a user's idx is added. */
const REQUESTER_LOCKS = 4_802_000_000_000

/** Lets one request of a person be created at a time, until the transaction ends. */
export const lockRequester = (tx: Tx, requesterIdx: number) =>
  sql`select pg_advisory_xact_lock(${REQUESTER_LOCKS + requesterIdx})`.execute(tx)

/** Returns the number and the announced bytes of a person's requests that are undecided or incomplete. */
export const findOpenSum = (db: Reader, requesterIdx: number): Promise<{ count: number; bytes: number }> =>
  db
    .selectFrom('fileEximports')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select(sql<number>`coalesce(sum("fileSize"), 0)::bigint`.as('bytes'))
    .where('requesterIdx', '=', requesterIdx)
    .where(isOpen)
    .executeTakeFirstOrThrow()

/** Locks an own request until the transaction ends. */
export const findOwnForUpdate = (tx: Tx, userIdx: number, idx: number): Promise<RequestRow | undefined> =>
  tx
    .selectFrom('fileEximports')
    .selectAll()
    .where('idx', '=', idx)
    .where('requesterIdx', '=', userIdx)
    .forUpdate()
    .executeTakeFirst()

const isOpen = (eb: ExpressionBuilder<DB, 'fileEximports'>) =>
  eb.or([
    eb('state', '=', RequestState.REQUESTED),
    eb.and([eb('state', '=', RequestState.ALLOWED), eb('isFileUploaded', '=', 0)]),
  ])

/** Locks the undecided and incomplete requests of some people until the transaction ends. */
export const lockOpen = (tx: Tx, requesterIdxes: readonly number[]): Promise<RequestRow[]> =>
  tx
    .selectFrom('fileEximports')
    .selectAll()
    .where('requesterIdx', '=', sql<number>`any(${requesterIdxes}::bigint[])`)
    .where(isOpen)
    .orderBy('idx')
    .forUpdate()
    .execute()

/** Own requests, unsorted. */
export const matchOwn = (db: Reader, userIdx: number) =>
  db
    .selectFrom('fileEximports')
    .select(['idx', 'type', 'state', 'requestDT', 'approveDT', 'completeDT', 'approverName'])
    .select(['requestPurpose', 'approvePurpose', 'isFileUploaded'])
    .select(['fileCount', 'fileSize', 'filesRemovedDT', 'waitDT', 'step', 'steps as stepCount'])
    .select(['urgentReason', 'reviewDueDT'])
    .where('requesterIdx', '=', userIdx)

/** Incomplete requests created before a moment. */
export const findAbandoned = (db: Reader, before: Date, limit: number) =>
  db
    .selectFrom('fileEximports')
    .select('idx')
    .where('requestDT', '<=', before)
    .where('isFileUploaded', '=', 0)
    .where('state', 'in', [RequestState.REQUESTED, RequestState.ALLOWED])
    .orderBy('requestDT')
    .limit(limit)
    .execute()

/** Locks a request until the transaction ends. */
export const findForUpdate = (tx: Tx, idx: number): Promise<RequestRow | undefined> =>
  tx.selectFrom('fileEximports').selectAll().where('idx', '=', idx).forUpdate().executeTakeFirst()

/** The columns of request lists. */
const LISTED = [
  'fileEximports.idx',
  'fileEximports.type',
  'fileEximports.requesterIdx',
  'fileEximports.requesterId',
  'fileEximports.requesterName',
  'fileEximports.requesterEmail',
  'fileEximports.requesterGroupName',
  'fileEximports.requesterGroupIdx',
  'fileEximports.approverId',
  'fileEximports.approverName',
  'fileEximports.approverGroupName',
  'fileEximports.state',
  'fileEximports.requestDT',
  'fileEximports.approveDT',
  'fileEximports.requestPurpose',
  'fileEximports.approvePurpose',
  'fileEximports.isFileUploaded',
  'fileEximports.fileCount',
  'fileEximports.fileSize',
  'fileEximports.filesRemovedDT',
  'fileEximports.waitDT',
  'fileEximports.step',
  'fileEximports.steps as stepCount',
  'fileEximports.urgentReason',
  'fileEximports.reviewDueDT',
] as const

const is = (column: 'type' | 'state' | 'isFileUploaded', value: number) =>
  // Enumerations as literals: a list of one state is then a constant statement.
  sql<SqlBool>`${sql.ref(`fileEximports.${column}`)} = ${sql.lit(value)}`
const requesterId = (text: string, reading: Reading) => contains('fileEximports.requesterId', text, reading)

/** Filters that the list of requests and their history have in common. */
export const REQUEST_TEXTS = {
  idx: (text: string) => startsWith('fileEximports.idx', text),
  requesterId,
  requesterID: requesterId,
  requesterName: (text: string, reading: Reading) => nameContains('fileEximports.requesterName', text, reading),
  requesterGroupName: (text: string) => nameContains('fileEximports.requesterGroupName', text),
  approverName: (text: string) => nameContains('fileEximports.approverName', text),
}
export const REQUEST_FILTERS = {
  type: (type: Transfer) => is('type', type),
  state: (state: RequestState) => is('state', state),
}
/** Filters of their history alone. */
export const HISTORY_TEXTS = {
  approverId: (text: string) => contains('fileEximports.approverId', text),
  fileName: (text: string) => sql<SqlBool>`exists (
    select from "requestFiles" where "requestFiles"."fileEximportIdx" = "fileEximports".idx
    and ${nameContains('requestFiles.fileName', text)})`,
}

export const requestedFrom = (moment: string) => sql<SqlBool>`"fileEximports"."requestDT" >= ${new Date(moment)}`
export const requestedBefore = (moment: string) => sql<SqlBool>`"fileEximports"."requestDT" < ${new Date(moment)}`

/**
 * The filters of the list of requests. Of number, ID and name one that matches may be enough. `undecidable`: the
 * requests that nobody can decide, where they are asked for.
 */
export const filterRequests = (query: FileEximportFilter, approver: Approver, undecidable: readonly number[] = []) =>
  filterBy(
    query,
    REQUEST_TEXTS,
    {
      ...REQUEST_FILTERS,
      isFileUploaded: (isUploaded) => is('isFileUploaded', isUploaded),
      isDecidable: (isDecidable) => {
        if (isDecidable === 0) return undefined
        return query.isToReview === 1 ? isFirstOf(approver) : waitsFor(approver)
      },
      isToReview: (isAsked) => (isAsked === 1 ? isToReview : undefined),
      isUndecidable: (isUndecidable) =>
        isUndecidable === 1 ? sql<SqlBool>`"fileEximports".idx = any(${undecidable}::bigint[])` : undefined,
      requestSDT: requestedFrom,
      requestEDT: requestedBefore,
      overdueFirst: null,
      groupIdxes: null,
    },
    ['idx', 'requesterId', 'requesterID', 'requesterName'],
  )

/** Requests of a scope, unsorted. */
export const matchRequests = (db: Reader, scope: Scope, condition: Expression<SqlBool>) =>
  db
    .selectFrom('fileEximports')
    .select(LISTED)
    .where((eb) => scope(eb.ref('fileEximports.requesterGroupIdx')))
    .where(condition)

const people = (column: string) => sql`${sql.ref(column)} collate people`
export const REQUEST_SORTS = {
  idx: sql.ref('fileEximports.idx'),
  state: sql.ref('fileEximports.state'),
  requesterId: sql.ref('fileEximports.requesterId'),
  requesterName: people('fileEximports.requesterName'),
  requesterGroupName: people('fileEximports.requesterGroupName'),
  fileCount: sql.ref('fileEximports.fileCount'),
  fileSize: sql.ref('fileEximports.fileSize'),
  requestDT: sql.ref('fileEximports.requestDT'),
  approveDT: sql.ref('fileEximports.approveDT'),
  approverName: people('fileEximports.approverName'),
}
