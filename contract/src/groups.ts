// Groups: one ordered tree; each viewer sees a part of it, with their levels (spec S1 §2 to §7).
import { z } from 'zod'
import { page } from './core/access.ts'
import { ByIdx, Empty, flag, groupDescription, groupName, idx, idxes, key, level, logLevel } from './core/fields.ts'
import { defineRoutes, del, get, post, put } from './core/route.ts'
import { Level } from './labels/access.ts'

/** The root group always exists and always has its own policy. */
export const ROOT_GROUP = 1
/** Maximum depth of the tree, including the root. */
export const MAX_DEPTH = 100

export const Group = z
  .object({
    idx,
    /** Null if the viewer cannot see the parent. */
    parentIdx: idx.nullable(),
    name: z.string(),
    /** Shown to system administrators only. */
    key: z.string().optional(),
    description: z.string(),
    isMyPolicy: flag,
    isDmsParent: flag,
    isUnderDmsParent: flag,
    /** 1: the viewer cannot see the parent. */
    isTop: flag,
    isSync: flag,
    /** Users directly in this group. */
    userCount: z.int(),
    maxUser: level,
    maxPolicy: level,
    maxFileExportApprove: level,
    maxFileImportApprove: level,
    maxLog: logLevel,
    revision: z.int(),
    get children() {
      return z.array(Group)
    },
  })
  .meta({ id: 'Group' })
export type Group = z.output<typeof Group>

export const NewGroup = z.object({
  parentIdx: idx,
  name: groupName,
  description: groupDescription.default(''),
  key: key.optional(),
})
export type NewGroup = z.output<typeof NewGroup>

export const GroupChange = z.object({
  idx,
  name: groupName.optional(),
  description: groupDescription.optional(),
  key: key.optional(),
  revision: z.int().optional(),
})
export type GroupChange = z.output<typeof GroupChange>

const edit = page('policy', Level.EDIT)

/** People of an authority in one answer, at most. */
export const MAX_LISTED_MANAGERS = 100
const Manager = z.object({ idx, id: z.string(), name: z.string(), state: z.int() })
/** An authority over a group, with its levels and people. */
export const GroupAuthority = z.object({
  idx,
  name: z.string(),
  policy: level,
  user: level,
  fileExportApprove: level,
  fileImportApprove: level,
  log: logLevel,
  /** The group itself or the nearest one above that the authority names. */
  groupName: z.string(),
  isOfGroup: flag,
  /** By name, at most MAX_LISTED_MANAGERS. */
  users: z.array(Manager),
  userCount: z.int(),
})
export type GroupAuthority = z.output<typeof GroupAuthority>

/** What a deletion changes elsewhere, for the question before it. */
export const Removal = z.object({
  authorities: z.int(),
  bimTargets: z.int(),
  /** Requests that wait for a decision. */
  waitingRequests: z.int(),
})

export const groups = defineRoutes({
  /** Returns the groups that the viewer can see as trees, with the viewer's levels; children are in order. */
  searchAuthGroups: get('/AuthGroups', {
    input: Empty,
    data: z.object({ groups: z.array(Group), rightsRevision: z.int() }),
    access: 'session',
    errors: [],
    shows: ['groups', 'users', 'policies', 'authorities'],
  }),
  /** Creates a subgroup. */
  create: post('/Group', {
    input: NewGroup,
    data: ByIdx,
    access: edit,
    errors: ['DUPLICATE_NAME', 'DUPLICATE_KEY', 'NO_GROUP', 'GROUP_ACTION_REFUSED'],
    changes: ['groups'],
    audit: 'groupManage',
  }),
  /** Changes name, description or key of a group. */
  update: put('/Group', {
    input: GroupChange,
    data: Empty,
    access: edit,
    errors: ['DUPLICATE_NAME', 'DUPLICATE_KEY', 'CHANGED_MEANWHILE'],
    changes: ['groups'],
    audit: 'groupManage',
  }),
  /** Returns the authorities that cover a group, with their people, and the system administrators. */
  findManagers: get('/Group/Managers', {
    input: ByIdx,
    data: z.object({ authorities: z.array(GroupAuthority), admins: z.array(Manager), adminCount: z.int() }),
    access: 'admin',
    errors: [],
    shows: ['authorities', 'groups', 'users'],
    assumed: true,
  }),
  /** Counts what deleting a group would change elsewhere. */
  findRemoval: get('/Group/Removal', {
    input: ByIdx,
    data: Removal,
    access: page('policy', Level.READ),
    errors: [],
    shows: ['groups', 'authorities', 'bim', 'requests'],
    assumed: true,
  }),
  /** Deletes a group; its users and subgroups move to the parent. */
  remove: del('/Group', {
    input: ByIdx,
    data: Empty,
    access: edit,
    errors: ['GROUP_ACTION_REFUSED', 'DUPLICATE_NAME', 'SELF_ACTION', 'AUTHORITY_IN_USE'],
    changes: ['groups', 'users', 'requests', 'authorities', 'bim', 'session'],
    audit: 'groupManage',
  }),
  /** Toggles if `isMyPolicy` is omitted. */
  setIsMyPolicy: put('/Group/IsMyPolicy', {
    input: z.object({ idx, isMyPolicy: flag.optional() }),
    data: Empty,
    access: edit,
    errors: ['GROUP_ACTION_REFUSED', 'SELF_ACTION'],
    changes: ['groups', 'policies'],
    audit: 'policyManage',
  }),
  /** Makes a group the DMS root group in place of the present one. */
  setIsDmsParent: put('/Group/SetIsDmsParent', {
    input: ByIdx,
    data: Empty,
    access: 'admin',
    errors: ['GROUP_ACTION_REFUSED'],
    changes: ['groups', 'session'],
    audit: 'groupManage',
  }),
  /** Reorders siblings: the list names every child of one parent exactly once. */
  reorder: put('/Group/Order', {
    input: z.object({ orderedIdxes: idxes }),
    data: Empty,
    access: edit,
    errors: ['GROUP_ACTION_REFUSED'],
    changes: ['groups'],
    audit: 'groupManage',
  }),
})
