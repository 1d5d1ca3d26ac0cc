// What the history tells of authorities (S2 section 3, auth-management log): the levels, and whom and what they reached
// before and reach now.
import type { AuthManage } from '@acc/contract/enums'
import type { HistoryEntry } from '../../core/change.ts'
import { type Classes, type Difference, diff } from '../../core/diff.ts'
import type { AuthorityRow, CoveredGroup, Holder } from './authorities.queries.ts'

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

export const authorityDiff = (before: AuthorityRow | null, after: AuthorityRow | null): Difference =>
  diff(before, after, CLASSES)

/** What stood and what stands; null where the row does not tell of it. */
export type BeforeAfter<T> = { before: readonly T[]; after: readonly T[] }

const bothOf = <T>(lists: BeforeAfter<T> | undefined, shown: (one: T) => object) =>
  lists && [
    ...lists.before.map((one) => ({ ...shown(one), isOld: 1 })),
    ...lists.after.map((one) => ({ ...shown(one), isOld: 0 })),
  ]

type Told = { diff?: Difference; groups?: BeforeAfter<CoveredGroup>; users?: BeforeAfter<Holder> }

/** A history row about an authority; it is for system administrators. */
export const authorityLog = (type: AuthManage, authority: AuthorityRow, told: Told): HistoryEntry<'authManage'> => ({
  kind: 'authManage',
  type,
  subject: authority.name,
  subjectIdx: authority.idx,
  groupIdx: null,
  ...(told.diff && { diff: told.diff }),
  detail: {
    targetName: authority.name,
    targetDescription: authority.description,
    targetPolicy: authority.policy,
    targetUser: authority.user,
    targetFileImportApprove: authority.fileImportApprove,
    targetFileExportApprove: authority.fileExportApprove,
    targetLog: authority.log,
    groups: bothOf(told.groups, ({ idx, name, key }) => ({ groupIdx: idx, groupName: name, groupKey: key })),
    users: bothOf(told.users, (user) => ({
      userIdx: user.idx,
      userId: user.id,
      userName: user.name,
      userGroupName: user.groupName,
    })),
  },
})
