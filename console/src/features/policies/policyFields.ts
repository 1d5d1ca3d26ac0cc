// The values of a policy as the panel lays them out: in which part, under which heading, with which choices.
import { NETWORK_FIELDS, POLICY_FIELDS, type PolicyValues } from '@acc/contract/policies'
import type ko from './policies.ko.json'

export type PolicyField = keyof PolicyValues
type Word = keyof typeof ko.choice

const BLOCK_ALLOW = ['block', 'allow'] as const
const OFF_ON = ['off', 'on'] as const

/** The words of a field's values, from 0 on. What is not here is a number. */
const CHOICES: Partial<Record<PolicyField, readonly Word[]>> = {
  clipboard: ['block', 'localToVirtual', 'virtualToLocal', 'both'],
  fileExport: ['block', 'allow', 'approval'],
  encryption: OFF_ON,
}
/** Numbers with their bounds (contract: policies.ts). */
export const AMOUNTS: Partial<Record<PolicyField, { unit: 'gigabytes' | 'days'; max: number; of: PolicyField }>> = {
  encryptionDefaultCapacity: { unit: 'gigabytes', max: 100_000, of: 'encryption' },
  encryptionMaxCapacity: { unit: 'gigabytes', max: 100_000, of: 'encryption' },
  offlineDays: { unit: 'days', max: 365, of: 'offline' },
}

export const choicesOf = (field: PolicyField): readonly Word[] => CHOICES[field] ?? BLOCK_ALLOW

type Section = { title: keyof typeof ko.section; fields: readonly PolicyField[] }

export const PARTS: Record<'environment' | 'network', readonly Section[]> = {
  environment: [
    { title: 'transfer', fields: ['clipboard', 'fileExport', 'screenCapture', 'externalStorage', 'print'] },
    { title: 'execution', fields: ['vmExecution', 'rdpExecution', 'processExecution', 'dllInjection'] },
    { title: 'storage', fields: ['encryption', 'encryptionDefaultCapacity', 'encryptionMaxCapacity'] },
    { title: 'client', fields: ['offline', 'offlineDays', 'uninstall'] },
  ],
  network: [{ title: 'network', fields: NETWORK_FIELDS }],
}

/** The fields in the order of the panel. */
export const SHOWN_FIELDS = [...PARTS.environment, ...PARTS.network].flatMap((section) => section.fields)

/** The values alone, out of whatever carries them. */
export const valuesOf = (policy: PolicyValues): Record<PolicyField, number> =>
  Object.assign({}, ...POLICY_FIELDS.map((field) => ({ [field]: policy[field] })))

/** The fields in which two policies differ, in the order of the panel. */
export const differences = (one: PolicyValues, other: PolicyValues): PolicyField[] =>
  SHOWN_FIELDS.filter((field) => one[field] !== other[field])
