// What the authorities screen asks for.
import { api } from '@acc/contract'
import { FilterType, SortOrder } from '@acc/contract/core/paging'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { queryOf, useApiQuery } from '../../kit/api/query.ts'

export const useAuthorities = () => useApiQuery(api.authorities.list, {})

export const useAuthority = (idx: number) => useApiQuery(api.authorities.find, { idx })

/** Members fetched at once. */
const PAGE = 50

/** The first pages of the members of any authority, in the order of their names. */
export function useMembers(search: string, pages: number) {
  const text = search === '' ? undefined : search
  const filter = { filterType: FilterType.SINGLE, id: text, name: text, groupName: text }
  const order = { sort: 'name', sortOrder: SortOrder.ASCENDING } as const
  return useQueries({
    queries: Array.from({ length: pages }, (_, page) => ({
      ...queryOf(api.authorities.searchMembers, { ...filter, ...order, rowsAfter: page * PAGE, rowsCount: PAGE }),
      placeholderData: keepPreviousData,
    })),
  })
}

/** One member with their authorities. */
export const useMember = (userIdx: number) => useApiQuery(api.authorities.searchMembers, { userIdx })
