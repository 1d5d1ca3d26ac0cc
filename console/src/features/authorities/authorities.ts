// Texts, reads and view state of the authorities screen.
import { api } from '@acc/contract'
import { SortOrder } from '@acc/contract/core/paging'
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
