// Policies: what the desktop client allows; owned by a group or a user, or inherited (spec S1 §3, §4).
import { z } from 'zod'
import { page } from './core/access.ts'
import { Empty, flag, idx, line, moment, searchText } from './core/fields.ts'
import { paging } from './core/paging.ts'
import { defineRoutes, get, list, post, put } from './core/route.ts'
import { StoredEnd } from './ends.ts'
import { Level } from './labels/access.ts'
import {
  OwnerType,
  POLICY_FIELD_LABELS,
  POLICY_LIST_LABELS,
  type PolicyField,
  type PolicyList,
} from './labels/policies.ts'
import { PERSON_COLUMNS } from './personColumns.ts'
import { ExceptionLists, StoredExceptions } from './policyExceptions.ts'
import { NamedShortcuts, PolicyShortcuts, ShortcutIdxes } from './policyShortcuts.ts'
import { PolicySteps, StepAuthority, StepChoices } from './policySteps.ts'
import { isCapacityWithin, PolicyValues } from './policyValues.ts'
import { transfer } from './requestFilter.ts'

/** Addresses of one family at most in an answer. */
export const MAX_ADDRESSES = 32

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
// At least two labels, the last one not a number: neither a name of the local network alone, nor an address.
const FQDN = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`)

const NsQuestion = z.object({ domain: line(253).toLowerCase().regex(FQDN) })
export const NsAnswer = z.object({
  /** Addresses in the A records. */
  ipv4: z.array(z.string()),
  /** Addresses in the AAAA records. */
  ipv6: z.array(z.string()),
  /** 0: no DNS server answered in time. */
  isAnswered: flag,
  /** 1: there are more addresses. */
  isCut: flag,
})
export type NsAnswer = z.output<typeof NsAnswer>

export const ownerType = z.literal(OwnerType.values)

/** What applies to a person: the values, the approval steps, the lists of exceptions, and the shortcuts. */
export const PolicyContents = PolicyValues.extend({
  ...PolicySteps.shape,
  ...StoredExceptions.shape,
  ...NamedShortcuts.shape,
} satisfies Record<PolicyList, z.ZodType>)
export type PolicyContents = z.output<typeof PolicyContents>

const Owner = z.object({ ownerIdx: idx, ownerType })
/** One step from the root to the owner. A group that the viewer cannot see has a name but no idx. */
const Link = Owner.extend({ ownerIdx: idx.nullable(), ownerName: z.string(), isMyPolicy: flag })

export const Policy = PolicyContents.extend({
  ...PolicyShortcuts.shape,
  idx,
  /** Owner of the effective policy; null outside the viewer's groups. */
  ownerIdx: idx.nullable(),
  ownerType,
  ownerName: z.string(),
  /** The end of a person's own policy. */
  ...StoredEnd.shape,
  /** 1: the policy is the requested owner's own. */
  isMyPolicy: flag,
  /** The requested owner: a group, or a user with their sign-in ID. */
  owner: z.object({
    name: z.string(),
    id: z.string().nullable(),
    groupName: z.string(),
    isSinglePC: flag.nullable(),
    /** 1: the viewer's level, groups and role allow changing this policy. */
    isEditable: flag,
  }),
  /** From the root to the requested owner. */
  chain: z.array(Link),
  /** What would be inherited instead of an own policy; null if this one is inherited, or the root's. */
  above: PolicyContents.nullable(),
  /** Owner of the policy in `above`. */
  aboveOwnerName: z.string().nullable(),
  /** Users and groups to which a policy of the requested owner applies. */
  reach: z.object({ users: z.int(), groups: z.int() }),
  revision: z.int(),
})
export type Policy = z.output<typeof Policy>

const PARTS = Object.keys({ ...POLICY_FIELD_LABELS, ...POLICY_LIST_LABELS }) as (PolicyField | PolicyList)[]
/** The last change of a value or a list, for the policy that applies to an owner. */
export const PolicyOrigin = z.object({
  name: z.enum(PARTS),
  logDT: moment,
  /** The owner from whose policy the value was copied when the own policy began; null if it was changed since. */
  copiedFrom: z.string().nullable(),
  /** Who changed it, and the row of the history; null unless the viewer may read that row. */
  actorName: z.string().nullable(),
  logIdx: idx.nullable(),
})
export type PolicyOrigin = z.output<typeof PolicyOrigin>

/** The values that apply to a group which has an own policy, or whose parent the viewer does not see. */
export const MappedPolicy = PolicyValues.extend({
  groupIdx: idx,
  /** The group from which they are inherited; null for an own policy. */
  inheritedFrom: z.string().nullable(),
})
export type MappedPolicy = z.output<typeof MappedPolicy>

/** A user as the policy screen lists them. */
export const PolicyUser = z.object({ idx, id: z.string(), name: z.string(), isMyPolicy: flag, isSinglePC: flag })
export type PolicyUser = z.output<typeof PolicyUser>

/** Values and whole lists of an own policy to change; omitted ones are unchanged. */
export const PolicyChange = PolicyValues.partial()
  .extend({
    ...StepChoices.partial().shape,
    ...ExceptionLists.partial().shape,
    ...ShortcutIdxes.partial().shape,
    idx,
    revision: z.int().optional(),
  })
  .refine(isCapacityWithin, { path: ['encryptionDefaultCapacity'], error: 'capacity' })
export type PolicyChange = z.output<typeof PolicyChange>

export const policies = defineRoutes({
  /** Returns an owner's policy: its own, or the inherited one with its owner. */
  find: get('/Policy', {
    input: Owner,
    data: Policy,
    access: page('policy', Level.READ),
    errors: [],
    shows: ['policies', 'shortcuts', 'groups', 'users', 'authorities'],
  }),
  /** Returns the name of the owner of the effective policy. */
  findOwnerName: get('/Policy/OwnerName', {
    input: Owner,
    data: z.object({ ownerName: z.string() }),
    access: page('policy', Level.READ),
    errors: [],
    shows: ['groups', 'users', 'policies', 'authorities'],
  }),
  /** Returns since when each value of an owner's policy applies. Values without a change in the history are missing. */
  findOrigins: get('/Policy/Origins', {
    input: Owner,
    data: z.object({ ownerName: z.string(), origins: z.array(PolicyOrigin) }),
    access: page('policy', Level.READ),
    errors: [],
    shows: ['policies', 'shortcuts', 'groups', 'users', 'authorities'],
    assumed: true,
  }),
  /** Returns the policies of the viewer's groups. A group without an entry inherits that of its parent. */
  findMap: get('/Policy/Map', {
    input: Empty,
    data: z.object({ policies: z.array(MappedPolicy) }),
    access: page('policy', Level.READ),
    errors: [],
    shows: ['policies', 'groups', 'authorities'],
    assumed: true,
  }),
  /** Lists the users of one group for viewers of policies without access to users (spec S1 §6: levels are per page). */
  searchUsers: list('/Policy/Users', {
    input: paging(['idx', 'id', 'name']).extend({ groupIdx: idx, search: searchText.optional() }),
    item: PolicyUser,
    columns: { id: PERSON_COLUMNS.id, name: PERSON_COLUMNS.name },
    access: page('policy', Level.READ),
    errors: [],
    shows: ['users', 'groups', 'policies'],
    assumed: true,
  }),
  /** Returns the authorities that may decide a step of a direction, by name. */
  findStepAuthorities: get('/Policy/StepAuthorities', {
    input: z.object({ type: transfer }),
    data: z.object({ authorities: z.array(StepAuthority) }),
    access: page('policy', Level.EDIT),
    errors: [],
    shows: ['authorities', 'users'],
    assumed: true,
  }),
  /** Changes values, approval steps, exceptions or shortcuts of an owner's own policy. */
  update: put('/Policy', {
    input: PolicyChange,
    data: Empty,
    access: page('policy', Level.EDIT),
    errors: ['CHANGED_MEANWHILE', 'SELF_ACTION', 'UNFIT_AUTHORITY', 'NO_DECIDER'],
    changes: ['policies'],
    audit: 'policyManage',
  }),
  /** Returns the addresses of a domain, as the server's DNS knows them. */
  nsLookup: post('/Policy/NSLookup', {
    input: NsQuestion,
    data: NsAnswer,
    access: page('policy', Level.EDIT),
    errors: [],
    changes: [],
    audit: { none: 'asks the DNS and changes nothing' },
  }),
})
