// What the authorities screen asks for.
import { api } from '@acc/contract'
import { SortOrder } from '@acc/contract/core/paging'
import { useApiQuery } from '../../kit/api/query.ts'

export const useAuthorities = () => useApiQuery(api.authorities.list, {})

export const useAuthority = (idx: number) => useApiQuery(api.authorities.find, { idx })

/** Those who hold an authority, in the order of their names. */
export const useHolders = (search: string, rowsCount: number) => {
  const text = search === '' ? undefined : search
  const input = { filterType: 0, id: text, name: text, groupName: text, rowsCount } as const
  return useApiQuery(
    api.authorities.searchUsers,
    { ...input, sort: 'name', sortOrder: SortOrder.ASCENDING },
    { keepsFormer: true },
  )
}

/** One of them, by their sign-in name: it is among those whose names hold it. */
export const useHolder = (id: string) =>
  useApiQuery(api.authorities.searchUsers, { filterType: 1, id, rowsCount: 1000 })
