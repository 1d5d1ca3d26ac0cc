// What the history tells of users (S2 section 3, user-management log): who it is now, and what differs from before.
import type { UserManage } from '@acc/contract/enums'
import type { HistoryEntry } from '../../core/change.ts'
import { type Classes, type Difference, diff } from '../../core/diff.ts'
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
  revision: 'ignore',
}

export const userDiff = (before: UserRow | null, after: UserRow | null): Difference => diff(before, after, CLASSES)

/** A history row about a user as they are after the change, or were before it where nothing is left. */
export const userLog = (type: UserManage, user: UserRow, difference: Difference): HistoryEntry<'userManage'> => ({
  kind: 'userManage',
  type,
  subject: user.id,
  subjectIdx: user.idx,
  groupIdx: user.groupIdx,
  diff: difference,
  detail: {
    targetId: user.id,
    targetName: user.name,
    targetEmail: user.email,
    targetGroupName: user.groupName,
    targetIsMortal: user.isMortal,
    targetExpireDT: user.expireDT,
    targetKey: user.key,
    targetLoginType: user.loginType,
    targetState: user.state,
  },
})
