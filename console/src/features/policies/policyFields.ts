// Layout of a policy's values in the panel: parts, headings and choices.
import { NETWORK_FIELDS, POLICY_AMOUNTS, POLICY_FIELDS, type PolicyValues } from '@acc/contract/policyValues'
import type ko from './policies.ko.json'

export type PolicyField = keyof PolicyValues
/** The numeric fields with their limits; the others offer choices. */
export const AMOUNTS: Partial<Record<PolicyField, { min: number; max: number; of?: PolicyField }>> = POLICY_AMOUNTS

/** Whether a value has no effect, because the setting that it belongs to is off. */
export function isIdle(field: PolicyField, values: Record<PolicyField, number>): boolean {
  const of = AMOUNTS[field]?.of
  return of !== undefined && values[of] === 0
}

type Section = { title: keyof typeof ko.section; fields: readonly PolicyField[] }

export const PARTS: Record<'environment' | 'network' | 'shortcut', readonly Section[]> = {
  environment: [
    { title: 'transfer', fields: ['clipboard', 'screenCapture', 'externalStorage', 'print'] },
    { title: 'export', fields: ['fileExport', 'urgentExport', 'urgentReviewHours', 'downloadCount', 'downloadDays'] },
    { title: 'execution', fields: ['vmExecution', 'rdpExecution', 'processExecution', 'dllInjection'] },
    { title: 'storage', fields: ['encryption', 'encryptionDefaultCapacity', 'encryptionMaxCapacity'] },
    { title: 'client', fields: ['offline', 'offlineDays', 'uninstall'] },
  ],
  network: [{ title: 'network', fields: NETWORK_FIELDS }],
  // Lists only.
  shortcut: [],
}

/** The fields in the order of the panel. */
export const SHOWN_FIELDS = [...PARTS.environment, ...PARTS.network].flatMap((section) => section.fields)

/** Picks the policy values from a larger object. */
export const valuesOf = (policy: PolicyValues): Record<PolicyField, number> =>
  Object.assign({}, ...POLICY_FIELDS.map((field) => ({ [field]: policy[field] })))

/** Returns the fields in which two policies differ, in the order of the panel. */
export const differences = (one: Record<PolicyField, number>, other: Record<PolicyField, number>): PolicyField[] =>
  SHOWN_FIELDS.filter((field) => one[field] !== other[field])
