// Authorities: named sets of levels over groups; their members are group managers (spec S2 §2.1, §3, §7).
import { z } from 'zod'
import { shapeOf } from './core/columns.ts'
import {
  authorityDescription,
  authorityName,
  ByIdx,
  Empty,
  idx,
  level,
  logLevel,
  MAX_IDXES,
  searchText,
} from './core/fields.ts'
import { filterType, paging } from './core/paging.ts'
import { defineRoutes, del, get, list, post, put } from './core/route.ts'
import { EndChange, StoredEnd } from './ends.ts'
import { PERSON_COLUMNS } from './personColumns.ts'

const idxList = z
  .array(idx)
  .max(10_000)
  .refine((all) => new Set(all).size === all.length, 'duplicate')

const Levels = { policy: level, user: level, fileImportApprove: level, fileExportApprove: level, log: logLevel }

export const AuthorityMember = z.object({
  idx,
  ...shapeOf(PERSON_COLUMNS),
  state: z.int(),
  expireDT: z.string().nullable(),
})

export const AuthoritySummary = z.object({ idx, name: z.string(), userCount: z.int(), groupCount: z.int() })

export const Authority = z.object({
  idx,
  name: z.string(),
  description: z.string(),
  ...Levels,
  users: z.array(AuthorityMember.extend(StoredEnd.shape)),
  /** `path`: the names from the root down to the group. */
  groups: z.array(z.object({ idx, name: z.string(), path: z.array(z.string()) })),
  revision: z.int(),
})
export type Authority = z.output<typeof Authority>

const someLevel = (a: Partial<Record<keyof typeof Levels, number>>) =>
  [a.policy, a.user, a.fileImportApprove, a.fileExportApprove, a.log].some((value) => (value ?? 0) > 0)

/** When memberships end. Members that are not named keep their end; new ones have none. */
const memberEnds = z
  .array(EndChange.extend({ userIdx: idx }))
  .max(MAX_IDXES)
  .refine((all) => new Set(all.map(({ userIdx }) => userIdx)).size === all.length, 'duplicate')

const Fields = {
  name: authorityName,
  description: authorityDescription.default(''),
  ...Levels,
  groupIdxes: idxList.min(1),
}
const allBlocked = { path: ['policy'], error: 'allBlocked' }

export const NewAuthority = z
  .object({ ...Fields, userIdxes: idxList.default([]), ends: memberEnds.optional() })
  .refine(someLevel, allBlocked)
export type NewAuthority = z.output<typeof NewAuthority>

/** Replaces the fields of an authority. Members are unchanged if `userIdxes` is omitted. */
export const AuthorityChange = z
  .object({ ...Fields, idx, userIdxes: idxList.optional(), revision: z.int().optional() })
  .refine(someLevel, allBlocked)
export type AuthorityChange = z.output<typeof AuthorityChange>

/** A member of authorities, for the view by user. */
export const MemberAuthorities = AuthorityMember.extend({
  authorities: z.array(z.object({ idx, name: z.string(), endDT: StoredEnd.shape.endDT })),
})

export const authorities = defineRoutes({
  /** Lists all authorities. */
  search: get('/Auths', {
    input: Empty,
    data: z.object({ auths: z.array(AuthoritySummary) }),
    access: 'admin',
    errors: [],
    shows: ['authorities', 'users', 'groups'],
    assumed: true,
  }),
  /** Returns one authority with its groups and members. */
  find: get('/Auth', {
    input: ByIdx,
    data: Authority,
    access: 'admin',
    errors: [],
    shows: ['authorities', 'users', 'groups'],
    assumed: true,
  }),
  /** Creates an authority. */
  create: post('/Auth', {
    input: NewAuthority,
    data: ByIdx,
    access: 'admin',
    errors: ['DUPLICATE_NAME', 'ADMIN_SELECTED', 'NO_GROUP'],
    changes: ['authorities', 'session'],
    audit: 'authManage',
    assumed: true,
  }),
  /** Changes an authority and, if given, its members. */
  update: put('/Auth', {
    input: AuthorityChange,
    data: Empty,
    access: 'admin',
    errors: ['DUPLICATE_NAME', 'ADMIN_SELECTED', 'NO_GROUP', 'CHANGED_MEANWHILE', 'AUTHORITY_IN_USE'],
    changes: ['authorities', 'session'],
    audit: 'authManage',
    assumed: true,
  }),
  /** Deletes an authority; its members lose its rights at once. */
  remove: del('/Auth', {
    input: ByIdx,
    data: Empty,
    access: 'admin',
    errors: ['AUTHORITY_IN_USE'],
    changes: ['authorities', 'session'],
    audit: 'authManage',
    assumed: true,
  }),
  /** Replaces the members of an authority, and sets when memberships end. */
  setMembers: put('/Auth/Users', {
    input: z.object({ idx, userIdxes: idxList, ends: memberEnds.optional(), revision: z.int().optional() }),
    data: Empty,
    access: 'admin',
    errors: ['ADMIN_SELECTED', 'CHANGED_MEANWHILE'],
    changes: ['authorities', 'session'],
    audit: 'authManage',
    assumed: true,
  }),
  /** Lists the members of any authority, each with their authorities. */
  searchMembers: list('/Auths/Users/Search', {
    input: paging(['id', 'name', 'email', 'groupName', 'state', 'expireDT']).extend({
      filterType,
      /** Only this user. */
      userIdx: idx.optional(),
      id: searchText.optional(),
      name: searchText.optional(),
      groupName: searchText.optional(),
    }),
    item: MemberAuthorities,
    columns: PERSON_COLUMNS,
    access: 'admin',
    errors: [],
    shows: ['authorities', 'users', 'groups'],
    assumed: true,
  }),
})
