// Approval steps 2 and 3 of a policy: each is decided by the members of an authority. Step 1 has no row.
import type { Transfer } from '@acc/contract/labels/requests'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../db/open.ts'
import { userPolicy } from './policies.queries.ts'

/** A later step of an approval, with its authority. */
export type ApprovalStep = { step: 2 | 3; authorityIdx: number; authorityName: string }

const selectSteps = (db: Reader, requesterIdx: number, type: Transfer): Promise<ApprovalStep[]> =>
  db
    .selectFrom(userPolicy(db, requesterIdx).as('policy'))
    .innerJoin('policyApprovalSteps as steps', 'steps.policyIdx', 'policy.idx')
    .innerJoin('authorities', 'authorities.idx', 'steps.authorityIdx')
    .select(['steps.step', 'authorities.idx as authorityIdx', 'authorities.name as authorityName'])
    .where('steps.type', '=', type)
    .orderBy('steps.step')
    .execute()

/**
 * Returns the later steps that the policy in force gives a person's requests of a direction, in their order. Locks the
 * authorities, so that none is deleted or loses its rights before the transaction ends.
 */
export async function findApprovalSteps(tx: Tx, requesterIdx: number, type: Transfer): Promise<ApprovalStep[]> {
  const steps = await selectSteps(tx, requesterIdx, type)
  if (steps.length === 0) return steps
  const idxes = steps.map(({ authorityIdx }) => authorityIdx)
  const locked = await tx
    .selectFrom('authorities')
    .select('idx')
    .where('idx', '=', sql<number>`any(${idxes}::bigint[])`)
    .orderBy('idx')
    .forKeyShare()
    .execute()
  // An authority can be deleted once the policy names it no longer: the policy has changed since.
  return locked.length === steps.length ? steps : findApprovalSteps(tx, requesterIdx, type)
}
