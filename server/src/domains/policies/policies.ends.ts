// When policies and their exceptions end: an own policy's end is changed, and exceptions that have ended are removed.
import { type EndChange, endAfter, isSameEnd, type StoredEnd } from '@acc/contract/ends'
import { PolicyManage } from '@acc/contract/labels/history'
import { sql } from 'kysely'
import { type HistoryEntry, notify } from '../../core/change.ts'
import { endColumns, isCurrent, requireEnds } from '../../core/ends.ts'
import { withOldValues } from '../../core/historyValues.ts'
import type { Viewer } from '../../core/scope.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { policyLog, updateLogs } from './policies.history.ts'
import {
  findLists,
  findPoliciesUp,
  findPolicyForUpdate,
  findPolicyOwner,
  lockOwner,
  type OwnerRow,
  updatePolicyRow,
} from './policies.queries.ts'

type Entries = HistoryEntry<'policyManage'>[]

export const endOf = ({ endDT, endReason }: { endDT: Date | null; endReason: string | null }): StoredEnd => ({
  endDT: endDT?.toISOString() ?? null,
  endReason,
})

/** Changes when a person's own policy ends. */
export async function changeEnd(tx: Tx, actor: Viewer, row: OwnerRow, change: EndChange): Promise<Entries> {
  const [own] = await findPoliciesUp(tx, row)
  if (own === undefined) throw new Error('the root has no policy')
  const before = endOf(own)
  const after = endAfter(change, before)
  if (isSameEnd(before, after)) return []
  await requireEnds(tx, [after], 'endDT')
  await updatePolicyRow(tx, own.idx, endColumns(after, actor.idx))
  await notify(tx, { topic: 'policies', idx: own.idx, groupIdx: row.groupIdx })
  return [policyLog(PolicyManage.UPDATE_END, row, withOldValues('target', after, before))]
}

const isEnded = (table: string) => sql<boolean>`not ${isCurrent(table)}`

/** The people whose own policy has ended. */
export async function findEndedPolicies(db: Reader, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('policies')
    .select(sql<number>`"userIdx"`.as('userIdx'))
    .where('userIdx', 'is not', null)
    .where(isEnded('policies'))
    .limit(limit)
    .execute()
  return rows.map(({ userIdx }) => userIdx)
}

/** The policies with an exception that has ended. */
export async function findPoliciesWithEnded(db: Reader, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('policyNetworkExceptions as e')
    .select('e.policyIdx')
    .distinct()
    .where(isEnded('e'))
    .limit(limit)
    .execute()
  return rows.map(({ policyIdx }) => policyIdx)
}

/** Removes the exceptions of a policy that have ended. A policy that has ended itself is left alone. */
export async function removeEndedExceptions(tx: Tx, idx: number): Promise<Entries> {
  const owner = await findPolicyOwner(tx, idx)
  const row = owner && (await lockOwner(tx, owner))
  const stored = row && (await findPolicyForUpdate(tx, idx))
  if (row === undefined || stored === undefined) return []
  const findContents = async () => ({
    ...stored,
    ...(await findLists(tx, idx)),
  })
  const before = await findContents()
  await tx
    .deleteFrom('policyNetworkExceptions')
    .where('policyIdx', '=', idx)
    .where(isEnded('policyNetworkExceptions'))
    .execute()
  await updatePolicyRow(tx, idx, {})
  await notify(tx, { topic: 'policies', idx, groupIdx: row.groupIdx })
  return updateLogs(row, { before, after: await findContents() })
}
