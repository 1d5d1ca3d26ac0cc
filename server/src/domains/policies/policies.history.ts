// History rows about policies (spec S2 §3, policy-management log): owner, old and new values.
import { PolicyManage } from '@acc/contract/labels/history'
import { OwnerType } from '@acc/contract/labels/policies'
import { NETWORK_FIELDS, POLICY_FIELDS, type PolicyValues } from '@acc/contract/policies'
import type { Selectable } from 'kysely'
import type { HistoryEntry } from '../../core/change.ts'
import { type Classes, type Difference, diff, isUnchanged, withOld } from '../../core/diff.ts'
import type { Policies } from '../../db/schema.gen.ts'
import type { OwnerRow } from './policies.queries.ts'

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
  fileExportSetBy: 'ignore',
  revision: 'ignore',
}

export const policyDiff = (before: PolicyValues, after: PolicyValues): Difference => diff(before, after, CLASSES)

type PolicyEntry = HistoryEntry<'policyManage'>

/** The values that applied before and after a change. */
type Step = { before: PolicyValues; after: PolicyValues }

/** All values with their old counterparts, also the unchanged ones: the row is append-only. */
export const policyDetail = ({ before, after }: Step) => withOld('policy', valuesOf(after), valuesOf(before))

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
    ...withOld('policy', NO_VALUES, null),
    targetIsSinglePC: null,
    targetOldIsSinglePC: null,
    ...detail,
  },
})

const isNetwork = (field: string) => NETWORK_FIELDS.some((name) => name === field)
const isChanged = (step: Step): boolean => !isUnchanged(policyDiff(step.before, step.after))

/** The rows of an edit: one for the environment's values and one for the network's, as far as they differ. */
export function updateLogs(owner: OwnerRow, { before, after }: Step): PolicyEntry[] {
  const network = Object.fromEntries(Object.entries(valuesOf(before)).filter(([field]) => isNetwork(field)))
  const between: PolicyValues = { ...after, ...network }
  const steps: [typeof PolicyManage.UPDATE_DESKTOP_ENVIRONMENT | typeof PolicyManage.UPDATE_NETWORK, Step][] = [
    [PolicyManage.UPDATE_DESKTOP_ENVIRONMENT, { before, after: between }],
    [PolicyManage.UPDATE_NETWORK, { before: between, after }],
  ]
  return steps.filter(([, step]) => isChanged(step)).map(([type, step]) => policyLog(type, owner, policyDetail(step)))
}

/** The values alone, in the contract's order. */
export const valuesOf = (policy: PolicyValues): PolicyValues => {
  const values: Partial<Record<keyof PolicyValues, number>> = {}
  for (const field of POLICY_FIELDS) values[field] = policy[field]
  return values as PolicyValues
}
