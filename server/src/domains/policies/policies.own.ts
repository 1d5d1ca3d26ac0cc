// Policies that reach the person who changes them: nobody profits from a switch that they set themselves, and managers
// open nothing for their own exports.
import { Role } from '@acc/contract/labels/access'
import { FileExport, Permission } from '@acc/contract/labels/policies'
import { losesStep } from '@acc/contract/policySteps'
import { fail } from '../../core/errors.ts'
import type { Viewer } from '../../core/scope.ts'
import type { Tx } from '../../db/open.ts'
import { findUserPolicy, lockOwnApproval, type UserPolicy } from './policies.queries.ts'
import { findUserSteps } from './policies.steps.ts'

/** Whether a policy lets a person's exports pass without approval: allowed, and not by themselves. */
export const isExportFree = (policy: ExportRule | undefined, userIdx: number): boolean =>
  policy?.fileExport === FileExport.ALLOW && policy.fileExportSetBy !== userIdx
type ExportRule = Pick<UserPolicy, 'fileExport' | 'fileExportSetBy'>

/** Whether a policy lets a person declare exports as urgent: nothing that this needs was set by themselves. */
export const isUrgentFree = (policy: UrgentRule | undefined, userIdx: number): boolean =>
  policy?.urgentExport === Permission.ALLOW &&
  policy.urgentExportSetBy !== userIdx &&
  policy.fileExport !== FileExport.BLOCK &&
  policy.fileExportSetBy !== userIdx
type UrgentRule = ExportRule & Pick<UserPolicy, 'urgentExport' | 'urgentExportSetBy'>

/** Returns which exports of a person pass without an approval: 2 all, 1 urgent ones, 0 none. */
function freedomOf(policy: UrgentRule | undefined, userIdx: number): 0 | 1 | 2 {
  if (isExportFree(policy, userIdx)) return 2
  return isUrgentFree(policy, userIdx) ? 1 : 0
}

/**
 * Runs a change that puts another policy or other steps in force. Fails with SELF_ACTION where more of a manager's own
 * exports would pass, or a step of their own requests would end. Such changes of one person run one after the other,
 * since two together may open more than each alone.
 */
export async function guardOwnApproval<T>(tx: Tx, actor: Viewer, work: () => Promise<T>): Promise<T> {
  if (actor.role === Role.ADMIN) return work()
  await lockOwnApproval(tx, actor.idx)
  const find = async () => ({
    freedom: freedomOf(await findUserPolicy(tx, actor.idx), actor.idx),
    steps: await findUserSteps(tx, actor.idx),
  })
  const before = await find()
  const result = await work()
  const after = await find()
  if (after.freedom > before.freedom || losesStep(before.steps, after.steps)) fail('SELF_ACTION')
  return result
}
