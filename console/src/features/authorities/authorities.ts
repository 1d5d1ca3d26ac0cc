// Texts, reads and view state of the authorities screen, and the form values of an authority (spec S2 §5).
import { api } from '@acc/contract'
import type { Authority } from '@acc/contract/authorities'
import { NO_PAGE_AUTH, type PageAuth } from '@acc/contract/core/access'
import { SortOrder } from '@acc/contract/core/paging'
import { PAGES } from '@acc/contract/labels/access'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { z } from 'zod'
import { queryOf, useApiQuery } from '../../kit/api/query.ts'
import type { ViewProps } from '../../kit/layout/view.ts'
import { searchFilter } from '../../kit/table/search.tsx'
import { defineTexts, type Translate } from '../../kit/texts/texts.ts'
import type ko from './authorities.ko.json'

export const authoritiesTexts = defineTexts(
  () => import('./authorities.ko.json'),
  () => import('./authorities.en.json'),
)

/** Text with the numbers of members and managed groups. */
export const sizeText = (
  t: Translate<typeof ko>,
  { userCount, groupCount }: { userCount: number; groupCount: number },
) => `${t('adminCount', { count: userCount })} · ${t('groupCount', { count: groupCount })}`

export const useAuthorities = () => useApiQuery(api.authorities.search, {})

export const useAuthority = (idx: number) => useApiQuery(api.authorities.find, { idx })

/** Page size of the members. */
const PAGE = 50

/** Finds the loaded pages of the members of all authorities, ordered by name. */
export function useMembers(search: string, pages: number) {
  const filter = searchFilter(api.authorities.searchMembers, { search })
  const order = { sort: 'name', sortOrder: SortOrder.ASCENDING } as const
  return useQueries({
    queries: Array.from({ length: pages }, (_, page) => ({
      ...queryOf(api.authorities.searchMembers, { ...filter, ...order, rowsAfter: page * PAGE, rowsCount: PAGE }),
      placeholderData: keepPreviousData,
    })),
  })
}

export const AuthoritiesView = z.object({
  tab: z.enum(['manage', 'create']).default('manage'),
  axis: z.enum(['auth', 'user']).default('auth'),
  idx: z.number().optional(),
  /** The focused user. */
  userIdx: z.number().optional(),
  /** The authority to copy into a new one. */
  copyOf: z.number().optional(),
  search: z.string().default(''),
})
export type AuthoritiesView = z.output<typeof AuthoritiesView>
export type AuthoritiesProps = ViewProps<typeof AuthoritiesView>

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
