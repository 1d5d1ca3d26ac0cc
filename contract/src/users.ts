// User accounts: state, devices and sessions (spec S1 §2, §3, §5, §7).
import { z } from 'zod'
import { page } from './core/access.ts'
import { shapeOf } from './core/columns.ts'
import { ByIdx, day, Empty, flag, idx, idxes, moment, role, twoFlags } from './core/fields.ts'
import { defineRoutes, del, get, list, post, put } from './core/route.ts'
import { EndChange } from './ends.ts'
import { Removal } from './groups.ts'
import { Level } from './labels/access.ts'
import { OpenSession } from './session.ts'
import { NewUser, USER_COLUMNS, UserChange, UserFilter } from './userInputs.ts'

/** A registered PC: it uses one license. */
const Device = z.object({
  idx,
  deviceName: z.string(),
  ip: z.string(),
  clientVersion: z.string(),
  useDT: moment,
})

/** Why an account cannot be used; `managed` where an administrator suspended it. */
const Description = z.object({ expired: flag, loginFailsExceeded: flag, otpFailsExceeded: flag, managed: flag })

export const User = z.object({
  idx,
  groupIdx: idx,
  /** Bit flags: LoginType. */
  loginType: twoFlags,
  /** `state`: bit flags, UserState. */
  ...shapeOf(USER_COLUMNS),
  /** 1: the account expires after expireDT. */
  isMortal: flag,
  role,
  /** OtpUse; null follows the login policy. */
  useOtp: flag.nullable(),
  isOtpRegistered: flag,
  usingDevices: z.array(z.object({ deviceName: z.string(), ip: z.string() })),
  isSinglePC: flag,
  isMyPolicy: flag,
  description: Description,
  revision: z.int(),
})
export type User = z.output<typeof User>

export const UserDetail = User.extend({
  /** The groups from the root down to the user's own. */
  groupPath: z.array(z.string()),
  usingDevices: z.array(Device),
  sessions: z.array(OpenSession),
  /** 1: the viewer's level, groups and role allow changing this user. */
  isEditable: flag,
})
export type UserDetail = z.output<typeof UserDetail>

/** Users that are suspended, released or given a last day at once. */
export const MAX_AT_ONCE = 1000

const edit = page('user', Level.EDIT)
const editOne = { input: ByIdx, data: Empty, access: edit } as const

export const users = defineRoutes({
  /** Searches the users of the groups that the viewer may see. */
  search: list('/Users/Search', {
    input: UserFilter,
    item: User,
    columns: USER_COLUMNS,
    access: page('user', Level.READ),
    errors: [],
    shows: ['users', 'groups', 'policies', 'authorities'],
  }),
  /** Returns one user with registered PCs and open sessions. */
  find: get('/User', {
    input: ByIdx,
    data: UserDetail,
    access: page('user', Level.READ),
    errors: [],
    shows: ['users', 'groups', 'policies', 'authorities', 'session'],
    assumed: true,
  }),
  /** Creates a user and mails a temporary password. */
  create: post('/User', {
    input: NewUser,
    data: ByIdx,
    access: edit,
    errors: ['DUPLICATE_ID', 'DUPLICATE_EMAIL', 'NO_GROUP', 'DUPLICATE_KEY'],
    changes: ['users', 'mails'],
    audit: 'userManage',
  }),
  /** Changes a user. */
  update: put('/User', {
    input: UserChange,
    data: Empty,
    access: edit,
    errors: [
      'DUPLICATE_EMAIL',
      'NO_GROUP',
      'DUPLICATE_KEY',
      'CHANGED_MEANWHILE',
      'SELF_ACTION',
      'ADMIN_SELECTED',
      'ALREADY_ADDED',
    ],
    changes: ['users', 'mails', 'session'],
    audit: 'userManage',
  }),
  /** Suspends (state has bit 2) or reactivates a user; reactivating restores the earlier state. */
  setDisabled: put('/User/State/Disabled', {
    input: z.object({ idx, state: twoFlags }),
    data: Empty,
    access: edit,
    errors: ['SELF_ACTION', 'ADMIN_SELECTED'],
    changes: ['users', 'session'],
    audit: 'userManage',
  }),
  /** The same of several users, all or none; skips users already in that state. `data.userIdxes`: who prevents it. */
  setDisabledOfMany: put('/Users/State/Disabled', {
    input: z.object({ idxes: idxes.max(MAX_AT_ONCE), state: twoFlags }),
    data: Empty,
    access: edit,
    errors: ['SELF_ACTION', 'ADMIN_SELECTED'],
    changes: ['users', 'session'],
    audit: 'userManage',
    assumed: true,
  }),
  /** Sets the last day of several accounts, or removes it: all or none. `data.userIdxes` names who prevents it. */
  setExpiry: put('/Users/Expiry', {
    input: z.object({ idxes: idxes.max(MAX_AT_ONCE), isMortal: flag, expireDT: day.nullable().optional() }),
    data: Empty,
    access: edit,
    errors: ['SELF_ACTION', 'ADMIN_SELECTED'],
    changes: ['users'],
    audit: 'userManage',
    assumed: true,
  }),
  /** Mails a new temporary password and ends the sessions of the user. */
  resetPw: post('/User/ResetPw', {
    ...editOne,
    errors: ['DISABLED_USER', 'SELF_ACTION', 'ADMIN_SELECTED', 'NO_EMAIL'],
    changes: ['users', 'mails', 'session'],
    audit: 'userManage',
  }),
  /** Removes a user's authenticator and ends their sessions; if one is required, the next sign-in registers another. */
  resetTotpSecret: post('/User/ResetTotpSecret', {
    ...editOne,
    errors: ['DISABLED_USER', 'NO_OTP_TO_RESET', 'SELF_ACTION', 'ADMIN_SELECTED'],
    changes: ['users', 'mails', 'session'],
    audit: 'userManage',
  }),
  /** Removes all of a user's registered PCs; their licenses become available. */
  resetLicense: post('/User/ResetLicense', {
    ...editOne,
    errors: ['SELF_ACTION', 'ADMIN_SELECTED'],
    changes: ['licenses', 'users', 'session'],
    audit: 'licenseUse',
  }),
  /** Sets whether a user may sign in from one PC only. */
  setIsSinglePC: put('/User/IsSinglePC', {
    input: z.object({ idx, isSinglePC: flag }),
    data: Empty,
    access: edit,
    errors: ['SELF_ACTION', 'ADMIN_SELECTED'],
    changes: ['users'],
    audit: 'policyManage',
  }),
  /** Toggles if `isMyPolicy` is omitted. Also sets the end of an own policy, a new or a stored one. */
  setIsMyPolicy: put('/User/IsMyPolicy', {
    input: z.object({ idx, isMyPolicy: flag.optional(), ...EndChange.shape }),
    data: Empty,
    access: page('policy', Level.EDIT),
    errors: ['SELF_ACTION', 'ADMIN_SELECTED'],
    changes: ['users', 'policies'],
    audit: 'policyManage',
  }),
  /** Moves users into a group. Users already in it are skipped; 983 if all are. */
  move: put('/Users/Group', {
    input: z.object({ idxes, groupIdx: idx }),
    data: Empty,
    access: edit,
    errors: ['NO_GROUP', 'SELF_ACTION', 'ADMIN_SELECTED'],
    changes: ['users', 'session'],
    audit: 'userManage',
  }),
  /** Counts what deleting users would change elsewhere. */
  findRemoval: get('/Users/Removal', {
    input: z.object({ idxes }),
    data: Removal,
    access: page('user', Level.READ),
    errors: [],
    shows: ['users', 'authorities', 'bim', 'requests'],
    assumed: true,
  }),
  /** Deletes users permanently; their licenses become available. */
  remove: del('/Users', {
    input: z.object({ idxes }),
    data: Empty,
    access: edit,
    errors: ['SELF_ACTION', 'ADMIN_SELECTED'],
    changes: ['users', 'licenses', 'authorities', 'bim', 'session', 'requests'],
    audit: 'userManage',
  }),
  /** Ends one of a user's sessions. */
  endSession: del('/User/Session', {
    input: z.object({ idx, sessionIdx: idx }),
    data: Empty,
    access: edit,
    errors: ['ADMIN_SELECTED'],
    changes: ['session'],
    audit: 'userManage',
    assumed: true,
  }),
})
