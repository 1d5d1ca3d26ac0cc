// Blocks of requests in any state: an account that cannot be used, or a policy that blocks exports by now. The
// request is shown and can be rejected; nobody approves it or receives its files until that ends.
import { FileExport } from '@acc/contract/labels/policies'
import { RequestBlock, Transfer } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { type Expression, sql } from 'kysely'
import type { FindPeople } from '../../core/change.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { compiledOnce } from '../../db/statement.ts'
import { userPolicy } from '../policies/policies.queries.ts'
import type { DownloadRule } from './requests.downloadLimits.ts'
import { isReached, type Reach } from './requests.queries.ts'

/** The requester's account and policy at this moment; `lastDay` is null for accounts without an end. */
type RequesterNow = DownloadRule & { state: number; lastDay: string | null; fileExport: number }

const selectRequesters = compiledOnce((db, idxes: Expression<readonly number[]>) =>
  userPolicy(db, sql`any(${idxes}::bigint[])`)
    .clearSelect()
    .select(['users.idx', 'users.state'])
    .select(['policies.fileExport', 'policies.downloadCount', 'policies.downloadDays'])
    .select(sql<string | null>`case when users."isMortal" = 1 then users."expireDT" end`.as('lastDay')),
)

/** Finds the accounts and policies of the requesters of some requests, by their numbers. */
export async function findRequesters(
  db: Reader,
  requests: readonly { requesterIdx: number | null }[],
): Promise<Map<number | null, RequesterNow>> {
  const idxes = requests.flatMap(({ requesterIdx }) => requesterIdx ?? [])
  return new Map((await selectRequesters(db, [...new Set(idxes)])).map((row) => [row.idx, row]))
}

/** Returns the block of a request or null. Decided requests of deleted people have none. */
export function blockOf(type: Transfer, requester: RequesterNow | undefined, today: string): RequestBlock | null {
  if (!requester) return null
  const { state, lastDay, fileExport } = requester
  if ((state & UserState.DISABLED) !== 0) return RequestBlock.SUSPENDED
  if (lastDay !== null && lastDay < today) return RequestBlock.EXPIRED
  return type === Transfer.EXPORT && fileExport === FileExport.BLOCK ? RequestBlock.POLICY : null
}

type Requested = { type: Transfer; requesterIdx: number | null }

export async function findBlock(db: Reader, request: Requested, today: string) {
  const requesters = await findRequesters(db, [request])
  return blockOf(request.type, requesters.get(request.requesterIdx), today)
}

/** Holds the policy that applies to a requester until the transaction ends. */
export async function lockAppliedPolicy(tx: Tx, requesterIdx: number): Promise<void> {
  const applied = userPolicy(tx, requesterIdx).clearSelect().select('policies.idx')
  await tx.selectFrom('policies').select('idx').where('idx', 'in', applied).forShare().execute()
}

/**
 * Finds the requesters of the named requests within reach, whose accounts a decision holds: they are suspended or
 * deleted before it or after it.
 */
export const requestersOf =
  (requestIdxes: readonly number[], reach: Reach): FindPeople =>
  async (tx) => {
    const rows = await tx
      .selectFrom('fileEximports')
      .select('requesterIdx')
      .distinct()
      .where('idx', '=', sql<number>`any(${requestIdxes}::bigint[])`)
      .where((eb) => isReached(eb, reach))
      .execute()
    return { userIdxes: rows.flatMap(({ requesterIdx }) => requesterIdx ?? []), isChange: false }
  }
