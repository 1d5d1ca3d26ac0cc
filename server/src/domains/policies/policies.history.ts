// What the history tells of a policy (S2 section 3, policy-management log): whose it is, which values were and are.
import { type AuditKind, OwnerType, PolicyManage } from '@acc/contract/enums'
import { NETWORK_FIELDS, POLICY_FIELDS, type PolicyValues } from '@acc/contract/policies'
import type { Selectable } from 'kysely'
import type { HistoryEntry } from '../../core/change.ts'
import { type Classes, type Difference, diff } from '../../core/diff.ts'
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
  revision: 'ignore',
}

export const policyDiff = (before: PolicyValues, after: PolicyValues): Difference => diff(before, after, CLASSES)

type PolicyEntry = HistoryEntry<Extract<AuditKind, 'policyManage'>>
type Told = { diff?: Difference; detail?: Record<string, unknown> }

/** A history row about the policy of a group or a user; users are searched for by their sign-in name. */
export const policyLog = (
  type: (typeof PolicyManage)[keyof typeof PolicyManage],
  owner: OwnerRow,
  { diff: difference, detail }: Told,
): PolicyEntry => ({
  kind: 'policyManage',
  type,
  subject: owner.id ?? owner.name,
  subjectIdx: owner.ownerIdx,
  groupIdx: owner.groupIdx,
  ...(difference && { diff: difference }),
  detail: {
    targetType: owner.ownerType,
    targetName: owner.name,
    targetId: owner.id,
    targetGroupName: owner.ownerType === OwnerType.USER ? owner.groupName : null,
    ...detail,
  },
})

const isNetwork = (field: string) => NETWORK_FIELDS.some((name) => name === field)
const only = (difference: Difference, wanted: (field: string) => boolean): Difference =>
  Object.fromEntries(Object.entries(difference).filter(([field]) => wanted(field)))

/** The rows of an edit: one for the environment's values, one for the network's, where they differ. */
export function updateLogs(owner: OwnerRow, difference: Difference): PolicyEntry[] {
  const environment = only(difference, (field) => !isNetwork(field))
  const network = only(difference, isNetwork)
  const entries: PolicyEntry[] = []
  if (Object.keys(environment).length > 0)
    entries.push(policyLog(PolicyManage.UPDATE_DESKTOP_ENVIRONMENT, owner, { diff: environment }))
  if (Object.keys(network).length > 0) entries.push(policyLog(PolicyManage.UPDATE_NETWORK, owner, { diff: network }))
  return entries
}

/** The values alone, in the contract's order. */
export const valuesOf = (policy: PolicyValues): PolicyValues => {
  const values: Partial<Record<keyof PolicyValues, number>> = {}
  for (const field of POLICY_FIELDS) values[field] = policy[field]
  return values as PolicyValues
}
