// History rows of authorities (spec S2 §3): levels, groups and members, old and new.
import type { AuthManage } from '@acc/contract/labels/history'
import type { HistoryEntry } from '../../core/change.ts'
import { type Classes, isUnchanged, markOldAndNew, personValues, withOldValues } from '../../core/historyValues.ts'
import type { AuthorityRow, CoveredGroup, EndingMember } from './authorities.queries.ts'

const CLASSES: Classes<AuthorityRow> = {
  idx: 'ignore',
  name: 'track',
  description: 'track',
  policy: 'track',
  user: 'track',
  fileImportApprove: 'track',
  fileExportApprove: 'track',
  log: 'track',
  revision: 'ignore',
}

/** Returns whether a change leaves an authority's own columns unchanged. */
export const isUnchangedAuthority = (before: AuthorityRow, after: AuthorityRow): boolean =>
  isUnchanged(before, after, CLASSES)

/** Entries before and after a change. */
export type BeforeAfter<T> = { before: readonly T[]; after: readonly T[] }

const groupEntry = ({ idx, name, key }: CoveredGroup) => ({ groupIdx: idx, groupName: name, groupKey: key })
const memberEntry = (user: EndingMember) => ({
  userIdx: user.idx,
  ...personValues(user),
  endDT: user.endDT,
  endReason: user.endReason,
})

const loggedColumns = ({ idx, revision, ...columns }: AuthorityRow) => columns

type Lists = {
  /** Omitted if the event does not concern them. */
  groups?: BeforeAfter<CoveredGroup>
  users?: BeforeAfter<EndingMember>
}

/** Returns a history row about an authority, for system administrators. */
export const authorityLog = (
  type: AuthManage,
  authority: AuthorityRow,
  before: AuthorityRow | null,
  { groups, users }: Lists,
): HistoryEntry<'authManage'> => ({
  kind: 'authManage',
  type,
  subject: authority.name,
  subjectIdx: authority.idx,
  groupIdx: null,
  detail: {
    ...withOldValues('target', loggedColumns(authority), before && loggedColumns(before)),
    ...(groups && { groups: markOldAndNew(groups.before.map(groupEntry), groups.after.map(groupEntry)) }),
    ...(users && { users: markOldAndNew(users.before.map(memberEntry), users.after.map(memberEntry)) }),
  },
})
