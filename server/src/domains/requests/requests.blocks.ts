// Blocks of requests in any state: an account that is suspended or expired, or a policy that blocks exports by now. The
// request is shown and can be rejected; nobody approves it or receives its files until that ends.
import { FileExport } from '@acc/contract/labels/policies'
import { RequestBlock, Transfer } from '@acc/contract/labels/requests'
import { type Expression, sql } from 'kysely'
import { type Clock, today } from '../../clock.ts'
import type { FindPeople } from '../../core/change.ts'
import type { Reader, Tx } from '../../db/open.ts'
import { compiledOnce } from '../../db/statement.ts'
import { type FailLimits, isSuspended } from '../credentials/accountStates.ts'
import { userPolicy } from '../policies/policies.queries.ts'
import type { DownloadRule } from './requests.downloadLimits.ts'
import { isReached, type Reach } from './requests.queries.ts'

/** The requester's account and policy at this moment; `lastDay` is null for accounts without an end. */
type RequesterNow = DownloadRule & {
  state: number
  loginFails: number
  otpFails: number
  lastDay: string | null
  fileExport: number
}

const selectRequesters = compiledOnce((db, idxes: Expression<readonly number[]>) =>
  userPolicy(db, sql`any(${idxes}::bigint[])`)
    .clearSelect()
    .select(['users.idx', 'users.state', 'users.loginFails', 'users.otpFails'])
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

/**
 * Returns the block of a request or null. Decided requests of deleted people have none. A lock after failures is no
 * block: strangers could hold up anybody's requests.
 */
export function blockOf(
  type: Transfer,
  requester: RequesterNow | undefined,
  today: string,
  limits: FailLimits,
): RequestBlock | null {
  if (!requester) return null
  const { lastDay, fileExport } = requester
  if (isSuspended(requester, limits)) return RequestBlock.SUSPENDED
  if (lastDay !== null && lastDay < today) return RequestBlock.EXPIRED
  return type === Transfer.EXPORT && fileExport === FileExport.BLOCK ? RequestBlock.POLICY : null
}

type Requested = { type: Transfer; requesterIdx: number | null }

export async function findBlock(db: Reader, request: Requested, { clock, env }: { clock: Clock; env: FailLimits }) {
  const requesters = await findRequesters(db, [request])
  return blockOf(request.type, requesters.get(request.requesterIdx), today(clock), env)
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
