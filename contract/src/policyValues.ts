// The values of a policy: switches, choices and amounts (spec S1 §3, §4).
import { z } from 'zod'
import { flag } from './core/fields.ts'
import { Clipboard, FileExport, type PolicyField } from './labels/policies.ts'

/** Fields that hold a number from `min` to `max`, effective only while the field `of` is on, if they have one. */
export const POLICY_AMOUNTS = {
  encryptionDefaultCapacity: { min: 1, max: 100_000, of: 'encryption' },
  encryptionMaxCapacity: { min: 1, max: 100_000, of: 'encryption' },
  offlineDays: { min: 1, max: 365, of: 'offline' },
  urgentReviewHours: { min: 1, max: 72, of: 'urgentExport' },
  downloadCount: { min: 0, max: 100 },
  downloadDays: { min: 0, max: 365 },
} as const
const amount = (field: keyof typeof POLICY_AMOUNTS) =>
  z.int().min(POLICY_AMOUNTS[field].min).max(POLICY_AMOUNTS[field].max)

export const PolicyValues = z.object({
  clipboard: z.literal(Clipboard.values),
  fileExport: z.literal(FileExport.values),
  uninstall: flag,
  network: flag,
  localNetwork: flag,
  loopback: flag,
  screenCapture: flag,
  externalStorage: flag,
  print: flag,
  vmExecution: flag,
  rdpExecution: flag,
  processExecution: flag,
  dllInjection: flag,
  encryption: flag,
  /** Gigabytes. */
  encryptionDefaultCapacity: amount('encryptionDefaultCapacity'),
  encryptionMaxCapacity: amount('encryptionMaxCapacity'),
  offline: flag,
  /** Days that the client may work without the server. */
  offlineDays: amount('offlineDays'),
  /** 1: people may declare an export as urgent. It is allowed at once and reviewed afterwards. */
  urgentExport: flag,
  /** Hours after the last file has arrived. */
  urgentReviewHours: amount('urgentReviewHours'),
  /** How often requesters may download each file of a released export; 0: any number. */
  downloadCount: amount('downloadCount'),
  /** For how many days after the release; 0: at any time. */
  downloadDays: amount('downloadDays'),
} satisfies Record<PolicyField, z.ZodType>)
export type PolicyValues = z.output<typeof PolicyValues>
export const POLICY_FIELDS = Object.keys(PolicyValues.shape) as (keyof PolicyValues)[]
/** Fields of the network tab; the others are on the environment tab. */
export const NETWORK_FIELDS = ['network', 'localNetwork', 'loopback'] as const satisfies readonly (keyof PolicyValues)[]

/** Initial values of the root group's policy. */
export const DEFAULT_POLICY: PolicyValues = {
  clipboard: 0,
  fileExport: 0,
  uninstall: 0,
  network: 1,
  localNetwork: 0,
  loopback: 1,
  screenCapture: 0,
  externalStorage: 0,
  print: 0,
  vmExecution: 0,
  rdpExecution: 0,
  processExecution: 1,
  dllInjection: 0,
  encryption: 1,
  encryptionDefaultCapacity: 20,
  encryptionMaxCapacity: 100,
  offline: 0,
  offlineDays: 7,
  urgentExport: 0,
  urgentReviewHours: 24,
  downloadCount: 0,
  downloadDays: 0,
}

/** Returns whether the default capacity does not exceed the maximum, as far as both are given. */
export const isCapacityWithin = (values: Partial<PolicyValues>): boolean =>
  (values.encryptionDefaultCapacity ?? 0) <= (values.encryptionMaxCapacity ?? Number.POSITIVE_INFINITY)
