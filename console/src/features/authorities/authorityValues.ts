// Form values of an authority, and their validation (spec S2 §5).
import type { Authority } from '@acc/contract/authorities'
import { NO_PAGE_AUTH, type PageAuth } from '@acc/contract/core/access'
import { PAGES } from '@acc/contract/labels/access'

export type AuthorityValues = PageAuth & {
  name: string
  description: string
  /** In ascending order, so that lists of the same groups are equal. */
  groupIdxes: number[]
  userIdxes: number[]
}

export const NO_VALUES: AuthorityValues = { ...NO_PAGE_AUTH, name: '', description: '', groupIdxes: [], userIdxes: [] }

export const ascending = (idxes: readonly number[]): number[] => [...new Set(idxes)].sort((a, b) => a - b)

export function valuesOf(authority: Authority): AuthorityValues {
  const { name, description, groups, users, policy, user, fileImportApprove, fileExportApprove, log } = authority
  const groupIdxes = ascending(groups.map(({ idx }) => idx))
  const userIdxes = ascending(users.map(({ idx }) => idx))
  return { name, description, groupIdxes, userIdxes, policy, user, fileImportApprove, fileExportApprove, log }
}

/** Returns the missing value: a name, a level above 0 or a managed group. Undefined if there is none. */
export function missingIn(values: AuthorityValues): 'noName' | 'allBlocked' | 'noGroups' | undefined {
  if (values.name.trim() === '') return 'noName'
  if (PAGES.every((page) => values[page] === 0)) return 'allBlocked'
  return values.groupIdxes.length === 0 ? 'noGroups' : undefined
}
