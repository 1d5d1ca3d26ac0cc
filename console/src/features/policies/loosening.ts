// What makes a policy less strict: looser values, lost approval steps, and exceptions that open more.
import { isLooser, Permission } from '@acc/contract/labels/policies'
import { type LoopbackException, type NetworkException, processKey, targetOf } from '@acc/contract/policyExceptions'
import { losesStep } from '@acc/contract/policySteps'
import { differences, isIdle, type PolicyField } from './policyFields.ts'
import type { Contents, PolicyList } from './policyLists.ts'

/** When an exception ends, so that later ends compare as greater. */
const endTime = ({ endDT }: NetworkException) => (endDT ? Date.parse(endDT) : Number.POSITIVE_INFINITY)

/** Whether a target is allowed that was not, or longer, or is no longer blocked, or shorter. */
function opensNetwork(before: readonly NetworkException[], after: readonly NetworkException[]): boolean {
  const byTarget = (rows: readonly NetworkException[]) => new Map(rows.map((row) => [targetOf(row), row]))
  const [old, current] = [byTarget(before), byTarget(after)]
  const isOpened = (target: string) => {
    const [was, is] = [old.get(target), current.get(target)]
    if (was?.access !== is?.access) return is?.access === Permission.ALLOW || was?.access === Permission.BLOCK
    if (was === undefined || is === undefined) return false
    return is.access === Permission.ALLOW ? endTime(is) > endTime(was) : endTime(is) < endTime(was)
  }
  return [...old.keys(), ...current.keys()].some(isOpened)
}

function opensProcesses(before: readonly LoopbackException[], after: readonly LoopbackException[]): boolean {
  const old = new Set(before.map(processKey))
  return after.some((row) => !old.has(processKey(row)))
}

/** Returns the values and lists by which a policy becomes less strict. Amounts count only while they have an effect. */
export function loosenedIn(before: Contents, after: Contents): Set<PolicyField | PolicyList> {
  const fields = differences(before, after).filter(
    (field) => !isIdle(field, after) && isLooser(field, before[field], after[field]),
  )
  const isOpened = (list: 'policyNetworkExceptions' | 'policyLocalNetworkExceptions') =>
    opensNetwork(before[list], after[list])
  return new Set<PolicyField | PolicyList>([
    ...fields,
    ...(losesStep(before.approvalSteps, after.approvalSteps) ? (['approvalSteps'] as const) : []),
    ...(['policyNetworkExceptions', 'policyLocalNetworkExceptions'] as const).filter(isOpened),
    ...(opensProcesses(before.policyLoopbackExceptions, after.policyLoopbackExceptions)
      ? (['policyLoopbackExceptions'] as const)
      : []),
  ])
}
