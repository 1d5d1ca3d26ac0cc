// Queries of the authorities screen.
import { api } from '@acc/contract'
import { FilterType, SortOrder } from '@acc/contract/core/paging'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { queryOf, useApiQuery } from '../../kit/api/query.ts'

export const useAuthorities = () => useApiQuery(api.authorities.list, {})

export const useAuthority = (idx: number) => useApiQuery(api.authorities.find, { idx })

/** Page size of the members. */
const PAGE = 50

/** Finds the loaded pages of the members of all authorities, ordered by name. */
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

/** Finds one member with their authorities. */
export const useMember = (userIdx: number) => useApiQuery(api.authorities.searchMembers, { userIdx })
