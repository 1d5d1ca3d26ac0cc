// Exceptions of a policy (spec S1 §3, §5): read in one expression with the policy's values, written as complete lists.
// Only differing rows change.
import { endAfter, NO_END, type StoredEnd } from '@acc/contract/ends'
import {
  type ExceptionLists,
  type LoopbackException,
  type NetworkException,
  NO_EXCEPTIONS,
  type StoredExceptions,
} from '@acc/contract/policyExceptions'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { endColumns, isCurrent, momentJson, requireEnds } from '../../core/ends.ts'
import { fail } from '../../core/errors.ts'
import type { Tx } from '../../db/open.ts'

const networkExceptions = (
  isLocal: 0 | 1,
  condition: RawBuilder<SqlBool>,
): RawBuilder<StoredExceptions['policyNetworkExceptions']> => sql`(
  select coalesce(json_agg(json_build_object('idx', e.idx, 'description', e.description, 'type', e.type,
    'ip1', e.ip1, 'ip2', e.ip2, 'port', e.port, 'access', e.access,
    'endDT', ${momentJson('e.endDT')}, 'endReason', e."endReason") order by e.idx), '[]')
  from "policyNetworkExceptions" e
  where e."policyIdx" = policies.idx and e."isLocal" = ${sql.lit(isLocal)} and ${condition})`

const loopbackExceptions: RawBuilder<StoredExceptions['policyLoopbackExceptions']> = sql`(
  select coalesce(json_agg(json_build_object('idx', e.idx, 'policyIdx', e."policyIdx", 'description', e.description,
    'processName', e."processName") order by e.idx), '[]')
  from "policyLoopbackExceptions" e where e."policyIdx" = policies.idx)`

const exceptionColumns = (condition: RawBuilder<SqlBool>) =>
  [
    networkExceptions(0, condition).as('policyNetworkExceptions'),
    networkExceptions(1, condition).as('policyLocalNetworkExceptions'),
    loopbackExceptions.as('policyLoopbackExceptions'),
  ] as const

/** The lists of the policy of a statement's row, without ended exceptions. */
export const EXCEPTION_COLUMNS = exceptionColumns(isCurrent('e'))

/** The same with exceptions that have ended, until they are removed. */
export const STORED_EXCEPTION_COLUMNS = exceptionColumns(sql`true`)

/** A digest of the exceptions of the policy of a statement's row that have not ended, without their idxes. */
export const exceptionsDigest = sql<string>`md5(concat(
  (select string_agg(json_build_array(e."isLocal", e.description, e.type, e.ip1, e.ip2, e.port, e.access)::text, '' order by e.idx)
    from "policyNetworkExceptions" e where e."policyIdx" = policies.idx and ${isCurrent('e')}),
  (select string_agg(json_build_array(e.description, e."processName")::text, '' order by e.idx)
    from "policyLoopbackExceptions" e where e."policyIdx" = policies.idx)))`

/** The rows of one list. */
type Store<T> = {
  insert(tx: Tx, policyIdx: number, rows: readonly T[]): Promise<unknown>
  update(tx: Tx, policyIdx: number, row: T): Promise<unknown>
  remove(tx: Tx, policyIdx: number, idxes: readonly number[]): Promise<unknown>
}

type EndingException = NetworkException & StoredEnd

/** The columns that an edit sets, in the order by which rows are compared. */
const networkContent = ({ description, type, ip1, ip2, port, access, endDT, endReason }: EndingException) => ({
  description,
  type,
  ip1,
  ip2,
  port,
  access,
  endDT,
  endReason,
})
const loopbackContent = ({ description, processName }: LoopbackException) => ({ description, processName })

/** Who edits, and whether the rows are those of another policy, whose ends are kept as they are. */
type Edit = { setBy: number; isCopy?: true }

const networkStore = (isLocal: 0 | 1, { setBy }: Edit): Store<EndingException> => ({
  insert: (tx, policyIdx, rows) =>
    tx
      .insertInto('policyNetworkExceptions')
      .values(rows.map((row) => ({ policyIdx, isLocal, ...networkContent(row), ...endColumns(row, setBy) })))
      .execute(),
  update: (tx, policyIdx, row) =>
    tx
      .updateTable('policyNetworkExceptions')
      .set({ ...networkContent(row), ...endColumns(row, setBy) })
      .where('policyIdx', '=', policyIdx)
      .where('idx', '=', row.idx)
      .execute(),
  remove: (tx, policyIdx, idxes) =>
    tx
      .deleteFrom('policyNetworkExceptions')
      .where('policyIdx', '=', policyIdx)
      .where('idx', '=', sql<number>`any(${idxes}::bigint[])`)
      .execute(),
})

const loopbackStore: Store<LoopbackException> = {
  insert: (tx, policyIdx, rows) =>
    tx
      .insertInto('policyLoopbackExceptions')
      .values(rows.map((row) => ({ policyIdx, ...loopbackContent(row) })))
      .execute(),
  update: (tx, policyIdx, row) =>
    tx
      .updateTable('policyLoopbackExceptions')
      .set(loopbackContent(row))
      .where('policyIdx', '=', policyIdx)
      .where('idx', '=', row.idx)
      .execute(),
  remove: (tx, policyIdx, idxes) =>
    tx
      .deleteFrom('policyLoopbackExceptions')
      .where('policyIdx', '=', policyIdx)
      .where('idx', '=', sql<number>`any(${idxes}::bigint[])`)
      .execute(),
}

/** Writes the differences between the stored and the wanted rows of one list. Fails for an idx of no stored row. */
async function saveList<T extends { idx: number }>(
  tx: Tx,
  policyIdx: number,
  store: Store<T>,
  contentOf: (row: T) => object,
  stored: readonly T[],
  wanted: readonly T[],
): Promise<void> {
  const former = new Map(stored.map((row) => [row.idx, JSON.stringify(contentOf(row))]))
  const [added, kept] = [wanted.filter(({ idx }) => idx < 0), wanted.filter(({ idx }) => idx > 0)]
  if (kept.some(({ idx }) => !former.has(idx))) fail('NOT_ALLOWED')
  const keptIdxes = new Set(kept.map(({ idx }) => idx))
  const removed = [...former.keys()].filter((idx) => !keptIdxes.has(idx))
  const changed = kept.filter((row) => JSON.stringify(contentOf(row)) !== former.get(row.idx))
  if (removed.length > 0) await store.remove(tx, policyIdx, removed)
  for (const row of changed) await store.update(tx, policyIdx, row)
  if (added.length > 0) await store.insert(tx, policyIdx, added)
}

/** Rows of one list with their ends. Callers who know no ends keep those of stored rows. */
function withEnds(rows: readonly NetworkException[], stored: readonly EndingException[]): EndingException[] {
  const former = new Map(stored.map((row) => [row.idx, row]))
  return rows.map((row) => ({ ...row, ...endAfter(row, endOf(former.get(row.idx))) }))
}
const endOf = ({ endDT, endReason }: StoredEnd = NO_END): StoredEnd => ({ endDT, endReason })

/** The rows of an edit that are new or changed and name their end. */
function editedEnds(rows: readonly NetworkException[], stored: readonly EndingException[]): EndingException[] {
  const contentOf = (row: EndingException) => JSON.stringify(networkContent(row))
  const former = new Map(stored.map((row) => [row.idx, contentOf(row)]))
  const named = rows.filter(({ idx, endDT }) => endDT !== undefined && (idx < 0 || former.has(idx)))
  return withEnds(named, stored).filter((row) => former.get(row.idx) !== contentOf(row))
}

/** Writes the differences of the given lists; lists that are not given stay as they are. */
export async function saveExceptions(
  tx: Tx,
  policyIdx: number,
  stored: StoredExceptions,
  { policyNetworkExceptions, policyLocalNetworkExceptions, policyLoopbackExceptions }: Partial<ExceptionLists>,
  edit: Edit,
): Promise<void> {
  const network = async (isLocal: 0 | 1, before: EndingException[], after: NetworkException[] = before) => {
    const field = isLocal === 1 ? 'policyLocalNetworkExceptions' : 'policyNetworkExceptions'
    if (edit.isCopy !== true) await requireEnds(tx, editedEnds(after, before), field)
    await saveList(tx, policyIdx, networkStore(isLocal, edit), networkContent, before, withEnds(after, before))
  }
  const loopback = (before: LoopbackException[], after = before) =>
    saveList(tx, policyIdx, loopbackStore, loopbackContent, before, after)
  await network(0, stored.policyNetworkExceptions, policyNetworkExceptions)
  await network(1, stored.policyLocalNetworkExceptions, policyLocalNetworkExceptions)
  await loopback(stored.policyLoopbackExceptions, policyLoopbackExceptions)
}

const asNew = <T>(rows: readonly T[]) => rows.map((row, at) => ({ ...row, idx: -1 - at }))

/** Gives a new policy copies of the exceptions of another one, which end when those end. */
export const insertExceptions = (tx: Tx, policyIdx: number, lists: ExceptionLists, setBy: number) =>
  saveExceptions(
    tx,
    policyIdx,
    NO_EXCEPTIONS,
    {
      policyNetworkExceptions: asNew(lists.policyNetworkExceptions),
      policyLocalNetworkExceptions: asNew(lists.policyLocalNetworkExceptions),
      policyLoopbackExceptions: asNew(lists.policyLoopbackExceptions),
    },
    { setBy, isCopy: true },
  )
