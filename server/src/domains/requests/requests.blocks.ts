// Blocks of requests in any state: an account that cannot be used, or a policy that blocks exports by now. The
// request is shown and can be rejected; nobody approves it or receives its files until that ends.
import { FileExport } from '@acc/contract/labels/policies'
import { RequestBlock, Transfer } from '@acc/contract/labels/requests'
import { UserState } from '@acc/contract/labels/users'
import { type Expression, sql } from 'kysely'
import type { FindPeople } from '../../core/change.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { userPolicy } from '../policies/policies.queries.ts'
import type { DownloadRule } from './requests.downloadLimits.ts'

/** The requester's account and policy at this moment; `lastDay` is null for accounts without an end. */
type RequesterNow = DownloadRule & { state: number; lastDay: string | null; fileExport: number }

/** A requester's account and policy as one column: of a list, for the rows of its page alone. */
export const requesterNow = (db: Reader, requesterIdx: number | Expression<number>) =>
  userPolicy(db, requesterIdx)
    .clearSelect()
    .select(
      sql<RequesterNow>`json_build_object('state', users.state, 'fileExport', policies."fileExport",
        'downloadCount', policies."downloadCount", 'downloadDays', policies."downloadDays",
        'lastDay', case when users."isMortal" = 1 then users."expireDT" end)`.as('now'),
    )

/** The requester of a row of requests. */
export const REQUESTER = sql<number>`"fileEximports"."requesterIdx"`

/** Returns the block of a request or null. Decided requests of deleted people have none. */
export function blockOf(
  type: Transfer,
  requester: RequesterNow | null | undefined,
  today: string,
): RequestBlock | null {
  if (!requester) return null
  const { state, lastDay, fileExport } = requester
  if ((state & UserState.DISABLED) !== 0) return RequestBlock.SUSPENDED
  if (lastDay !== null && lastDay < today) return RequestBlock.EXPIRED
  return type === Transfer.EXPORT && fileExport === FileExport.BLOCK ? RequestBlock.POLICY : null
}

type Requested = { type: Transfer; requesterIdx: number | null }

export async function findBlock(db: Reader, { type, requesterIdx }: Requested, today: string) {
  if (requesterIdx === null) return null
  return blockOf(type, (await requesterNow(db, requesterIdx).executeTakeFirst())?.now, today)
}

/** Holds the policy that applies to a requester until the transaction ends. */
export async function lockAppliedPolicy(tx: Tx, requesterIdx: number): Promise<void> {
  const applied = userPolicy(tx, requesterIdx).clearSelect().select('policies.idx')
  await tx.selectFrom('policies').select('idx').where('idx', 'in', applied).forShare().execute()
}

/**
 * Finds the requesters of requests, whose accounts a decision holds: they are suspended or deleted before it or after
 * it.
 */
export const requestersOf =
  (requestIdxes: readonly number[]): FindPeople =>
  async (tx) => {
    const rows = await tx
      .selectFrom('fileEximports')
      .select('requesterIdx')
      .distinct()
      .where('idx', '=', sql<number>`any(${requestIdxes}::bigint[])`)
      .execute()
    return { userIdxes: rows.flatMap(({ requesterIdx }) => requesterIdx ?? []), isChange: false }
  }
