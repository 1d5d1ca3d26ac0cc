// Policies: what the desktop client allows, owned by a group or a user and inherited from above (S1 sections 3 and 4).
import { z } from 'zod'
import { Level, page } from './core/access.ts'
import { flag, idx, searchText } from './core/fields.ts'
import { paging } from './core/paging.ts'
import { defineRoutes, get, list, put } from './core/route.ts'
import { Clipboard, FileExport, OwnerType } from './labels/policies.ts'

export const ownerType = z.literal(OwnerType.values)

/** The fields that hold a number from 1 on, and the field that must be on for it to count. */
export const POLICY_AMOUNTS = {
  encryptionDefaultCapacity: { max: 100_000, of: 'encryption' },
  encryptionMaxCapacity: { max: 100_000, of: 'encryption' },
  offlineDays: { max: 365, of: 'offline' },
} as const
const amount = (field: keyof typeof POLICY_AMOUNTS) => z.int().min(1).max(POLICY_AMOUNTS[field].max)

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
})
export type PolicyValues = z.output<typeof PolicyValues>
export const POLICY_FIELDS = Object.keys(PolicyValues.shape) as (keyof PolicyValues)[]
/** Which fields the network tab holds; the others are the environment's. */
export const NETWORK_FIELDS = ['network', 'localNetwork', 'loopback'] as const satisfies readonly (keyof PolicyValues)[]

/** What the root's policy starts with. */
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
}

const Owner = z.object({ ownerIdx: idx, ownerType })
/** One step from the root to the asked owner. A group that the viewer may not see is named but carries no idx. */
const Link = Owner.extend({ ownerIdx: idx.nullable(), ownerName: z.string(), isMyPolicy: flag })

export const Policy = PolicyValues.extend({
  idx,
  /** Who owns the policy that applies: the asked owner, or the nearest above with an own one; null outside the viewer's groups. */
  ownerIdx: idx.nullable(),
  ownerType,
  ownerName: z.string(),
  /** Whether the asked owner has this policy as its own. */
  isMyPolicy: flag,
  /** The asked owner: a group, or a user with their sign-in name. */
  owner: z.object({
    name: z.string(),
    id: z.string().nullable(),
    groupName: z.string(),
    isSinglePC: flag.nullable(),
    /** Whether the viewer may change this owner's policy: level, group and rank together. */
    isEditable: flag,
  }),
  /** From the root to the asked owner. */
  chain: z.array(Link),
  /** The values of the policy above the own one; null where this one is inherited or the root's. */
  above: PolicyValues.nullable(),
  /** Whose policy `above` is. */
  aboveOwnerName: z.string().nullable(),
  /** Whom a policy of the asked owner reaches: groups (its own among them) and people without a nearer one. */
  reach: z.object({ users: z.int(), groups: z.int() }),
  revision: z.int(),
})
export type Policy = z.output<typeof Policy>

/** A user as the policy screen lists them. */
export const PolicyUser = z.object({ idx, id: z.string(), name: z.string(), isMyPolicy: flag, isSinglePC: flag })
export type PolicyUser = z.output<typeof PolicyUser>

/** Whether the default capacity stays within the largest, as far as both are told. */
export const isCapacityWithin = (values: Partial<PolicyValues>): boolean =>
  (values.encryptionDefaultCapacity ?? 0) <= (values.encryptionMaxCapacity ?? Number.POSITIVE_INFINITY)

/** The values to change of an own policy; the others stay. */
export const PolicyChange = PolicyValues.partial()
  .extend({ idx, revision: z.int().optional() })
  .refine(isCapacityWithin, { path: ['encryptionDefaultCapacity'], error: 'capacity' })
export type PolicyChange = z.output<typeof PolicyChange>

export const policies = defineRoutes({
  find: get('/Policy', {
    input: Owner,
    data: Policy,
    access: page('policy', Level.READ),
    errors: [],
    shows: ['policies', 'groups', 'users'],
  }),
  /** The name of whoever owns the policy that applies to the asked owner. */
  ownerName: get('/Policy/OwnerName', {
    input: Owner,
    data: z.object({ ownerName: z.string() }),
    access: page('policy', Level.READ),
    errors: [],
    shows: ['groups', 'users'],
  }),
  /** The users of one group, for viewers of policies who may not see users (S1 section 6: levels are given per page). */
  users: list('/Policy/Users', {
    input: paging(['idx', 'id', 'name']).extend({ groupIdx: idx, search: searchText.optional() }),
    item: PolicyUser,
    columns: { id: { ko: '아이디', en: 'ID' }, name: { ko: '이름', en: 'Name' } },
    access: page('policy', Level.READ),
    errors: [],
    shows: ['users', 'groups', 'policies'],
    assumed: true,
  }),
  update: put('/Policy', {
    input: PolicyChange,
    data: z.object({}),
    access: page('policy', Level.EDIT),
    errors: ['CHANGED_MEANWHILE', 'SELF_ACTION'],
    changes: ['policies'],
    audit: 'policyManage',
  }),
})
