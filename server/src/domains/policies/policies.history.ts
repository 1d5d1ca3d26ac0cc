// History rows about policies (spec S2 §3, policy-management log): owner, old and new values, and lists of which each
// entry is marked old or new.
import { NO_END } from '@acc/contract/ends'
import { PolicyManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import type { PolicyContents } from '@acc/contract/policies'
import { EXCEPTION_LISTS } from '@acc/contract/policyExceptions'
import { NETWORK_FIELDS, POLICY_FIELDS, type PolicyValues } from '@acc/contract/policyValues'
import type { Selectable } from 'kysely'
import type { HistoryEntry } from '../../core/change.ts'
import { type Classes, isUnchanged, markOldAndNew, withOldValues } from '../../core/historyValues.ts'
import type { Policies } from '../../db/schema.gen.ts'
import type { OwnerRow } from './policies.queries.ts'
import { isSameSteps } from './policies.steps.ts'

const CLASSES: Classes<Selectable<Policies>> = {
  idx: 'ignore',
  groupIdx: 'ignore',
  userIdx: 'ignore',
  clipboard: 'track',
  fileExport: 'track',
  uninstall: 'track',
  network: 'track',
  localNetwork: 'track',
  loopback: 'track',
  screenCapture: 'track',
  externalStorage: 'track',
  print: 'track',
  vmExecution: 'track',
  rdpExecution: 'track',
  processExecution: 'track',
  dllInjection: 'track',
  encryption: 'track',
  encryptionDefaultCapacity: 'track',
  encryptionMaxCapacity: 'track',
  offline: 'track',
  offlineDays: 'track',
  urgentExport: 'track',
  urgentReviewHours: 'track',
  downloadCount: 'track',
  downloadDays: 'track',
  fileExportSetBy: 'ignore',
  urgentExportSetBy: 'ignore',
  // Rows about the end alone compare it.
  endDT: 'ignore',
  endReason: 'ignore',
  endSetBy: 'ignore',
  endMailed: 'ignore',
  revision: 'ignore',
}

type PolicyEntry = HistoryEntry<'policyManage'>

/** What applied before and after a change. */
type Step = { before: PolicyContents; after: PolicyContents }

/** All values with their old counterparts, also the unchanged ones: the row is append-only. */
const valueDetail = ({ before, after }: Step) => withOldValues('policy', valuesOf(after), valuesOf(before))

const stepDetail = ({ before, after }: Step) => ({
  policyApprovalSteps: markOldAndNew(before.approvalSteps, after.approvalSteps).map(
    ({ authorityName, type, step, isOld }) => ({ authorityName, type, step, isOld }),
  ),
})

const exceptionDetail = ({ before, after }: Step) => ({
  policyNetworkExceptions: markOldAndNew(before.policyNetworkExceptions, after.policyNetworkExceptions),
  policyLocalNetworkExceptions: markOldAndNew(before.policyLocalNetworkExceptions, after.policyLocalNetworkExceptions),
  policyLoopbackExceptions: markOldAndNew(before.policyLoopbackExceptions, after.policyLoopbackExceptions).map(
    ({ description, processName, isOld }) => ({ description, processName, isOld }),
  ),
})

const shortcutDetail = ({ before, after }: Step) => ({
  policyShortcutWebs: markOldAndNew(before.shortcutWebs, after.shortcutWebs).map(({ name, url, isOld }) => ({
    name,
    url,
    isOld,
  })),
  policyShortcutPrograms: markOldAndNew(before.shortcutPrograms, after.shortcutPrograms).map(
    ({ name, path, isOld }) => ({
      name,
      path,
      isOld,
    }),
  ),
})

/** Values and lists of both sides. */
export const policyDetail = (step: Step) => ({
  ...valueDetail(step),
  ...stepDetail(step),
  ...exceptionDetail(step),
  ...shortcutDetail(step),
})

const NO_VALUES = Object.fromEntries(POLICY_FIELDS.map((field) => [field, null])) as Record<keyof PolicyValues, null>

/** A history row about the policy of a group or a user; users are searched by their sign-in name. */
export const policyLog = (
  type: PolicyManage,
  owner: OwnerRow,
  detail: Partial<PolicyEntry['detail']>,
): PolicyEntry => ({
  kind: 'policyManage',
  type,
  subject: owner.id ?? owner.name,
  subjectIdx: owner.ownerIdx,
  groupIdx: owner.groupIdx,
  detail: {
    targetType: owner.ownerType,
    targetName: owner.name,
    targetId: owner.id,
    targetGroupName: owner.ownerType === OwnerType.USER ? owner.groupName : null,
    diffOwnerName: null,
    // Rows about the one-PC restriction compare no values.
    ...withOldValues('policy', NO_VALUES, null),
    targetIsSinglePC: null,
    targetOldIsSinglePC: null,
    ...withOldValues('target', NO_END, null),
    ...detail,
  },
})

/** The part of a policy that the network tab shows. */
const networkOf = (policy: PolicyContents) =>
  Object.fromEntries([...NETWORK_FIELDS, ...EXCEPTION_LISTS].map((name) => [name, policy[name]]))
/** The part that the shortcut tab shows. Icons are not compared: a policy follows its shortcuts. */
const shortcutsOf = ({ shortcutWebs, shortcutPrograms }: PolicyContents) => ({ shortcutWebs, shortcutPrograms })
const idxesOf = (policy: PolicyContents) =>
  Object.values(shortcutsOf(policy)).map((shortcuts) => shortcuts.map(({ idx }) => idx))

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const isChanged = {
  values: ({ before, after }: Step) => !isUnchanged<PolicyValues>(before, after, CLASSES),
  steps: ({ before, after }: Step) => !isSameSteps(before.approvalSteps, after.approvalSteps),
  exceptions: ({ before, after }: Step) => EXCEPTION_LISTS.some((list) => !isEqual(before[list], after[list])),
  shortcuts: ({ before, after }: Step) => !isEqual(idxesOf(before), idxesOf(after)),
}

/** Whether an edit changed something. */
export const isEdited = (step: Step): boolean => Object.values(isChanged).some((isPartChanged) => isPartChanged(step))

/** The rows of an edit, as far as they differ: environment with approval steps, network, and shortcuts. */
export function updateLogs(owner: OwnerRow, { before, after }: Step): PolicyEntry[] {
  const former = { ...networkOf(before), ...shortcutsOf(before) }
  const environment = { before, after: { ...after, ...former } }
  const network = { before: environment.after, after: { ...after, ...shortcutsOf(before) } }
  const shortcuts = { before: network.after, after }
  const { UPDATE_DESKTOP_ENVIRONMENT, UPDATE_NETWORK, UPDATE_SHORTCUT } = PolicyManage
  const logs: PolicyEntry[] = []
  if (isEdited(environment))
    logs.push(policyLog(UPDATE_DESKTOP_ENVIRONMENT, owner, { ...valueDetail(environment), ...stepDetail(environment) }))
  if (isEdited(network))
    logs.push(policyLog(UPDATE_NETWORK, owner, { ...valueDetail(network), ...exceptionDetail(network) }))
  if (isEdited(shortcuts))
    logs.push(policyLog(UPDATE_SHORTCUT, owner, { ...valueDetail(shortcuts), ...shortcutDetail(shortcuts) }))
  return logs
}

/** The values alone, in the contract's order. */
export const valuesOf = (policy: PolicyValues): PolicyValues => {
  const values: Partial<Record<keyof PolicyValues, number>> = {}
  for (const field of POLICY_FIELDS) values[field] = policy[field]
  return values as PolicyValues
}
