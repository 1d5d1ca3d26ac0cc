// History rows of authorities (spec S2 §3): levels, groups and members, old and new.
import type { AuthManage } from '@acc/contract/labels/history'
import type { HistoryEntry } from '../../core/change.ts'
import { type Classes, isUnchanged, withOld } from '../../core/diff.ts'
import type { AuthorityRow, CoveredGroup, Member } from './authorities.queries.ts'

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

const bothOf = <T, E extends object>(lists: BeforeAfter<T>, entryOf: (one: T) => E) => [
  ...lists.before.map((one) => ({ ...entryOf(one), isOld: 1 as const })),
  ...lists.after.map((one) => ({ ...entryOf(one), isOld: 0 as const })),
]

const loggedColumns = ({ idx, revision, ...columns }: AuthorityRow) => columns

type Lists = {
  /** Omitted if the event does not concern them. */
  groups?: BeforeAfter<CoveredGroup>
  users?: BeforeAfter<Member>
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
    ...withOld('target', loggedColumns(authority), before && loggedColumns(before)),
    ...(groups && {
      groups: bothOf(groups, ({ idx, name, key }) => ({ groupIdx: idx, groupName: name, groupKey: key })),
    }),
    ...(users && {
      users: bothOf(users, (user) => ({
        userIdx: user.idx,
        userId: user.id,
        userName: user.name,
        userGroupName: user.groupName,
      })),
    }),
  },
})
