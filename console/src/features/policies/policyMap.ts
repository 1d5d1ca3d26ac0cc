// The values of all groups: own ones, or those of the parent; and the columns of the map.
import type { MappedPolicy } from '@acc/contract/policies'
import type { PolicyValues } from '@acc/contract/policyValues'
import type { GroupRow } from '../groups/exports.ts'
import { PARTS, type PolicyField } from './policyFields.ts'

/** The values of a group, and those of its parent with the parent's name; null without a visible parent. */
export type MapRow = { values: PolicyValues; isOwn: boolean; above: { name: string; values: PolicyValues } | null }

/** Returns the values of each group. Rows come parents first. */
export function resolveMap(rows: readonly GroupRow[], policies: readonly MappedPolicy[]): Map<number, MapRow> {
  const known = new Map(policies.map((policy) => [policy.groupIdx, policy]))
  const resolved = new Map<number, MapRow>()
  for (const { group, parent } of rows) {
    const ofParent = parent && resolved.get(parent.idx)
    const policy = known.get(group.idx)
    const values = policy ?? ofParent?.values
    // A group that was created after the policies were read.
    if (values === undefined) continue
    const isOwn = policy !== undefined && policy.inheritedFrom === null
    resolved.set(group.idx, { values, isOwn, above: ofParent ? { name: parent.name, values: ofParent.values } : null })
  }
  return resolved
}

const [transfer, exports, ...others] = PARTS.environment
const [fileExport, ...limits] = exports?.fields ?? []
/** The columns of the map: what leaves the virtual desktop, how files are exported, and the rest. */
export const MAP_FIELDS = {
  transfer: [
    ...(transfer?.fields ?? []),
    ...(fileExport === undefined ? [] : [fileExport]),
    ...PARTS.network.flatMap(({ fields }) => fields),
  ],
  exports: limits,
  others: others.flatMap(({ fields }) => fields),
} satisfies Record<string, PolicyField[]>
export type MapPart = keyof typeof MAP_FIELDS
export const MAP_PARTS = Object.keys(MAP_FIELDS) as MapPart[]

/** Returns the part of the policy's form that has a value. */
export const partOf = (field: PolicyField): keyof typeof PARTS =>
  PARTS.network.some(({ fields }) => fields.includes(field)) ? 'network' : 'environment'
