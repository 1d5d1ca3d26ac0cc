// History rows of users (spec S2 §3): all values with their old counterparts.
import type { UserManage } from '@acc/contract/labels/history'
import type { Selectable } from 'kysely'
import type { Users } from '../db/schema.gen.ts'
import type { HistoryEntry } from './change.ts'
import { type Classes, isUnchanged, type TrackedOf, withOldValues } from './historyValues.ts'

/** A complete row, with the name of its group. */
export type UserRow = Selectable<Users> & { groupName: string }

const CLASSES = {
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
  importSource: 'ignore',
  importSuspended: 'ignore',
  revision: 'ignore',
} as const satisfies Classes<UserRow>

/** Whether a change leaves every column of the history unchanged. */
export const isUnchangedUser = (before: UserRow, after: UserRow): boolean => isUnchanged(before, after, CLASSES)

/** The restriction to one PC is a change of policy; the flag of administrators changes by acc-admin alone. */
type LoggedColumns = Pick<UserRow, Exclude<TrackedOf<typeof CLASSES>, 'isSinglePC' | 'isAdmin'>>
const loggedColumns = (user: UserRow): LoggedColumns => ({
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

const NO_ABSENCE = {
  substituteId: null,
  substituteName: null,
  absenceStartDT: null,
  absenceEndDT: null,
  absenceReason: null,
}

/**
 * Builds a history row about a user. If the user moved, the managers of both groups read it. `before` is null for a new
 * user and for a deleted one, who is logged as last seen. `importIdx` is the import that changed the user.
 */
export const userLog = (
  type: UserManage,
  user: UserRow,
  before: UserRow | null,
  importIdx: number | null = null,
): HistoryEntry<'userManage'> => ({
  kind: 'userManage',
  type,
  subject: user.id,
  subjectIdx: user.idx,
  groupIdx: user.groupIdx,
  detail: {
    importIdx,
    ...NO_ABSENCE,
    ...withOldValues('target', loggedColumns(user), before && loggedColumns(before)),
    ...(before !== null && before.groupIdx !== user.groupIdx && { formerGroupIdx: before.groupIdx }),
  },
})
