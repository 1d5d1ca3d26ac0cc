// History rows of users (spec S2 §3): all values with their old counterparts.
import type { UserManage } from '@acc/contract/labels/history'
import type { HistoryEntry } from '../../core/change.ts'
import { type Classes, diff, isUnchanged, withOld } from '../../core/diff.ts'
import type { UserRow } from './users.queries.ts'

const CLASSES: Classes<UserRow> = {
  idx: 'ignore',
  id: 'track',
  name: 'track',
  email: 'track',
  groupIdx: 'ignore',
  groupName: 'track',
  key: 'track',
  isAdmin: 'track',
  loginType: 'track',
  state: 'track',
  isMortal: 'track',
  expireDT: 'track',
  useOtp: 'track',
  otpSecret: 'secret',
  otpStep: 'ignore',
  otpPending: 'secret',
  otpPendingExpireDT: 'ignore',
  isSinglePC: 'track',
  isMyPolicy: 'ignore',
  pwHash: 'secret',
  pwSetDT: 'ignore',
  tmpPwHash: 'secret',
  tmpPwExpireDT: 'ignore',
  loginFails: 'ignore',
  otpFails: 'ignore',
  lastClientLoginDT: 'ignore',
  createDT: 'ignore',
  activeDT: 'ignore',
  revision: 'ignore',
}

/** Whether a change leaves every column of the history unchanged. */
export const isUnchangedUser = (before: UserRow, after: UserRow): boolean => isUnchanged(diff(before, after, CLASSES))

const loggedColumns = (user: UserRow) => ({
  id: user.id,
  name: user.name,
  email: user.email,
  groupName: user.groupName,
  isMortal: user.isMortal,
  expireDT: user.expireDT,
  key: user.key,
  loginType: user.loginType,
  state: user.state,
  useOtp: user.useOtp,
})

/** A history row about a user; `before` is null for a new user and for a deleted one, who is logged as last seen. */
export const userLog = (type: UserManage, user: UserRow, before: UserRow | null): HistoryEntry<'userManage'> => ({
  kind: 'userManage',
  type,
  subject: user.id,
  subjectIdx: user.idx,
  groupIdx: user.groupIdx,
  detail: withOld('target', loggedColumns(user), before && loggedColumns(before)),
})
